"""Scopes and variables of a frame."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from zedbg.commands.framework.evaluation import format_options, shown_type
from zedbg.engine.memory.shared_local import shared_local_size
from zedbg.engine.threads.thread import HardwareThread
from zedbg.frontends.dap.protocol.arguments import (
    FrameArguments,
    SetExpressionArguments,
    SetVariableArguments,
    VariablesArguments,
)
from zedbg.frontends.dap.protocol.bodies import ScopesBody, SetValueBody, VariablesBody
from zedbg.frontends.dap.protocol.types import Scope, Variable
from zedbg.frontends.dap.session.adapter import Adapter
from zedbg.frontends.dap.session.containers import Container, Page, View, shown
from zedbg.frontends.dap.session.errors import RequestError
from zedbg.frontends.dap.session.frames import FrameReference
from zedbg.frontends.dap.session.memory_references import reference
from zedbg.frontends.dap.session.registry import Answer, request
from zedbg.frontends.dap.session.scope_contents import (
    FrameVariables,
    Lanes,
    PassedArguments,
    RegisterGroups,
    SharedLocalMemory,
    WorkItemFacts,
)
from zedbg.values.typed.homes import MemoryHome
from zedbg.values.typed.value import Value


def view_of(adapter: Adapter, thread: HardwareThread, *, hexadecimal: bool = False) -> View:
    """How ``adapter`` shows values of ``thread``: as the shell does, with the pretty-printers of
    plugins."""
    context = adapter.console.context
    options = replace(format_options(context, "x" if hexadecimal else "", thread), pretty=False)
    types = partial(shown_type, context)
    return View(adapter.references.add, options, types, adapter.check_cancelled)


@request("scopes")
def scopes(adapter: Adapter, arguments: FrameArguments) -> Answer:
    """The groups of variables of a frame; shared local memory where the kernel has any."""
    frame = adapter.frame(arguments.frame_id)
    found = []
    if frame.context.debug_info is not None:
        found.append(_scope(adapter, "Arguments", FrameVariables(frame, True), "arguments"))
        found.append(_scope(adapter, "Locals", FrameVariables(frame, False), "locals"))
    else:
        found.append(_scope(adapter, "Arguments", PassedArguments(frame), "arguments"))
    found.append(_scope(adapter, "Lanes", Lanes(frame), expensive=True))
    found.append(_scope(adapter, "Work-item", WorkItemFacts(frame), expensive=True))
    found.append(_scope(adapter, "Registers", RegisterGroups(frame), "registers", expensive=True))
    size = shared_local_size(frame.thread)
    if size:
        memory = SharedLocalMemory(frame, size)
        found.append(_scope(adapter, "Shared local memory", memory, expensive=True))
    return ScopesBody(scopes=found)


def _scope(
    adapter: Adapter,
    name: str,
    container: Container,
    hint: str | None = None,
    *,
    expensive: bool = False,
) -> Scope:
    return Scope(
        name=name,
        variables_reference=adapter.references.add(container),
        expensive=expensive,
        presentation_hint=hint,
        named_variables=container.named,
        indexed_variables=container.indexed,
    )


@request("variables")
def variables(adapter: Adapter, arguments: VariablesArguments) -> Answer:
    """The variables of a scope, or the parts of a value; a page of them when asked so."""
    container = adapter.references.get(arguments.variables_reference, Container)  # type: ignore[type-abstract]
    if arguments.filter == "named" and container.indexed is not None:
        return VariablesBody(variables=[])
    if arguments.filter == "indexed" and container.indexed is None:
        return VariablesBody(variables=[])
    view = view_of(adapter, container.frame.thread, hexadecimal=arguments.format.hex)
    page = Page(arguments.start, arguments.count)
    return VariablesBody(variables=list(container.variables(view, page)))


@request("setVariable", supports_set_variable=True)
def set_variable(adapter: Adapter, arguments: SetVariableArguments) -> Answer:
    """Gives a variable, or a part of one, another value; RequestError for what has no place."""
    container = adapter.references.get(arguments.variables_reference, Container)  # type: ignore[type-abstract]
    expression = container.expression(arguments.name)
    if expression is None:
        raise RequestError(f"{arguments.name} cannot be changed.")
    hexadecimal = arguments.format.hex
    return assigned(adapter, container.frame, expression, arguments.value, hexadecimal=hexadecimal)


@request("setExpression", supports_set_expression=True)
def set_expression(adapter: Adapter, arguments: SetExpressionArguments) -> Answer:
    """Gives what an expression names another value."""
    frame = adapter.frame_or_focus(arguments.frame_id)
    hexadecimal = arguments.format.hex
    return assigned(adapter, frame, arguments.expression, arguments.value, hexadecimal=hexadecimal)


def assigned(
    adapter: Adapter, frame: FrameReference, target: str, value: str, *, hexadecimal: bool
) -> SetValueBody:
    """Assigns in the frame's lane; what ``target`` is then. EvaluationError when it cannot be."""
    frame.evaluate(f"{target} = ({value})")
    now = frame.evaluate(target)
    variable: Variable = shown(
        target, now, target, frame, view_of(adapter, frame.thread, hexadecimal=hexadecimal)
    )
    if isinstance(now, Value) and isinstance(now.home, MemoryHome):
        written = reference(now.home.space, now.home.address, frame.thread)
        adapter.memory_changed(written, 0, len(now.data))
    return SetValueBody(
        value=variable.value,
        type=variable.type,
        variables_reference=variable.variables_reference,
        named_variables=variable.named_variables,
        indexed_variables=variable.indexed_variables,
        memory_reference=variable.memory_reference,
    )
