"""``zedbg kernel --trace``: the executed instructions as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.dwarf.info import DebugInfo
from zedbg.tools.kernel.recording import Trace, TracedInstruction
from zedbg.xe.disassembly import disassemble_one
from zedbg.zebin.module import Module
from zedbg.zebin.products import instruction_set_of

_LONGEST_INSTRUCTION = 16  # bytes


def trace_lines(image: bytes, trace: Trace) -> Iterator[str]:
    """A line for each instruction: work-group, thread, lanes, place and disassembly.

    ``lanes`` is the mask of the lanes that it acted for, lane 0 at the right. A last line says how
    many instructions more were executed than the trace takes.
    """
    reader = _Reader(image)
    yield "# work-group  thread  lanes     place                   instruction"
    for each in trace.instructions:
        group = ",".join(map(str, each.group))
        place = f"{each.section.removeprefix('.text.')}+{each.offset:#x}"
        yield (
            f"{group:<12}  {each.thread:>6}  {each.lanes:08x}  {place:<22}  {reader.text(each)}"
        ).rstrip()
    if trace.omitted:
        yield f"# {trace.omitted:,} more instructions are left out: see --trace-limit"


class _Reader:
    """Disassembles each instruction once."""

    def __init__(self, image: bytes) -> None:
        self._module = Module.from_bytes(image, "module")
        self._platform = instruction_set_of(self._module.notes)
        self._code = {
            section.name: (section.address, self._module.section_bytes(section))
            for section in self._module.code_sections
        }
        self._lines = DebugInfo.of(self._module)
        self._known: dict[tuple[str, int], str] = {}

    def text(self, each: TracedInstruction) -> str:
        """The disassembly and the source line."""
        key = (each.section, each.offset)
        if key not in self._known:
            self._known[key] = self._read(*key)
        return self._known[key]

    def _read(self, section: str, offset: int) -> str:
        if section not in self._code or self._platform is None:
            return ""
        address, code = self._code[section]
        window = code[offset : offset + _LONGEST_INSTRUCTION]
        text = disassemble_one(window, address + offset, self._platform).text
        if self._lines is not None:
            row = self._lines.lines.row_at(address + offset)
            if row is not None and row.line:
                return f"{text}  // {row.file.name}:{row.line}"
        return text
