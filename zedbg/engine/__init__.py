"""The session manager: sessions, devices, threads, events, stops, breakpoints, stepping.

The classes that scripts name are attributes of the package, loaded when used; modules of zedbg
import from the modules that define them.
"""

from __future__ import annotations

from zedbg.lazy_names import loaded_when_used

_MODULES = {
    "Backtrace": "threads.frames",
    "Breakpoint": "breakpoints.breakpoint",
    "BreakpointLocation": "breakpoints.breakpoint",
    "CodeLocation": "modules.locations",
    "Device": "threads.device",
    "EngineError": "engine_errors",
    "Exited": "process.exited",
    "Focus": "threads.focus",
    "Frame": "threads.frames",
    "HardwareThread": "threads.thread",
    "Lane": "threads.thread",
    "LaunchOptions": "process.process",
    "LoadedModule": "modules.loaded_module",
    "Notification": "ground.notifications",
    "Outcome": "events.stops",
    "Session": "sessions.session",
    "SessionState": "ground.session_state",
    "Stop": "events.stops",
    "StopGroup": "events.stops",
    "StopReason": "ground.stop_reason",
    "StoppedThread": "events.stops",
    "Subscription": "ground.notifications",
    "ThreadState": "threads.thread_registers",
    "WorkItem": "threads.thread",
}
__getattr__ = loaded_when_used(__name__, _MODULES)
