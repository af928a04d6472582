// Notes what the program makes and launches through Level Zero, and where from, for the debugger.
//
// The notes are in a file in memory that this process maps (/memfd:zedbg-host-calls), of a fixed
// size; pages that hold no note cost nothing. A note has the registers of the calling thread and the
// top of its stack, as profilers take them: the debugger unwinds it. Nothing waits for a debugger,
// and whatever fails, the program goes on. Only programs that zedbg starts have this library.
#pragma once

#include <level_zero/ze_api.h>

#include <cstddef>
#include <cstdint>

namespace zedbg::launch {

// As the debugger reads it: zedbg/host/host_calls.py.
enum class CallKind : std::uint32_t {
  kDeviceAllocation = 1,
  kHostAllocation = 2,
  kSharedAllocation = 3,
  kModule = 4,
  kKernel = 5,
  kLaunch = 6,
};

// What is noted of a call; which members count depends on `kind`.
struct Call {
  CallKind kind{};
  const void* handle = nullptr;  // what it makes: an address of memory, a handle; launched kernel
  std::uint64_t size = 0;        // of the memory, of the module's input; a kernel's arguments
  std::uint64_t alignment = 0;
  const void* device = nullptr;
  const void* parent = nullptr;  // context of memory, module of a kernel, command list of a launch
  const ze_group_count_t* groups = nullptr;  // none: the device reads them
  const char* name = nullptr;                // of a kernel
};

// Notes a call that made something, after it succeeded.
void note_made(const Call& call);

// What was made is gone, or (`gone` false) it is not after all.
void note_gone(CallKind kind, const void* handle, bool gone);

// The same of memory, whatever its kind.
void note_freed(const void* address, bool freed);

// Notes what the next launches of `kernel` have as argument `index`, after that succeeded. Without a
// `value` it is memory that the launch gets (__local).
void note_argument(ze_kernel_handle_t kernel, std::uint32_t index, std::size_t size,
                   const void* value);

// Notes all arguments of `kernel`, which a launch brings with it: an address of each.
void note_arguments(ze_kernel_handle_t kernel, void* const* values);

// Notes that launches which are in a list already become others (mutable command lists).
void note_change();

// Notes a launch of `kernel`, before it is made.
void note_launch(ze_kernel_handle_t kernel, ze_command_list_handle_t list,
                 const ze_group_count_t* groups);

}  // namespace zedbg::launch
