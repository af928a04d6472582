#include "debug/request_handler.hpp"

#include <level_zero/zet_api.h>

#include <algorithm>
#include <span>

#include "debug/memory_access.hpp"
#include "debug/register_access.hpp"
#include "debug/register_sets.hpp"

namespace xesim::debug {

namespace {

wire::Reply reply(ze_result_t result) { return {static_cast<std::uint32_t>(result), {}}; }

// The set that a request names, if its registers lie inside it.
template <class Request>
const RegisterSet* named_set(eu::Platform platform, const Request& request) {
  const RegisterSet* set = find_register_set(platform, request.type);
  if (set == nullptr || request.start > set->limit || request.count > set->limit - request.start) {
    return nullptr;
  }
  return set;
}

}  // namespace

std::optional<wire::Reply> RequestHandler::answer(const Frame& frame) {
  const auto decoded = [&]<class Message>(std::optional<Message> message) -> Answer {
    return message ? answer(*message) : std::nullopt;
  };
  switch (frame.kind) {
    case wire::Kind::ReadMemory:
      return decoded(wire::decode<wire::ReadMemory>(frame.payload));
    case wire::Kind::WriteMemory:
      return decoded(wire::decode<wire::WriteMemory>(frame.payload));
    case wire::Kind::ReadRegisters:
      return decoded(wire::decode<wire::ReadRegisters>(frame.payload));
    case wire::Kind::Resume:
      return decoded(wire::decode<wire::Resume>(frame.payload));
    case wire::Kind::ReadExceptionReason:
      return decoded(wire::decode<wire::ReadExceptionReason>(frame.payload));
    default:
      return std::nullopt;
  }
}

bool RequestHandler::is_thread(std::uint32_t ordinal) const {
  return ordinal < device_.topology().thread_count();
}

device::HardwareThread* RequestHandler::stopped_thread(std::uint32_t ordinal) {
  if (!is_thread(ordinal)) return nullptr;
  if (past_.in_past()) return past_.find_thread(ordinal);
  auto* thread = device_.find_thread(device::thread_id(device_.topology(), ordinal));
  return thread != nullptr && thread->run == device::ThreadRun::Stopped ? thread : nullptr;
}

RequestHandler::Answer RequestHandler::answer(const wire::ReadMemory& request) {
  if (request.size > wire::kMaximumTransfer || request.size > request.whole) return std::nullopt;
  const auto pause = device_.pause();
  const bool through_all = request.thread == wire::kNoThread;
  const auto* thread = through_all ? nullptr : stopped_thread(request.thread);
  if (!through_all && thread == nullptr) return reply(ZE_RESULT_ERROR_NOT_AVAILABLE);
  if (request.size == 0) return reply(ZE_RESULT_SUCCESS);

  std::vector<std::byte> data(request.size);
  const MemoryRange range{request.address, request.whole};
  ze_result_t result = ZE_RESULT_ERROR_INVALID_ARGUMENT;
  if (request.space == ZET_DEBUG_MEMORY_SPACE_TYPE_DEFAULT) {
    const std::lock_guard lock(modules_mutex_);
    result = past_.in_past()
                 ? read_past_memory(past_.memory(), modules_, through_all, range, data)
                 : read_default_memory(device_, modules_, through_all, range, data);
  } else if (request.space == ZET_DEBUG_MEMORY_SPACE_TYPE_SLM && thread != nullptr) {
    result = read_shared_local_memory(*thread, range, data);
  }
  if (result != ZE_RESULT_SUCCESS) return reply(result);
  return wire::Reply{ZE_RESULT_SUCCESS, std::move(data)};
}

RequestHandler::Answer RequestHandler::answer(const wire::WriteMemory& request) {
  if (request.data.size() > wire::kMaximumTransfer || request.data.size() > request.whole) {
    return std::nullopt;
  }
  const auto pause = device_.pause();
  if (past_.in_past()) return reply(ZE_RESULT_ERROR_NOT_AVAILABLE);
  const bool through_all = request.thread == wire::kNoThread;
  auto* thread = through_all ? nullptr : stopped_thread(request.thread);
  if (!through_all && thread == nullptr) return reply(ZE_RESULT_ERROR_NOT_AVAILABLE);
  if (request.data.empty()) return reply(ZE_RESULT_SUCCESS);

  const MemoryRange range{request.address, request.whole};
  if (request.space == ZET_DEBUG_MEMORY_SPACE_TYPE_DEFAULT) {
    breakpoints_.note(device_, request.address, request.data);
    return reply(write_default_memory(device_, through_all, range, request.data));
  }
  if (request.space == ZET_DEBUG_MEMORY_SPACE_TYPE_SLM && thread != nullptr) {
    return reply(write_shared_local_memory(device_, *thread, range, request.data));
  }
  return reply(ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

RequestHandler::Answer RequestHandler::answer(const wire::ReadRegisters& request) {
  const RegisterSet* set = named_set(device_.topology().platform, request);
  if (set == nullptr || request.following > wire::kMaximumFollowing) return std::nullopt;
  const auto pause = device_.pause();
  wire::Reply answer{ZE_RESULT_SUCCESS, {}};
  for (std::uint32_t number = 0; number <= request.following; ++number) {
    const auto* thread = stopped_thread(request.thread + number);
    if (thread == nullptr && number == 0) return reply(ZE_RESULT_ERROR_NOT_AVAILABLE);
    if (thread == nullptr) break;
    const auto data = read_registers(device_, *thread, *set, request.start, request.count);
    answer.data.insert(answer.data.end(), data.begin(), data.end());
  }
  return answer;
}

bool RequestHandler::write_registers(const Frame& frame) {
  const auto request = wire::decode<wire::WriteRegisters>(frame.payload);
  if (!request) return false;
  const RegisterSet* set = named_set(device_.topology().platform, *request);
  if (set == nullptr || !set->writeable || request->data.size() != request->count * set->bytes) {
    return false;
  }
  const auto pause = device_.pause();
  if (past_.in_past()) return true;  // the session did not know yet
  if (auto* thread = stopped_thread(request->thread)) {
    device_.change(*thread, [set, start = request->start,
                             data = request->data](device::HardwareThread& changed) {
      debug::write_registers(changed, *set, start, data);
    });
  }
  return true;
}

void RequestHandler::forget_breakpoints(bool undo) {
  const auto pause = device_.pause();
  if (undo) {
    breakpoints_.undo(device_);
  } else {
    breakpoints_.forget();
  }
}

RequestHandler::Answer RequestHandler::answer(const wire::Resume& request) {
  const auto known = [this](std::uint32_t ordinal) { return is_thread(ordinal); };
  if (!std::ranges::all_of(request.threads, known)) return std::nullopt;
  const bool resumed = !past_.in_past() && threads_.resume(request.threads);
  return reply(resumed ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_NOT_AVAILABLE);
}

RequestHandler::Answer RequestHandler::answer(const wire::ReadExceptionReason& request) {
  const auto pause = device_.pause();
  const auto* thread = stopped_thread(request.thread);
  if (thread == nullptr) return reply(ZE_RESULT_ERROR_NOT_AVAILABLE);
  // A thread that went on and stopped for something else may still have the text of before.
  const bool holds = (thread->state.control[1] & eu::cr0::kIllegalOpcode) != 0;
  const auto text = std::as_bytes(std::span(thread->report));
  const auto said = text.first(holds ? std::min<std::size_t>(text.size(), wire::kMaximumReason) : 0);
  return wire::Reply{ZE_RESULT_SUCCESS, {said.begin(), said.end()}};
}

}  // namespace xesim::debug
