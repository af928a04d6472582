// Messages to the gateway: barriers. The end of a thread is execute_send's own affair.
#include "eu/message_gateway.hpp"

#include <cstring>

#include "eu/message_context.hpp"

namespace xesim::eu {

MessageResult execute_gateway(const MessageContext& context) {
  if (gateway::kFunction.of(context.send.descriptor) != gateway::kBarrier) {
    return unsupported(context.send, "gateway function not implemented");
  }
  std::uint32_t payload = 0;
  std::memcpy(&payload, context.source0() + gateway::kBarrierDword * sizeof payload,
              sizeof payload);
  const std::uint32_t id = gateway::kBarrierId.of(payload);
  if (id >= gateway::kBarrierIds) {
    return unsupported(context.send, "barrier number above 31");
  }
  if (gateway::kBarrierRole.of(payload) != 0) {
    return unsupported(context.send, "named barrier that only signals or only waits");
  }
  if (context.observer != nullptr) {
    context.observer->barrier(context.thread, id);
  }
  // Before the call: the last thread to arrive is released within it.
  context.thread.barrier_pending |= 1u << id;
  context.environment.barrier_signal(id, gateway::kProducers.of(payload),
                                     gateway::kConsumers.of(payload));
  return {};
}

}  // namespace xesim::eu
