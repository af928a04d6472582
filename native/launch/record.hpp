// What a program said of its modules, kept in the program: a debugger that attaches later finds it.
#pragma once

#include <cstddef>

namespace zedbg::launch {

// Appends `size` bytes to the file /proc/PID/fd/N whose link is "/memfd:zedbg-constants (deleted)",
// which this process makes for itself with the first of them. Whatever fails, the program goes on.
void append_to_record(const void* data, std::size_t size);

}  // namespace zedbg::launch
