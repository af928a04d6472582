#include "eu/messages/messages.hpp"

#include <atomic>
#include <cstdio>
#include <cstring>

#include "eu/messages/context.hpp"
#include "eu/messages/decode.hpp"
#include "eu/messages/direct.hpp"
#include "eu/messages/image.hpp"
#include "eu/messages/sampler.hpp"

namespace xesim::eu {
namespace {

// Without ExBSO a descriptor from a0 holds the length of the second source too, but for Xe2's ugm.
constexpr std::uint32_t source1_length_of(std::uint32_t extended) { return (extended >> 6) & 0x1F; }

std::uint32_t address_dword(const ThreadState& thread, unsigned subregister) {
  std::uint32_t value = 0;
  std::memcpy(&value,
              reinterpret_cast<const std::byte*>(thread.address.data()) + subregister * sizeof value,
              sizeof value);
  return value;
}

bool fits(const Operand& operand, std::uint32_t length, std::uint32_t registers) {
  return operand.is_null() || length == 0 ||
         (operand.file == RegisterFile::Grf && operand.register_number + length <= registers);
}

// The response register exists only to be waited for: memory is coherent, and what a fence orders are
// the accesses of a thread of the host, which others may be beside.
void execute_fence(const MessageContext& context) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!context.instruction.destination.is_null()) {
    std::memset(context.response(), 0,
                std::size_t{context.send.response_length()} * grf_bytes(context.platform));
  }
}

MessageResult execute_data(const MessageContext& context, const DataMessage& message) {
  if (message.unsupported != nullptr) {
    return unsupported(context.send, message.unsupported);
  }
  if (message.typed) {
    return execute_image_message(context);
  }
  if (message.operation == DataOperation::Fence) {
    execute_fence(context);
    return {};
  }
  if (message.address_registers > context.send.source0_length()) {
    return unsupported(context.send, "address payload shorter than its lanes");
  }
  switch (message.operation) {
    case DataOperation::Atomic:
      return execute_atomic(context, message);
    default:
      return message.order == AddressOrder::Block2d ? execute_block2d(context, message)
                                                    : execute_load_store(context, message);
  }
}

std::uint32_t source1_length(Platform platform, const Instruction& instruction,
                             const SendDescriptors& send) {
  if (instruction.source[1].is_null()) {
    return 0;
  }
  const SendFields& fields = instruction.send;
  const bool has_bindless = platform != Platform::Xe2 || send.function != SharedFunction::Ugm;
  const bool length_in_register = has_bindless && fields.extended_descriptor_in_register &&
                                  !fields.extended_bindless_offset;
  return length_in_register ? source1_length_of(send.extended) : fields.source1_length;
}

bool payloads_fit(const ThreadState& thread, const Instruction& instruction,
                  const SendDescriptors& send, std::uint32_t source1) {
  const std::uint32_t registers = register_count(thread);
  return instruction.source[0].file == RegisterFile::Grf &&
         fits(instruction.source[0], send.source0_length(), registers) &&
         fits(instruction.source[1], source1, registers) &&
         fits(instruction.destination, send.response_length(), registers);
}

DataMessage decode_data(Platform platform, const SendDescriptors& send) {
  switch (send.function) {
    case SharedFunction::Ugm:
    case SharedFunction::Ugml:
    case SharedFunction::Slm:
    case SharedFunction::Tgm:
      return decode_lsc(platform, send);
    case SharedFunction::Dc0:
    case SharedFunction::Dc1:
      return decode_hdc(platform, send);
    default:
      return {};
  }
}

// Decodes `send` unless it asks for what it asked for the last time. False: its payloads do not lie
// inside the register file.
bool plan_message(Platform platform, const ThreadState& thread, const Instruction& instruction,
                  const SendDescriptors& send) {
  MessagePlan& plan = instruction.plan.message;
  if (plan.decoded && plan.descriptor == send.descriptor && plan.extended == send.extended) {
    return true;
  }
  plan.decoded = false;
  plan.direct = nullptr;
  plan.descriptor = send.descriptor;
  plan.extended = send.extended;
  plan.source1_length = source1_length(platform, instruction, send);
  if (!payloads_fit(thread, instruction, send, plan.source1_length)) {
    return false;
  }
  plan.data = decode_data(platform, send);
  plan.direct = select_direct_transfer(instruction, platform);
  plan.decoded = true;
  return true;
}

MessageResult execute_function(const MessageContext& context) {
  switch (context.send.function) {
    case SharedFunction::Ugm:
    case SharedFunction::Ugml:
    case SharedFunction::Slm:
    case SharedFunction::Tgm:
    case SharedFunction::Dc0:
    case SharedFunction::Dc1:
      return execute_data(context, context.instruction.plan.message.data);
    case SharedFunction::Gateway:
      return execute_gateway(context);
    case SharedFunction::Sampler:
      return execute_sampler_message(context);
    default:
      return unsupported(context.send, "shared function not implemented");
  }
}

}  // namespace

SendDescriptors read_descriptors(const ThreadState& thread, const Instruction& instruction) {
  const SendFields& fields = instruction.send;
  return {
      .function = fields.function,
      .descriptor = fields.descriptor_in_register ? address_dword(thread, 0) : fields.descriptor,
      .extended = fields.extended_descriptor_in_register
                      ? address_dword(thread, fields.extended_descriptor_subregister)
                      : fields.extended_descriptor,
      .extended_in_register = fields.extended_descriptor_in_register,
      .extended_subregister = fields.extended_descriptor_subregister,
      .extended_bindless_offset = fields.extended_bindless_offset,
      .extended_offset = fields.extended_offset,
      .execution_size = instruction.execution_size,
  };
}

MessageResult unsupported(const SendDescriptors& send, const char* reason) {
  char descriptors[64];
  std::snprintf(descriptors, sizeof descriptors, " (desc 0x%08X, exdesc 0x%08X): ",
                send.descriptor, send.extended);
  return {.outcome = MessageOutcome::Unsupported,
          .fault = {},
          .report = "send " + message_name(send) + descriptors + reason};
}

bool synchronises(Platform platform, const ThreadState& thread, const Instruction& instruction) {
  const SendDescriptors send = read_descriptors(thread, instruction);
  if (send.function == SharedFunction::Gateway) {
    return !instruction.send.end_of_thread;
  }
  if (!plan_message(platform, thread, instruction, send)) {
    return false;
  }
  const DataOperation operation = instruction.plan.message.data.operation;
  return operation == DataOperation::Atomic || operation == DataOperation::Fence;
}

std::string describe_send(const ThreadState& thread, const Instruction& instruction) {
  return message_name(read_descriptors(thread, instruction));
}

MessageResult execute_send(Platform platform, ThreadState& thread, const Instruction& instruction,
                           std::uint32_t lanes, ThreadEnvironment& environment,
                           WindowCache& windows, Observer* observer,
                           const AccessWatch* watch) {
  const SendDescriptors send = read_descriptors(thread, instruction);
  if (!plan_message(platform, thread, instruction, send)) {
    return unsupported(send, "payload beyond the register file");
  }
  const MessageContext context{
      .platform = platform,
      .thread = thread,
      .instruction = instruction,
      .send = send,
      .slots = lanes >> instruction.channel_offset,
      .environment = environment,
      .windows = windows,
      .observer = observer,
      .watch = watch,
      .source1_length = instruction.plan.message.source1_length,
  };
  const bool end_of_thread = instruction.send.end_of_thread;
  if (end_of_thread && send.function == SharedFunction::Gateway) {
    return {.outcome = MessageOutcome::EndOfThread, .fault = {}, .report = {}};
  }
  MessageResult result = execute_function(context);
  if (end_of_thread && result.outcome == MessageOutcome::Done) {
    result.outcome = MessageOutcome::EndOfThread;
  }
  return result;
}

}  // namespace xesim::eu
