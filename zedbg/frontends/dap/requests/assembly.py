"""Disassembly, forwards and backwards."""

from __future__ import annotations

from zedbg.frontends.dap.protocol.arguments import DisassembleArguments
from zedbg.frontends.dap.protocol.bodies import DisassembleBody
from zedbg.frontends.dap.protocol.types import Instruction, Source
from zedbg.frontends.dap.session.adapter import Adapter
from zedbg.frontends.dap.session.code_listing import CodeListing
from zedbg.frontends.dap.session.errors import RequestError
from zedbg.frontends.dap.session.memory_references import device_of, parse_reference
from zedbg.frontends.dap.session.registry import Answer, request
from zedbg.frontends.dap.session.source_places import first_line

_MOST = 100_000
_LENGTH = 16  # bytes from one to the next where there is no code


@request("disassemble", supports_disassemble_request=True)
def disassemble(adapter: Adapter, arguments: DisassembleArguments) -> Answer:
    """As many instructions as are asked for, counted from the one at an address; in front of the
    code and after it, invalid ones fill the places. RequestError for too many."""
    if not 0 <= arguments.instruction_count <= _MOST:
        raise RequestError(f"Up to {_MOST} instructions at once can be asked for.")
    place = parse_reference(adapter.session, arguments.memory_reference, arguments.offset)
    device = device_of(adapter.session, place)
    listing = adapter.sources.listings.around(device, place.address)
    wanted = range(
        arguments.instruction_offset, arguments.instruction_offset + arguments.instruction_count
    )
    if listing is None:
        return DisassembleBody(
            instructions=[_invalid(place.address + each * _LENGTH) for each in wanted]
        )
    here = listing.position(place.address)
    shown: list[Instruction] = []
    last: tuple[Source | None, int] = (None, 0)
    for each in wanted:
        adapter.check_cancelled()
        position = here + each
        if position < 0:
            shown.append(_invalid(listing.first + position * _LENGTH))
        elif position >= len(listing.addresses):
            beyond = position - len(listing.addresses)
            shown.append(_invalid(listing.end + beyond * _LENGTH))
        else:
            instruction, last = _instruction(adapter, listing, position, last)
            shown.append(instruction)
    return DisassembleBody(instructions=shown)


def _invalid(address: int) -> Instruction:
    """Where no code is; editors want an address that is a number."""
    shown = min(max(address, 0), (1 << 64) - 1)
    return Instruction(address=f"{shown:#x}", instruction="", presentation_hint="invalid")


def _instruction(
    adapter: Adapter, listing: CodeListing, position: int, last: tuple[Source | None, int]
) -> tuple[Instruction, tuple[Source | None, int]]:
    """The instruction, and its source and line: they are reported where they change."""
    one = listing.instruction(position)
    location = listing.module.locate(one.address)
    here: tuple[Source | None, int] = last
    if location.file is not None and location.line is not None:
        here = adapter.sources.of_file(location.file), location.line
    changed = here != last
    symbol = None
    if one.address == listing.first or location.function != _function_before(listing, position):
        symbol = location.function
    instruction = Instruction(
        address=f"{one.address:#x}",
        instruction=one.text,
        instruction_bytes=one.code.hex(" "),
        symbol=symbol,
        location=here[0] if changed else None,
        line=here[1] - 1 + first_line(adapter) if changed else None,
    )
    return instruction, here


def _function_before(listing: CodeListing, position: int) -> str | None:
    if not position:
        return None
    return listing.module.locate(listing.addresses[position - 1]).function
