"""What the scopes of a frame contain: variables, lanes, the work-item, registers, local memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.engine.memory.argument_values import argument_value
from zedbg.frontends.dap.protocol.types import PresentationHint, Variable
from zedbg.frontends.dap.session.containers import Container, Page, View, shown
from zedbg.frontends.dap.session.frames import FrameReference
from zedbg.frontends.dap.session.memory_references import reference
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.values.expressions import api
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.value import Value
from zedbg.xe.registers import REGISTER_GROUPS, Register
from zedbg.zebin.arguments import ArgumentKind, kernel_arguments

_WORD = 4  # bytes


@dataclass(frozen=True)
class FrameVariables(Container):
    """The arguments of a frame, or its other variables; with ``parameters`` None both."""

    frame: FrameReference
    parameters: bool | None

    def variables(self, view: View, page: Page) -> Iterator[Variable]:
        found = list(api.variables(self.frame.context, [self.frame.lane], self.parameters))
        for index in page.of(len(found)):
            one = found[index]
            name = one.variable.name
            declared = view.type_name(one.variable.type)
            yield shown(name, one.values.first, name, self.frame, view, declared)

    def expression(self, name: str) -> str | None:
        return name


@dataclass(frozen=True)
class PassedArguments(Container):
    """The arguments of a kernel without debug information, as the host passed them."""

    frame: FrameReference

    def variables(self, view: View, page: Page) -> Iterator[Variable]:
        thread = self.frame.thread
        kernel = thread.kernel
        if kernel is None or kernel.info is None:
            return
        arguments = kernel_arguments(kernel.info)
        for index in page.of(len(arguments)):
            view.check()
            argument = arguments[index]
            value = argument_value(thread, argument)
            is_address = argument.kind is not ArgumentKind.VALUE and isinstance(value, int)
            text = (
                f"{value:#x}" if is_address or (view.hex and isinstance(value, int)) else str(value)
            )
            yield Variable(
                name=argument.name or f"argument {argument.index}",
                value=text,
                variables_reference=0,
                type=argument.type_name,
                presentation_hint=PresentationHint(attributes=["readOnly"]),
                memory_reference=text if is_address else None,
            )


@dataclass(frozen=True)
class Lanes(Container):
    """The lanes of a thread, each with the variables of the frame as it sees them."""

    frame: FrameReference

    @property
    def indexed(self) -> int | None:
        return self.frame.context.simd_width

    def variables(self, view: View, page: Page) -> Iterator[Variable]:
        context = self.frame.context
        active, dispatched = context.active_lanes, context.dispatch_lanes
        ids = context.global_ids()
        has_variables = context.debug_info is not None
        for lane in page.of(context.simd_width):
            view.check()
            there = dispatched >> lane & 1
            state = "active" if active >> lane & 1 else "inactive" if there else "no work-item"
            where = (
                "" if isinstance(ids, Missing) or not there else "({},{},{}) ".format(*ids[lane])
            )
            inner = FrameVariables(self.frame.in_lane(lane), None)
            yield Variable(
                name=f"[{lane}]",
                value=f"{where}{state}",
                variables_reference=view.add(inner) if there and has_variables else 0,
                presentation_hint=PresentationHint(attributes=["readOnly"]),
            )


#: What the scope of the work-item shows, and the expression of each.
_WORK_ITEM = {
    "global id": "$_workitem_global_id",
    "local id": "$_workitem_local_id",
    "work-group": "$_workgroup",
    "local size": "$_workitem_local_size",
    "global size": "$_workitem_global_size",
    "kernel": "$_kernel",
    "lane": "$_simd_lane",
    "SIMD width": "$_simd_width",
}


@dataclass(frozen=True)
class WorkItemFacts(Container):
    """Which work-item the lane executes, and where it is in the launch."""

    frame: FrameReference

    @property
    def named(self) -> int | None:
        return len(_WORK_ITEM) + 1

    def variables(self, view: View, page: Page) -> Iterator[Variable]:
        names = [*_WORK_ITEM, "hardware thread"]
        for index in page.of(len(names)):
            name = names[index]
            expression = _WORK_ITEM.get(name)
            if expression is None:
                thread = self.frame.thread
                yield Variable(
                    name=name, value=f"{thread.id} ({thread.name})", variables_reference=0
                )
                continue
            yield shown(name, _value(self.frame, expression), expression, self.frame, view)


def _value(frame: FrameReference, expression: str) -> Value | Missing:
    try:
        return frame.evaluate(expression)
    except (EvaluationError, LevelZeroError) as error:
        return Missing(error.line.removesuffix("."))


@dataclass(frozen=True)
class RegisterGroups(Container):
    """The register sets of a thread: the general ones, the architecture's, the base addresses."""

    frame: FrameReference

    @property
    def named(self) -> int | None:
        return len(self._groups)

    @property
    def _groups(self) -> list[tuple[str, list[Register]]]:
        layout = self.frame.thread.register_layout
        titles = {"grf": "general", "arf": "architecture", "virtual": "base addresses"}
        found = [(title, layout.registers(group)) for group, title in titles.items()]
        assert titles.keys() <= REGISTER_GROUPS.keys()
        return [each for each in found if each[1]]

    def variables(self, view: View, page: Page) -> Iterator[Variable]:
        groups = self._groups
        for index in page.of(len(groups)):
            title, registers = groups[index]
            yield Variable(
                name=title,
                value=f"{registers[0].name}-{registers[-1].name}",
                variables_reference=view.add(Registers(self.frame, tuple(registers))),
                named_variables=len(registers),
            )


@dataclass(frozen=True)
class Registers(Container):
    """Registers of a thread, as the frame has them."""

    frame: FrameReference
    registers: Sequence[Register]

    @property
    def named(self) -> int | None:
        return len(self.registers)

    def variables(self, view: View, page: Page) -> Iterator[Variable]:
        for index in page.of(len(self.registers)):
            name = self.registers[index].name
            yield shown(name, _value(self.frame, f"${name}"), f"${name}", self.frame, view)

    def expression(self, name: str) -> str | None:
        return f"${name}"


@dataclass(frozen=True)
class SharedLocalMemory(Container):
    """The shared local memory of the thread's work-group, in words of 4 bytes."""

    frame: FrameReference
    size: int

    @property
    def indexed(self) -> int | None:
        return self.size // _WORD

    def variables(self, view: View, page: Page) -> Iterator[Variable]:
        thread = self.frame.thread
        wanted = page.of(self.size // _WORD)
        if not wanted:
            return
        first = wanted.start * _WORD
        data = thread.read_memory(MemorySpace.SLM, first, len(wanted) * _WORD)
        for index in wanted:
            view.check()
            word = data[index * _WORD - first :][:_WORD]
            number = int.from_bytes(word, "little")
            yield Variable(
                name=f"[{index * _WORD:#06x}]",
                value=f"{number:#010x}",
                variables_reference=0,
                type="4 bytes",
                presentation_hint=PresentationHint(attributes=["readOnly"]),
                memory_reference=reference(MemorySpace.SLM, index * _WORD, thread),
            )
