"""Expressions of hovers and watches, and the debug console."""

from __future__ import annotations

from concurrent.futures import Future

from zedbg.commands.framework.declaration import Category
from zedbg.dwarf.types.program_types import FunctionType
from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.frontends.dap.protocol import types
from zedbg.frontends.dap.protocol.arguments import EvaluateArguments
from zedbg.frontends.dap.protocol.bodies import EvaluateBody
from zedbg.frontends.dap.protocol.events import BreakpointEvent
from zedbg.frontends.dap.protocol.message import Message
from zedbg.frontends.dap.requests.inspecting import view_of
from zedbg.frontends.dap.session.adapter import Adapter, NotStoppedError
from zedbg.frontends.dap.session.containers import KnownParts, shown
from zedbg.frontends.dap.session.errors import RequestError
from zedbg.frontends.dap.session.registry import Answer, Needs, request
from zedbg.frontends.dap.session.shown_breakpoints import shown_breakpoint
from zedbg.missing import Missing
from zedbg.values.expressions.api import Expression
from zedbg.values.typed.homes import MemoryHome
from zedbg.values.typed.value import Value

_CONSOLE = "repl"
_HOVER = "hover"


@request(
    "evaluate",
    Needs.SESSION,
    supports_evaluate_for_hovers=True,
    supports_clipboard_context=True,
)
def evaluate(adapter: Adapter, arguments: EvaluateArguments) -> Answer:
    """An expression in a frame's lane. In the console a command of the shell; what begins with no
    command's name is an expression there, too."""
    text = arguments.expression.strip()
    if arguments.context == _CONSOLE:
        if not text:
            return EvaluateBody(result="", variables_reference=0)
        declaration = adapter.console.declaration(text)
        if declaration is not None or text.startswith("#"):
            is_move = declaration is not None and declaration.category is Category.RUNNING
            return _command(adapter, arguments, text, is_move=is_move)
    adapter.require_stopped()
    with adapter.session.condition:
        return _value(adapter, arguments, text)


def _value(adapter: Adapter, arguments: EvaluateArguments, text: str) -> EvaluateBody:
    frame = adapter.frame_or_focus(arguments.frame_id)
    expression = Expression(text, frame.context.debug_info)
    if expression.assigns and arguments.context == _HOVER:
        raise RequestError("A hover changes nothing.")
    value = expression.evaluate(frame.context, [frame.lane]).first
    if isinstance(value, Missing) and KnownParts.of(frame, value, text) is None:
        raise RequestError(f"{text} has no value: {value.reason}.")
    if (
        isinstance(value, Value)
        and isinstance(value.type.stripped(), FunctionType)
        and arguments.context == _HOVER
    ):
        raise RequestError(f"{text} is a function.")
    view = view_of(adapter, frame.thread, hexadecimal=arguments.format.hex)
    variable = shown(text, value, text, frame, view)
    if expression.assigns and isinstance(value, Value):
        if isinstance(value.home, MemoryHome) and variable.memory_reference is not None:
            adapter.memory_changed(variable.memory_reference, 0, len(value.data))
        adapter.values_changed()
    return EvaluateBody(
        result=variable.value,
        variables_reference=variable.variables_reference,
        type=variable.type,
        named_variables=variable.named_variables,
        indexed_variables=variable.indexed_variables,
        memory_reference=variable.memory_reference,
    )


def _command(adapter: Adapter, arguments: EvaluateArguments, text: str, *, is_move: bool) -> Answer:
    if adapter.runner.is_busy:
        raise NotStoppedError
    if adapter.is_stopped and arguments.frame_id is not None:
        frame = adapter.frame(arguments.frame_id)
        adapter.select(frame.thread, frame.frame.level)
    if not is_move:
        with adapter.session.condition:
            return _carried_out(adapter, text)
    # It returns when the program stops; other requests are answered meanwhile.
    answer: Future[Message | None] = Future()

    def move() -> None:
        try:
            with adapter.progress(text):
                result = adapter.console.run(text)
        except RequestError as error:
            answer.set_exception(error)
        else:
            answer.set_result(EvaluateBody(result=result, variables_reference=0))

    adapter.move(move, by_console=True)
    return answer


def _carried_out(adapter: Adapter, text: str) -> EvaluateBody:
    """Carries out a command that runs nothing, and tells the client what it has changed."""
    session = adapter.session
    focus, before = session.focus, {each.number: each for each in session.breakpoints}
    try:
        with adapter.progress(text):
            result = adapter.console.run(text)
    finally:
        if session.focus != focus and session.focus is not None:
            adapter.focus_changed()
        _tell_breakpoints(adapter, before)
    if "=" in text:
        adapter.values_changed()
    return EvaluateBody(result=result, variables_reference=0)


def _tell_breakpoints(adapter: Adapter, before: dict[int, Breakpoint]) -> None:
    now = {each.number: each for each in adapter.session.breakpoints}
    for number in before.keys() - now.keys():
        gone = types.Breakpoint(verified=False, id=number)
        adapter.send(BreakpointEvent(reason="removed", breakpoint=gone))
    for number in now.keys() - before.keys():
        new = shown_breakpoint(adapter, now[number])
        adapter.send(BreakpointEvent(reason="new", breakpoint=new))
