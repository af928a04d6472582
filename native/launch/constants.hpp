// Tells the debugger which values a program gives the specialization constants of its modules.
#pragma once

#include <level_zero/ze_api.h>

namespace zedbg::launch {

// Sends the debugger at $ZEDBG_HOLD_SOCKET the constants of each SPIR-V input of the module that
// `description` describes, and waits until it has them; a debugger that attaches later finds them in
// the process's record. Nothing of inputs without constants; whatever fails, the program goes on.
void tell_constants(const ze_module_desc_t* description);

}  // namespace zedbg::launch
