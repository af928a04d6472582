"""The session manager: sessions, devices, threads, events, stops, breakpoints, stepping."""

from zedbg.engine.breakpoints import Breakpoint, BreakpointLocation
from zedbg.engine.device import Device
from zedbg.engine.errors import EngineError
from zedbg.engine.focus import Focus
from zedbg.engine.frames import Backtrace, Frame
from zedbg.engine.locations import CodeLocation
from zedbg.engine.modules import LoadedModule
from zedbg.engine.notifications import Notification, Subscription
from zedbg.engine.process import LaunchOptions
from zedbg.engine.session import Session
from zedbg.engine.session_state import SessionState
from zedbg.engine.stops import Exited, Outcome, Stop, StopGroup, StoppedThread, StopReason
from zedbg.engine.thread import HardwareThread
from zedbg.engine.thread_lanes import Lane, WorkItem
from zedbg.engine.thread_registers import ThreadState

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
