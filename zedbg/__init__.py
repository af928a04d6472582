"""zedbg: a debugger for Intel GPU programs over Level Zero.

Start or attach to a program, stop its kernels, and look at every work-item::

    import zedbg

    with zedbg.launch(["./app"], sim="dg2") as session:
        session.breakpoints.add("reduce.cl:31", condition="acc != acc")
        for stop in session.run():
            for thread in stop.threads:
                print(thread.work_group, thread.lanes.active, thread["acc"].lanes)
            grid = stop["value"].over_work_items()        # a NumPy array
            data = session.memory[pointer : pointer + 4096]

Ways in:  launch(arguments)  attach(pid)  open(module)  open_core(file)  connect(socket)
Classes:  Session, Stop, Thread, Lanes, Frame, Values, WorkItemValues, Memory, Registers,
          Breakpoint; a Missing stands where a value is not known, and says why
Errors:   all derive from UserError; what went wrong, and what to do, in one line
Plugins:  Command, Parameter, Function, PluginBreakpoint, printer, type_printer, events, Pane,
          FrameDecorator: docs/plugins.md

docs/python.md is the guide.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zedbg.api.breakpoint import Breakpoint
    from zedbg.api.breakpoints import Breakpoints
    from zedbg.api.errors import (
        EndedError,
        NotStoppedError,
        StopOverError,
        TimeLimitError,
        ZedbgWarning,
    )
    from zedbg.api.frames import Frame, Frames
    from zedbg.api.lanes import Lane, Lanes
    from zedbg.api.memory import Memory, PrivateMemory
    from zedbg.api.opening import attach, launch, open, open_core
    from zedbg.api.origins import Origin
    from zedbg.api.registers import Register, Registers
    from zedbg.api.session import Session
    from zedbg.api.stops import Stop, Thread
    from zedbg.api.values import Values, WorkItemValues
    from zedbg.commands.extending.frame_decorators import (
        FrameDecorator,
        frame_decorator,
        frame_filter,
    )
    from zedbg.commands.extending.panes import (
        Pane,
    )
    from zedbg.commands.extending.plugin_breakpoint import (
        PluginBreakpoint,
    )
    from zedbg.commands.extending.plugin_command import (
        COMMAND_BREAKPOINTS,
        COMMAND_DATA,
        COMMAND_FILES,
        COMMAND_NONE,
        COMMAND_RUNNING,
        COMMAND_STACK,
        COMMAND_STATUS,
        COMMAND_SUPPORT,
        COMMAND_USER,
        COMPLETE_COMMAND,
        COMPLETE_EXPRESSION,
        COMPLETE_FILENAME,
        COMPLETE_LOCATION,
        COMPLETE_NONE,
        COMPLETE_SYMBOL,
        Command,
    )
    from zedbg.commands.extending.plugin_events import events
    from zedbg.commands.extending.plugin_function import (
        Function,
    )
    from zedbg.commands.extending.plugin_parameter import (
        PARAM_BOOLEAN,
        PARAM_ENUM,
        PARAM_STRING,
        PARAM_ZUINTEGER,
        Parameter,
        parameter,
    )
    from zedbg.commands.extending.printers import (
        printer,
        type_printer,
    )
    from zedbg.commands.framework.command_errors import CommandError
    from zedbg.cores.core_file_error import CoreFileError
    from zedbg.engine.engine_errors import (
        AlreadyRunningError,
        AttachError,
        BreakpointError,
        ConditionError,
        EngineError,
        LaneError,
        LaunchError,
        NoThreadError,
        NotRunningError,
        ProgramRunsError,
        TimeTravelError,
    )
    from zedbg.engine.ground.stop_reason import StopReason
    from zedbg.engine.process.exited import Exited
    from zedbg.frontends.serving.client import connect
    from zedbg.levelzero.level_zero_errors import LevelZeroError, NoDebuggableDevice
    from zedbg.missing import Missing
    from zedbg.user_error import UserError
    from zedbg.values.evaluation_error import EvaluationError
    from zedbg.values.lane_value import (
        LaneValue,
    )
    from zedbg.zebin import Module, ZebinError

__version__ = "0.1.0"
__all__ = [
    "COMMAND_BREAKPOINTS",
    "COMMAND_DATA",
    "COMMAND_FILES",
    "COMMAND_NONE",
    "COMMAND_RUNNING",
    "COMMAND_STACK",
    "COMMAND_STATUS",
    "COMMAND_SUPPORT",
    "COMMAND_USER",
    "COMPLETE_COMMAND",
    "COMPLETE_EXPRESSION",
    "COMPLETE_FILENAME",
    "COMPLETE_LOCATION",
    "COMPLETE_NONE",
    "COMPLETE_SYMBOL",
    "PARAM_BOOLEAN",
    "PARAM_ENUM",
    "PARAM_STRING",
    "PARAM_ZUINTEGER",
    "AlreadyRunningError",
    "AttachError",
    "Breakpoint",
    "BreakpointError",
    "Breakpoints",
    "Command",
    "CommandError",
    "ConditionError",
    "CoreFileError",
    "EndedError",
    "EngineError",
    "EvaluationError",
    "Exited",
    "Frame",
    "FrameDecorator",
    "Frames",
    "Function",
    "Lane",
    "LaneError",
    "LaneValue",
    "Lanes",
    "LaunchError",
    "LevelZeroError",
    "Memory",
    "Missing",
    "Module",
    "NoDebuggableDevice",
    "NoThreadError",
    "NotRunningError",
    "NotStoppedError",
    "Origin",
    "Pane",
    "Parameter",
    "PluginBreakpoint",
    "PrivateMemory",
    "ProgramRunsError",
    "Register",
    "Registers",
    "Session",
    "Stop",
    "StopOverError",
    "StopReason",
    "Thread",
    "TimeLimitError",
    "TimeTravelError",
    "UserError",
    "Values",
    "WorkItemValues",
    "ZebinError",
    "ZedbgWarning",
    "attach",
    "connect",
    "events",
    "frame_decorator",
    "frame_filter",
    "launch",
    "open",
    "open_core",
    "parameter",
    "printer",
    "type_printer",
]
# Where each name is defined: it is loaded when it is first used.
_HOMES = {
    "AlreadyRunningError": "zedbg.engine.engine_errors",
    "AttachError": "zedbg.engine.engine_errors",
    "Breakpoint": "zedbg.api.breakpoint",
    "BreakpointError": "zedbg.engine.engine_errors",
    "Breakpoints": "zedbg.api.breakpoints",
    "COMMAND_BREAKPOINTS": "zedbg.commands.extending.plugin_command",
    "COMMAND_DATA": "zedbg.commands.extending.plugin_command",
    "COMMAND_FILES": "zedbg.commands.extending.plugin_command",
    "COMMAND_NONE": "zedbg.commands.extending.plugin_command",
    "COMMAND_RUNNING": "zedbg.commands.extending.plugin_command",
    "COMMAND_STACK": "zedbg.commands.extending.plugin_command",
    "COMMAND_STATUS": "zedbg.commands.extending.plugin_command",
    "COMMAND_SUPPORT": "zedbg.commands.extending.plugin_command",
    "COMMAND_USER": "zedbg.commands.extending.plugin_command",
    "COMPLETE_COMMAND": "zedbg.commands.extending.plugin_command",
    "COMPLETE_EXPRESSION": "zedbg.commands.extending.plugin_command",
    "COMPLETE_FILENAME": "zedbg.commands.extending.plugin_command",
    "COMPLETE_LOCATION": "zedbg.commands.extending.plugin_command",
    "COMPLETE_NONE": "zedbg.commands.extending.plugin_command",
    "COMPLETE_SYMBOL": "zedbg.commands.extending.plugin_command",
    "Command": "zedbg.commands.extending.plugin_command",
    "CommandError": "zedbg.commands.framework.command_errors",
    "ConditionError": "zedbg.engine.engine_errors",
    "CoreFileError": "zedbg.cores.core_file_error",
    "EndedError": "zedbg.api.errors",
    "EngineError": "zedbg.engine.engine_errors",
    "EvaluationError": "zedbg.values.evaluation_error",
    "Exited": "zedbg.engine.process.exited",
    "Frame": "zedbg.api.frames",
    "FrameDecorator": "zedbg.commands.extending.frame_decorators",
    "Frames": "zedbg.api.frames",
    "Function": "zedbg.commands.extending.plugin_function",
    "Lane": "zedbg.api.lanes",
    "LaneError": "zedbg.engine.engine_errors",
    "LaneValue": "zedbg.values.lane_value",
    "Lanes": "zedbg.api.lanes",
    "LaunchError": "zedbg.engine.engine_errors",
    "LevelZeroError": "zedbg.levelzero.level_zero_errors",
    "Memory": "zedbg.api.memory",
    "PrivateMemory": "zedbg.api.memory",
    "Missing": "zedbg.missing",
    "Module": "zedbg.zebin",
    "NoDebuggableDevice": "zedbg.levelzero.level_zero_errors",
    "NoThreadError": "zedbg.engine.engine_errors",
    "NotRunningError": "zedbg.engine.engine_errors",
    "NotStoppedError": "zedbg.api.errors",
    "Origin": "zedbg.api.origins",
    "PARAM_BOOLEAN": "zedbg.commands.extending.plugin_parameter",
    "PARAM_ENUM": "zedbg.commands.extending.plugin_parameter",
    "PARAM_STRING": "zedbg.commands.extending.plugin_parameter",
    "PARAM_ZUINTEGER": "zedbg.commands.extending.plugin_parameter",
    "Pane": "zedbg.commands.extending.panes",
    "Parameter": "zedbg.commands.extending.plugin_parameter",
    "PluginBreakpoint": "zedbg.commands.extending.plugin_breakpoint",
    "ProgramRunsError": "zedbg.engine.engine_errors",
    "Register": "zedbg.api.registers",
    "Registers": "zedbg.api.registers",
    "Session": "zedbg.api.session",
    "Stop": "zedbg.api.stops",
    "StopOverError": "zedbg.api.errors",
    "StopReason": "zedbg.engine.ground.stop_reason",
    "Thread": "zedbg.api.stops",
    "TimeLimitError": "zedbg.api.errors",
    "TimeTravelError": "zedbg.engine.engine_errors",
    "UserError": "zedbg.user_error",
    "Values": "zedbg.api.values",
    "WorkItemValues": "zedbg.api.values",
    "ZebinError": "zedbg.zebin",
    "ZedbgWarning": "zedbg.api.errors",
    "attach": "zedbg.api.opening",
    "connect": "zedbg.frontends.serving.client",
    "events": "zedbg.commands.extending.plugin_events",
    "frame_decorator": "zedbg.commands.extending.frame_decorators",
    "frame_filter": "zedbg.commands.extending.frame_decorators",
    "launch": "zedbg.api.opening",
    "open": "zedbg.api.opening",
    "open_core": "zedbg.api.opening",
    "parameter": "zedbg.commands.extending.plugin_parameter",
    "printer": "zedbg.commands.extending.printers",
    "type_printer": "zedbg.commands.extending.printers",
}


def __getattr__(name: str) -> object:
    # On demand: most of zedbg (inspecting files, completing command lines) needs no loader.
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'zedbg' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return [*__all__, "__doc__", "__version__"]
