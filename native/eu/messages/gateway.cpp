// Messages to the gateway: barriers. The end of a thread is execute_send's own affair.
#include "eu/messages/gateway.hpp"

#include <cstring>

#include "eu/messages/context.hpp"

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
  const std::uint32_t role = gateway::kBarrierRole.of(payload);
  if (role > static_cast<std::uint32_t>(BarrierRole::Consumer)) {
    return unsupported(context.send, "reserved role at a named barrier");
  }
  if (context.observer != nullptr) {
    context.observer->barrier(context.thread, id);
  }
  const std::uint32_t bit = 1u << id;
  // The compiler makes two signals, and later two waits, of one split barrier in SIMD32 code. The
  // second of them cannot stand for another thread: it is the thread's arrival at the barrier's
  // next round, and counts once this one is over.
  if (static_cast<BarrierRole>(role) == BarrierRole::ProducerConsumer &&
      (context.thread.barrier_pending & bit) != 0) {
    if ((context.thread.barrier_ahead & bit) != 0) {
      return unsupported(context.send, "a third signal at a barrier before the first is answered");
    }
    context.thread.barrier_ahead |= bit;
    return {};
  }
  // Before the call: the last thread to arrive is released within it.
  if (static_cast<BarrierRole>(role) != BarrierRole::Producer) {
    context.thread.barrier_pending |= bit;
  }
  context.environment.barrier_signal(id, static_cast<BarrierRole>(role),
                                     gateway::kProducers.of(payload),
                                     gateway::kConsumers.of(payload));
  return {};
}

}  // namespace xesim::eu
