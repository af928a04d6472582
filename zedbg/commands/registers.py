"""``info registers``: the register sets of the focused thread, as the selected frame has them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Requirement,
    builtin,
)
from zedbg.commands.framework.evaluation import expression_context
from zedbg.commands.framework.python_calls import focused_thread, quoted
from zedbg.commands.rows.row import Row, to_json
from zedbg.commands.rows.value_rows import RegisterRow
from zedbg.dwarf.frames.frame_state import FrameState
from zedbg.engine.threads.thread import HardwareThread
from zedbg.missing import MissingError
from zedbg.values.source.frame_context import frame_state
from zedbg.xe.register_fields import register_fields
from zedbg.xe.registers import (
    REGISTER_GROUPS,
    ElementType,
    Register,
    RegisterKind,
    default_element,
)

_POINTERS = ("pc", "ip")


def _in_python(context: CommandContext, invocation: Invocation) -> str:
    words = re.split(r"[\s,]+", (invocation.optional(0) or "").replace("$", "").strip())
    if context.frame_level or not all(Register.parse(each.partition(".")[0]) for each in words):
        return ""
    registers = f"{focused_thread(context)}.registers"
    return "\n".join(f"{registers}[{quoted(each)}].value" for each in words)


@builtin.command(
    "info registers",
    Category.STATUS,
    "Show registers of the focused thread, as the selected frame has them",
    arguments=(
        Argument(
            "registers",
            Kind.REGISTER,
            "names (r10, r10-r13, r10.f, cr0, acc0), or a group: grf, arf, virtual, all; "
            "default: pc and everything but the GRFs",
            optional=True,
            rest=True,
        ),
    ),
    requires=Requirement.STOPPED_THREAD,
    example="info registers r10.f cr0",
    description="A suffix chooses how a register is read: .ud .d .uw .w .ub .b .uq .q .f .hf .df\n"
    "What the bits of cr0, sr0, ce and the flags mean stands under them, where Intel documents it; "
    "not so most of sr0. In a terminal, * marks what differs from what was shown at an earlier "
    "stop.",
    python=_in_python,
)
def info_registers_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    state = frame_state(expression_context(context))
    words = re.split(r"[\s,]+", (invocation.optional(0) or "pc arf virtual").strip())
    rows: list[Row] = []
    frame = context.thread.id, context.frame_level
    for word in words:
        for row in _rows(context.thread, state, word.removeprefix("$")):
            changed = context.has_changed((frame, row.register), row.value)
            rows.append(replace(row, changed=changed))
    return rows


def _rows(thread: HardwareThread, state: FrameState, word: str) -> Iterable[RegisterRow]:
    if word in _POINTERS:
        value = state.pc if word == "pc" else state.pc - thread.isa_base
        return [RegisterRow(word, "pointer", value, 8 if word == "pc" else 4)]
    if word in REGISTER_GROUPS:
        layout = thread.register_layout
        return [_row(thread, state, each, None) for each in layout.registers(word)]
    match = re.fullmatch(r"([a-z]+)(\d+)-(?:[a-z]+)?(\d+)(?:\.(\w+))?", word)
    if match:
        names = [f"{match[1]}{number}" for number in range(int(match[2]), int(match[3]) + 1)]
        suffix = match[4]
    else:
        name, _, suffix = word.partition(".")
        names = [name]
    element = ElementType.from_suffix(suffix) if suffix else None
    if suffix and element is None:
        kinds = " ".join(each.suffix for each in ElementType)
        raise CommandError(f'"{suffix}" is not an element type: one of {kinds}.')
    return [_row(thread, state, _parse(name), element) for name in names]


def _parse(name: str) -> Register:
    register = Register.parse(name)
    if register is None:
        raise CommandError(f"Invalid register `{name}'")
    return register


def _row(
    thread: HardwareThread, state: FrameState, register: Register, element: ElementType | None
) -> RegisterRow:
    registers = thread.register_layout.get(register.kind)
    if registers is None or register.index >= registers.count:
        raise CommandError(f"Thread {thread.id} has no register {register.name}.")
    kind = register.kind.name.lower()
    try:
        data = state.register(register)
    except MissingError as error:
        value = to_json(error.missing)
        return RegisterRow(register.name, kind, value, registers.byte_size, None)
    elements = (element or default_element(register.kind)).unpack(data)
    number = elements[0] if len(elements) == 1 else tuple(elements)
    note, fields = _note(thread, register), _fields(thread, register, data)
    return RegisterRow(register.name, kind, number, registers.byte_size, note, fields)


def _fields(thread: HardwareThread, register: Register, data: bytes) -> dict[str, str | int]:
    """The meaning of its bits; that of r0 is ``info threads``'."""
    if register.kind is not RegisterKind.FLAG and register.index:
        return {}
    return register_fields(register.kind, thread.register_layout.platform, data)


def _note(thread: HardwareThread, register: Register) -> str | None:
    if register.kind is not RegisterKind.CR or register.index:
        return None
    return ", ".join(thread.control.bit_names()) or None


@builtin.command(
    "info all-registers",
    Category.STATUS,
    "Show all registers of the focused thread, as the selected frame has them",
    aliases=("info al",),
    arguments=(
        Argument(
            "registers",
            Kind.REGISTER,
            "as of info registers; default: pc and all of them",
            optional=True,
            rest=True,
        ),
    ),
    requires=Requirement.STOPPED_THREAD,
)
def info_all_registers_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    chosen = invocation.optional(0) or "pc all"
    return info_registers_command(context, Invocation(arguments=(chosen,)))
