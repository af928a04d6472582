// Holds this process until the debugger has attached to it.
#pragma once

namespace zedbg::launch {

// Sends the debugger at $ZEDBG_HOLD_SOCKET this process's id, and waits for its answer, or for
// the end of the connection. Once per process; returns at once in every other case. Whatever fails,
// the program goes on.
void hold_once();

}  // namespace zedbg::launch
