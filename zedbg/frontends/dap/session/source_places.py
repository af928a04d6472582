"""Places in code that a client names by a source and a line."""

from __future__ import annotations

from pathlib import PurePath

from zedbg.engine.modules.device_contents import DeviceContents
from zedbg.engine.modules.locations import CodeLocation
from zedbg.engine.modules.place_specs import LineSpec
from zedbg.frontends.dap.protocol.types import Source
from zedbg.frontends.dap.session.adapter import Adapter
from zedbg.frontends.dap.session.errors import RequestError


def first_line(adapter: Adapter) -> int:
    """The number of a file's first line, as the client counts."""
    return 1 if adapter.client.lines_start_at1 else 0


def path_of(source: Source) -> str:
    """The file of ``source``; RequestError when it is none."""
    if not source.path:
        raise RequestError("The source has no path.")
    return source.path


def addresses_of_line(
    adapter: Adapter, source: Source, line: int, device: DeviceContents
) -> list[CodeLocation]:
    """Where the code of ``line`` begins on ``device``; of a disassembly the instruction.

    DebugInfoError where a module's debug information is damaged.
    """
    if source.source_reference:
        address = instruction_of_line(adapter, source.source_reference, line)
        module = device.module_at(address)
        return [] if module is None else [module.locate(address)]
    path = path_of(source)
    spec = LineSpec(PurePath(path).name, line)
    found = [place for module in device.modules for place in module.resolve(spec)]
    same = adapter.sources.among((each.file for each in found if each.file is not None), path)
    return [each for each in found if each.line == line and each.file in same]


def instruction_of_line(adapter: Adapter, number: int, line: int) -> int:
    """The address of a line of a disassembly; RequestError when source ``number`` is none, or has
    no such line."""
    listing = adapter.sources.listing(number)
    if listing is None:
        raise RequestError(f"Source {number} is no disassembly: it has no code.")
    position = line - first_line(adapter)
    if not 0 <= position < len(listing.addresses):
        raise RequestError(f"The disassembly has no line {line}.")
    return listing.addresses[position]
