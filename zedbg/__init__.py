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

from typing import TYPE_CHECKING

from zedbg.lazy_names import loaded_when_used

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
    from zedbg.values.expressions.lane_value import (
        LaneValue,
    )
    from zedbg.values.typed.evaluation_error import EvaluationError
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
_MODULES = {
    "AlreadyRunningError": "engine.engine_errors",
    "AttachError": "engine.engine_errors",
    "Breakpoint": "api.breakpoint",
    "BreakpointError": "engine.engine_errors",
    "Breakpoints": "api.breakpoints",
    "COMMAND_BREAKPOINTS": "commands.extending.plugin_command",
    "COMMAND_DATA": "commands.extending.plugin_command",
    "COMMAND_FILES": "commands.extending.plugin_command",
    "COMMAND_NONE": "commands.extending.plugin_command",
    "COMMAND_RUNNING": "commands.extending.plugin_command",
    "COMMAND_STACK": "commands.extending.plugin_command",
    "COMMAND_STATUS": "commands.extending.plugin_command",
    "COMMAND_SUPPORT": "commands.extending.plugin_command",
    "COMMAND_USER": "commands.extending.plugin_command",
    "COMPLETE_COMMAND": "commands.extending.plugin_command",
    "COMPLETE_EXPRESSION": "commands.extending.plugin_command",
    "COMPLETE_FILENAME": "commands.extending.plugin_command",
    "COMPLETE_LOCATION": "commands.extending.plugin_command",
    "COMPLETE_NONE": "commands.extending.plugin_command",
    "COMPLETE_SYMBOL": "commands.extending.plugin_command",
    "Command": "commands.extending.plugin_command",
    "CommandError": "commands.framework.command_errors",
    "ConditionError": "engine.engine_errors",
    "CoreFileError": "cores.core_file_error",
    "EndedError": "api.errors",
    "EngineError": "engine.engine_errors",
    "EvaluationError": "values.typed.evaluation_error",
    "Exited": "engine.process.exited",
    "Frame": "api.frames",
    "FrameDecorator": "commands.extending.frame_decorators",
    "Frames": "api.frames",
    "Function": "commands.extending.plugin_function",
    "Lane": "api.lanes",
    "LaneError": "engine.engine_errors",
    "LaneValue": "values.expressions.lane_value",
    "Lanes": "api.lanes",
    "LaunchError": "engine.engine_errors",
    "LevelZeroError": "levelzero.level_zero_errors",
    "Memory": "api.memory",
    "PrivateMemory": "api.memory",
    "Missing": "missing",
    "Module": "zebin",
    "NoDebuggableDevice": "levelzero.level_zero_errors",
    "NoThreadError": "engine.engine_errors",
    "NotRunningError": "engine.engine_errors",
    "NotStoppedError": "api.errors",
    "Origin": "api.origins",
    "PARAM_BOOLEAN": "commands.extending.plugin_parameter",
    "PARAM_ENUM": "commands.extending.plugin_parameter",
    "PARAM_STRING": "commands.extending.plugin_parameter",
    "PARAM_ZUINTEGER": "commands.extending.plugin_parameter",
    "Pane": "commands.extending.panes",
    "Parameter": "commands.extending.plugin_parameter",
    "PluginBreakpoint": "commands.extending.plugin_breakpoint",
    "ProgramRunsError": "engine.engine_errors",
    "Register": "api.registers",
    "Registers": "api.registers",
    "Session": "api.session",
    "Stop": "api.stops",
    "StopOverError": "api.errors",
    "StopReason": "engine.ground.stop_reason",
    "Thread": "api.stops",
    "TimeLimitError": "api.errors",
    "TimeTravelError": "engine.engine_errors",
    "UserError": "user_error",
    "Values": "api.values",
    "WorkItemValues": "api.values",
    "ZebinError": "zebin",
    "ZedbgWarning": "api.errors",
    "attach": "api.opening",
    "connect": "frontends.serving.client",
    "events": "commands.extending.plugin_events",
    "frame_decorator": "commands.extending.frame_decorators",
    "frame_filter": "commands.extending.frame_decorators",
    "launch": "api.opening",
    "open": "api.opening",
    "open_core": "api.opening",
    "parameter": "commands.extending.plugin_parameter",
    "printer": "commands.extending.printers",
    "type_printer": "commands.extending.printers",
}
__getattr__ = loaded_when_used(__name__, _MODULES)


def __dir__() -> list[str]:
    return [*__all__, "__doc__", "__version__"]
