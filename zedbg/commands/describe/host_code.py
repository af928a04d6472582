"""Code of the program on the processor, as rows of instructions."""

from __future__ import annotations

from zedbg.commands.describe.host_side import HostView
from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.rows.session_rows import InstructionRow
from zedbg.host.program import HostProgram

_LARGEST_FUNCTION = 1 << 16  # bytes of one that are shown without being asked for by a range
LONGEST_OF_HOST = 15  # bytes of an instruction


def host_code(context: CommandContext, address: int) -> HostProgram | None:
    """The program, where it has code at ``address``; None elsewhere, and where a device has."""
    if any(device.module_at(address) is not None for device in context.session.devices):
        return None
    program = context.kept(HostView).program
    mapping = None if program is None else program.memory.mapping_at(address)
    return program if mapping is not None and mapping.is_code else None


def host_function(program: HostProgram, address: int) -> tuple[int, int]:
    """The addresses of the function that ``address`` is in. Raises CommandError."""
    image = program.image_at(address)
    symbol = None if image is None else image.symbol_at(address)
    if symbol is None or not 0 < symbol.size <= _LARGEST_FUNCTION:
        raise CommandError(
            f"No function is known at {address:#x}: give a range, as in: disassemble "
            f"{address:#x},+64"
        )
    return symbol.address, symbol.address + symbol.size


def host_instruction_rows(
    program: HostProgram, first: int, end: int, *, raw: bool = False, count: int | None = None
) -> list[InstructionRow]:
    """The instructions in [``first``, ``end``) of the processor's code, at most ``count``. Raises
    CommandError."""
    from zedbg.host.disassembly import disassemble

    if end <= first:
        raise CommandError(f"The range ends at {end:#x}, before it starts.")

    code = program.memory.read(first, end - first + LONGEST_OF_HOST)
    rows: list[InstructionRow] = []
    for one in disassemble(code, first, program.name_at):
        if one.address >= end or (count is not None and len(rows) == count):
            break
        image = program.image_at(one.address)
        symbol = None if image is None else image.symbol_at(one.address)
        rows.append(
            InstructionRow(
                address=one.address,
                function=None if symbol is None else symbol.name,
                offset=None if symbol is None else one.address - symbol.address,
                text=one.text,
                current=False,
                breakpoint=False,
                raw=" ".join(f"{byte:02x}" for byte in one.code) if raw else None,
                targets=one.targets,
            )
        )
    if not rows:
        raise CommandError(f"Cannot read code of the program at {first:#x}.")
    return rows
