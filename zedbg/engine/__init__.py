"""The session manager: sessions, devices, threads, events, stops, breakpoints, stepping."""

from zedbg.engine.breakpoints.breakpoint import Breakpoint, BreakpointLocation
from zedbg.engine.engine_errors import EngineError
from zedbg.engine.events.notifications import Notification, Subscription
from zedbg.engine.events.stops import Exited, Outcome, Stop, StopGroup, StoppedThread, StopReason
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.modules.locations import CodeLocation
from zedbg.engine.sessions.process import LaunchOptions
from zedbg.engine.sessions.session import Session
from zedbg.engine.sessions.session_state import SessionState
from zedbg.engine.threads.device import Device
from zedbg.engine.threads.focus import Focus
from zedbg.engine.threads.frames import Backtrace, Frame
from zedbg.engine.threads.thread import HardwareThread
from zedbg.engine.threads.thread_lanes import Lane, WorkItem
from zedbg.engine.threads.thread_registers import ThreadState

__all__ = [
    "Backtrace",
    "Breakpoint",
    "BreakpointLocation",
    "CodeLocation",
    "Device",
    "EngineError",
    "Exited",
    "Focus",
    "Frame",
    "HardwareThread",
    "Lane",
    "LaunchOptions",
    "LoadedModule",
    "Notification",
    "Outcome",
    "Session",
    "SessionState",
    "Stop",
    "StopGroup",
    "StopReason",
    "StoppedThread",
    "Subscription",
    "ThreadState",
    "WorkItem",
]
