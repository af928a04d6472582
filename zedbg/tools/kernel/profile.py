"""``zedbg kernel --profile``: executed instructions and lane utilisation of each source line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from zedbg.dwarf.info import DebugInfo
from zedbg.dwarf.reading.debug_info_error import DebugInfoError
from zedbg.tools.kernel.recording import InstructionCount, SectionProfile
from zedbg.zebin.module import Module


@dataclass
class Usage:
    """Executed instructions, and how many lanes those had that obey the execution mask."""

    instructions: int = 0
    lanes: int = 0
    slots: int = 0

    def add(self, count: InstructionCount) -> None:
        """Adds one instruction's executions."""
        self.instructions += count.executions
        self.lanes += count.lanes
        self.slots += count.slots

    @property
    def utilisation(self) -> float | None:
        """Enabled lanes of all lanes, 0 to 1; None where every instruction ignores the mask."""
        return self.lanes / self.slots if self.slots else None


@dataclass
class LineUsage:
    """One source line of a kernel; line 0: instructions of no line."""

    file: str
    line: int
    usage: Usage = field(default_factory=Usage)


@dataclass
class KernelUsage:
    """What was executed of one code section, and its lines, hottest first."""

    kernel: str
    usage: Usage
    lines: list[LineUsage]


def profile_of(image: bytes, sections: Iterable[SectionProfile]) -> list[KernelUsage]:
    """The executed kernels of the module ``image``, hottest first."""
    module = Module.from_bytes(image, "module")
    addresses = {section.name: section.address for section in module.code_sections}
    try:
        debug_info = DebugInfo.of(module)
    except DebugInfoError:
        debug_info = None
    kernels = []
    for section in sections:
        if not section.counts or section.name not in addresses:
            continue
        total = Usage()
        lines: dict[tuple[str, int], LineUsage] = {}
        for count in section.counts:
            total.add(count)
            file, line = _line_at(debug_info, addresses[section.name] + count.offset)
            entry = lines.setdefault((file, line), LineUsage(file, line))
            entry.usage.add(count)
        hottest = sorted(lines.values(), key=lambda each: (-each.usage.instructions, each.line))
        kernels.append(KernelUsage(section.name.removeprefix(".text."), total, hottest))
    return sorted(kernels, key=lambda each: -each.usage.instructions)


def _line_at(debug_info: DebugInfo | None, address: int) -> tuple[str, int]:
    if debug_info is None:
        return "", 0
    try:
        row = debug_info.lines.row_at(address)
    except DebugInfoError:
        return "", 0
    return (row.file.path, row.line) if row is not None and row.line else ("", 0)


def profile_text(kernels: Iterable[KernelUsage]) -> Iterator[str]:
    """Lines for a terminal."""
    for kernel in kernels:
        yield (
            f"{kernel.kernel}: {kernel.usage.instructions:,} instructions, "
            f"{_percent(kernel.usage.utilisation)} of lanes active"
        )
        yield "  instructions   share   lanes  source"
        sources: dict[str, list[str]] = {}
        for each in kernel.lines:
            share = each.usage.instructions / kernel.usage.instructions
            yield (
                f"  {each.usage.instructions:12,}  {share:6.1%}  "
                f"{_percent(each.usage.utilisation):>6}  {_source(each, sources)}"
            )


def _percent(part: float | None) -> str:
    return "-" if part is None else f"{part:.1%}"


def _source(each: LineUsage, sources: dict[str, list[str]]) -> str:
    if each.line == 0:
        return "(no source line)"
    if each.file not in sources:
        try:
            sources[each.file] = Path(each.file).read_text(errors="replace").splitlines()
        except OSError:
            sources[each.file] = []
    text = sources[each.file]
    shown = text[each.line - 1].strip() if each.line <= len(text) else ""
    return f"{Path(each.file).name}:{each.line}  {shown}".rstrip()


def profile_rows(kernels: Iterable[KernelUsage]) -> list[dict[str, object]]:
    """The same for ``--json``."""
    return [
        {
            "kernel": kernel.kernel,
            **_usage_row(kernel.usage),
            "lines": [
                {"file": each.file or None, "line": each.line or None, **_usage_row(each.usage)}
                for each in kernel.lines
            ],
        }
        for kernel in kernels
    ]


def _usage_row(usage: Usage) -> dict[str, object]:
    return {
        "instructions": usage.instructions,
        "lanes": usage.lanes,
        "slots": usage.slots,
        "utilisation": usage.utilisation,
    }
