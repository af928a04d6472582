"""Why threads stop."""

from __future__ import annotations

from enum import Enum


class StopReason(Enum):
    """Why threads stopped; the values are those of the JSON view."""

    BREAKPOINT = "breakpoint"
    STEP = "step"
    INTERRUPT = "interrupt"
    PROGRAM_BREAKPOINT = "program-breakpoint"  # a breakpoint bit that the code brought along
    PAGE_FAULT = "page-fault"
    ILLEGAL_INSTRUCTION = "illegal-instruction"
    SOFTWARE_EXCEPTION = "software-exception"
    LAUNCH = "launch"
    MODULE_LOAD = "module-load"
    MODULE_UNLOAD = "module-unload"
    THREAD_ENDED = "thread-ended"
    WATCHPOINT = "watchpoint"
    WATCHPOINT_SCOPE = "watchpoint-scope"  # what was watched is gone, with its frame or thread
    TRAVEL = "travel"  # the device shows another time
    NO_HISTORY = "no-history"  # a move came to the first or the last time that can be shown

    # Each is one object; to hash its name would take longer than anything else that groups threads.
    __hash__ = object.__hash__
