"""``x``: memory, in GDB's formats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from zedbg.commands.code import instruction_rows
from zedbg.commands.describe.host_code import (
    LONGEST_OF_HOST,
    host_code,
    host_instruction_rows,
)
from zedbg.commands.describe.places import place_of
from zedbg.commands.framework.command_errors import CommandError, PartialResult
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Repeat,
    Requirement,
    builtin,
)
from zedbg.commands.framework.evaluation import expression_context, format_options, module_namer
from zedbg.commands.framework.remembered import Examined
from zedbg.commands.rows.row import Row
from zedbg.commands.rows.session_rows import InstructionRow
from zedbg.commands.rows.value_rows import MemoryRow
from zedbg.dwarf.types.program_types import VOID
from zedbg.values.formats.examine import ExamineFormat, examine
from zedbg.values.operands.pointers import pointer_to
from zedbg.values.typed.homes import MemoryHome
from zedbg.values.typed.value import Value

_INSTRUCTION_BYTES = 16


@builtin.command(
    "x",
    Category.DATA,
    "Examine memory",
    arguments=(
        Argument(
            "address",
            Kind.EXPRESSION,
            "address, or @slm OFFSET for shared local memory; default: after the last address "
            "that was shown",
            optional=True,
            rest=True,
        ),
    ),
    flags="FMT",
    requires=Requirement.STOPPED_THREAD,
    example="x/8xw in",
    description="FMT is a count, a format (x d u o t c f a s i) and a unit (b h w g), as in GDB; "
    "also f16 and bf16. x/i shows code of the program on the processor, too. After it, $_ is the "
    "last address and $__ its content.",
    repeats=Repeat.ON,
)
def x_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    last = context.examined
    format_ = ExamineFormat.parse(invocation.flags, last.format if last else None)
    place = _place(context, invocation.optional(0))
    start = _start(context, format_, place.address)
    forwards = replace(format_, count=abs(format_.count))
    rows: Sequence[Row] = []
    end, problem = start, None
    if format_.count == 0:
        pass
    elif format_.letter == "i":
        code = _instructions(context, start, forwards.count)
        rows, end = code, _after(context, code[-1].address)
        last_instruction = MemoryHome(place.space, code[-1].address)
        context.session.variables.set("_", pointer_to(VOID, last_instruction))
        context.session.variables.forget("__")
    else:
        found = examine(
            expression_context(context),
            forwards,
            start,
            place.space,
            format_options(context).symbol_of,
            module_namer(context),
        )
        rows = [
            MemoryRow(place.space, row.address, row.symbol, tuple(row.values), "\t".join(row.texts))
            for row in found.rows
        ]
        end, problem = found.next_address, found.problem
        if found.last is not None:
            for name, value in _last(found.last).items():
                context.session.variables.set(name, value)
    end = start if format_.count < 0 else end  # what is before comes next
    context.examined = Examined(format_, place.space, end)
    if problem is not None:
        raise PartialResult(rows, problem)
    return rows


def _start(context: CommandContext, format_: ExamineFormat, address: int) -> int:
    """Where the first unit is: at ``address``, or as many before it as the count says."""
    if format_.count >= 0:
        return address
    if format_.letter == "s":
        raise CommandError("Strings before an address are not known: their starts are not.")
    if format_.letter != "i":
        return max(address + format_.count * format_.size, 0)
    module = context.thread.device.module_at(address - 1)
    bounds = module.function_range_at(address - 1) if module else None
    if module is None or bounds is None or bounds[0] >= address:
        raise CommandError(f"No module has code before {address:#x}.")
    before = instruction_rows(context, context.thread.device, module, bounds[0], address)
    return before[max(len(before) + format_.count, 0)].address


def _after(context: CommandContext, address: int) -> int:
    """The address after the instruction at ``address``."""
    program = host_code(context, address)
    if program is not None:
        (row,) = host_instruction_rows(program, address, address + 1, raw=True)
        return address + len(bytes.fromhex(row.raw or ""))
    instruction = context.thread.device.code.instruction(address)
    return address + (_INSTRUCTION_BYTES if instruction is None else instruction.size)


def _last(last: Value) -> dict[str, Value]:
    """``$_``: the address of the last unit, ``$__``: what is there."""
    home = last.home
    assert isinstance(home, MemoryHome)
    pointer = pointer_to(last.type, home)
    return {"_": pointer, "__": Value(last.type, last.data)}


def _place(context: CommandContext, text: str | None) -> MemoryHome:
    """The place that an expression means: an array's own, or the one that it is the address of."""
    if text is None:
        if context.examined is None:
            raise CommandError("x needs an address, as in: x/8xw in")
        return MemoryHome(context.examined.space, context.examined.address)
    if re.fullmatch(r"@\w+", text):
        text += " 0"  # a space alone: from its start on
    return place_of(context, text)


def _instructions(context: CommandContext, address: int, count: int) -> list[InstructionRow]:
    thread = context.thread
    module = thread.device.module_at(address)
    program = host_code(context, address)
    if program is not None:
        end = address + count * LONGEST_OF_HOST
        return host_instruction_rows(program, address, end, count=count)
    bounds = module.code_range_at(address) if module else None
    if module is None or bounds is None:
        raise CommandError(f"No module has code at {address:#x}.")
    end = min(address + count * _INSTRUCTION_BYTES, bounds[1])
    return instruction_rows(context, thread.device, module, address, end, count=count)
