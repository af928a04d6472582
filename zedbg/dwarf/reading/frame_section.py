"""Reading ``.debug_frame``: how each function saves registers (DWARF 4, 6.4).

Intel's compiler writes the section in the 64-bit DWARF format. It writes two CIEs for each kernel,
one for functions with a stack frame and one for the kernel and for subroutines without, but every
FDE refers to the first one, since the relocation of the reference has lost its addend.
:meth:`FrameTable.entry_at` therefore picks the CIE by what the FDE says itself.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

from zedbg.dwarf.reading.bytestream import ByteStream, EndOfBytesError
from zedbg.dwarf.reading.debug_info_error import DebugInfoError
from zedbg.xe.registers import DWARF_INSTRUCTION_POINTER

_DWARF64_ESCAPE = 0xFFFFFFFF
_DWARF64_CIE = 0xFFFFFFFFFFFFFFFF
_DWARF32_CIE = 0xFFFFFFFF


_KEPT_ROWS = 64  # of one function; frames of many threads are at few places


class RuleKind(Enum):
    """How the caller's value of a register is found."""

    UNDEFINED = "undefined"
    SAME_VALUE = "same value"
    OFFSET = "saved at CFA plus offset"
    VALUE_OFFSET = "is CFA plus offset"
    REGISTER = "in another register"
    EXPRESSION = "saved at an address"
    VALUE_EXPRESSION = "is a value"


@dataclass(frozen=True)
class Rule:
    """One register's rule; which of the operands counts depends on ``kind``."""

    kind: RuleKind
    operand: int = 0  # offset in bytes, or DWARF register number
    expression: bytes = b""


UNDEFINED = Rule(RuleKind.UNDEFINED)
SAME_VALUE = Rule(RuleKind.SAME_VALUE)


@dataclass(frozen=True)
class FrameRow:
    """The rules that hold at one address. The CFA is a register plus offset or an expression."""

    cfa_register: int | None
    cfa_offset: int
    cfa_expression: bytes | None
    rules: dict[int, Rule]


@dataclass(frozen=True)
class CommonEntry:
    """A CIE."""

    offset: int
    code_alignment: int
    data_alignment: int
    return_register: int
    instructions: bytes

    @property
    def returns(self) -> bool:
        """Whether it says how to find the return address, as that of stack calls does."""
        row = _run(self, b"", 0, None)
        return self.return_register in row.rules


@dataclass(frozen=True)
class FrameEntry:
    """An FDE with its CIE."""

    common: CommonEntry
    low: int
    high: int
    instructions: bytes
    _rows: dict[int, FrameRow] = field(default_factory=dict, init=False, repr=False, compare=False)

    def row_at(self, address: int) -> FrameRow:
        """The rules at ``address``; raises EndOfBytesError when the instructions are damaged."""
        row = self._rows.get(address)
        if row is None:
            if len(self._rows) >= _KEPT_ROWS:
                self._rows.clear()
            row = _run(self.common, self.instructions, self.low, address)
            self._rows[address] = row
        return row


class FrameTable:
    """The call frame information of one module."""

    def __init__(self, data: bytes, module: str) -> None:
        """``data`` is the relocated section, empty when the module has none."""
        self._data = data
        self._module = module

    @cached_property
    def entries(self) -> list[FrameEntry]:
        """Every FDE, by address; DebugInfoError when the section is damaged."""
        try:
            return sorted(self._read(), key=lambda entry: entry.low)
        except EndOfBytesError as error:
            raise DebugInfoError(self._module, f".debug_frame is damaged ({error})") from error

    @cached_property
    def _starts(self) -> list[int]:
        return [entry.low for entry in self.entries]

    def entry_at(self, address: int) -> FrameEntry | None:
        """The FDE that covers ``address``."""
        index = bisect_right(self._starts, address) - 1
        if index < 0 or address >= self.entries[index].high:
            return None
        return self.entries[index]

    def _read(self) -> list[FrameEntry]:
        stream = ByteStream(self._data)
        commons: dict[int, CommonEntry] = {}
        group: list[CommonEntry] = []  # the CIEs that stand together before the current FDEs
        entries: list[FrameEntry] = []
        after_entry = True
        while not stream.at_end:
            start = stream.position
            length, size = stream.unsigned(4), 4
            if length == _DWARF64_ESCAPE:
                length, size = stream.unsigned(8), 8
            end = stream.position + length
            if end > stream.end:
                raise EndOfBytesError(f"the entry at {start:#x} reaches past the end")
            body = ByteStream(stream.data, stream.position, end)
            identifier = body.unsigned(size)
            if identifier == (_DWARF64_CIE if size == 8 else _DWARF32_CIE):
                common = self._common(start, body)
                commons[start] = common
                group = [common] if after_entry else [*group, common]
                after_entry = False
            else:
                after_entry = True
                named = commons.get(identifier)
                if named is None:
                    raise DebugInfoError(
                        self._module, f".debug_frame has no CIE at {identifier:#x}"
                    )
                entries.append(_entry(_choose(named, group, body), body))
            stream.position = end
        return entries

    def _common(self, start: int, body: ByteStream) -> CommonEntry:
        version = body.unsigned(1)
        if version not in (3, 4):
            raise DebugInfoError(self._module, f".debug_frame version {version} is not known")
        while body.unsigned(1):
            raise DebugInfoError(self._module, ".debug_frame has an augmentation")
        if version == 4:
            body.block(2)  # sizes of an address and of a segment selector
        code, data, register = body.uleb(), body.sleb(), body.uleb()
        return CommonEntry(start, code, data, register, body.block(body.end - body.position))


def _choose(named: CommonEntry, group: list[CommonEntry], body: ByteStream) -> CommonEntry:
    """The CIE that the compiler meant for the FDE in ``body``.

    A subroutine gives its own rule for the return address before its first instruction; for it the
    CIE without one was meant. (Kernels have no caller, whatever their CIE says.)
    """
    instructions = body.data[body.position + 16 : body.end]
    own = _run(replace(named, instructions=b""), instructions, 0, 0)
    rule = own.rules.get(DWARF_INSTRUCTION_POINTER)
    if rule is not None and rule.kind is RuleKind.VALUE_EXPRESSION:
        return next((common for common in group if not common.returns), named)
    return named if not group or named in group else group[0]


def _entry(common: CommonEntry, body: ByteStream) -> FrameEntry:
    low, size = body.unsigned(8), body.unsigned(8)
    return FrameEntry(common, low, low + size, body.block(body.end - body.position))


class _Rows:
    """The state of running call frame instructions."""

    def __init__(self, common: CommonEntry) -> None:
        self._common = common
        self.row = FrameRow(None, 0, None, {})  # its rules are this object's own
        self._initial: dict[int, Rule] = {}
        self._saved: list[FrameRow] = []

    def run(self, instructions: bytes, start: int, stop: int | None) -> None:
        """Runs until the rules of address ``stop`` stand, or to the end when it is None."""
        stream = ByteStream(instructions)
        location = start
        while not stream.at_end:
            step = self._step(stream, location)
            if stop is not None and step > stop:
                return
            location = step

    def finish_initial(self) -> None:
        """Remembers the rules so far as those that DW_CFA_restore restores."""
        self._initial = dict(self.row.rules)

    def _step(self, stream: ByteStream, location: int) -> int:
        """Runs one instruction and returns the location after it."""
        opcode = stream.unsigned(1)
        high, low = opcode & 0xC0, opcode & 0x3F
        code = self._common.code_alignment
        if high == 0x40:
            return location + low * code
        if high == 0x80:
            self._set(low, Rule(RuleKind.OFFSET, stream.uleb() * self._common.data_alignment))
        elif high == 0xC0:
            self._restore(low)
        elif opcode == 0x01:
            return stream.unsigned(8)
        elif opcode in (0x02, 0x03, 0x04):
            return location + stream.unsigned(1 << (opcode - 2)) * code
        elif opcode in (0x0A, 0x0B):
            self._remember_or_return(opcode)
        elif opcode in (0x0C, 0x0D, 0x0E, 0x0F, 0x12, 0x13):
            self._define_cfa(opcode, stream)
        elif opcode != 0x00:
            self._define_register(opcode, stream)
        return location

    def _set(self, register: int, rule: Rule) -> None:
        self.row.rules[register] = rule

    def _restore(self, register: int) -> None:
        self.row.rules.pop(register, None)
        if register in self._initial:
            self.row.rules[register] = self._initial[register]

    def _remember_or_return(self, opcode: int) -> None:
        if opcode == 0x0A:
            self._saved.append(replace(self.row, rules=dict(self.row.rules)))
        elif self._saved:
            self.row = self._saved.pop()

    def _define_cfa(self, opcode: int, stream: ByteStream) -> None:
        factor = self._common.data_alignment
        if opcode == 0x0F:
            self.row = replace(self.row, cfa_expression=stream.block(stream.uleb()))
            return
        register = self.row.cfa_register
        offset = self.row.cfa_offset
        if opcode in (0x0C, 0x0D, 0x12):
            register = stream.uleb()
        if opcode in (0x0C, 0x0E):
            offset = stream.uleb()
        elif opcode in (0x12, 0x13):
            offset = stream.sleb() * factor
        self.row = replace(self.row, cfa_register=register, cfa_offset=offset, cfa_expression=None)

    def _define_register(self, opcode: int, stream: ByteStream) -> None:
        factor = self._common.data_alignment
        register = stream.uleb()
        if opcode == 0x05:
            rule = Rule(RuleKind.OFFSET, stream.uleb() * factor)
        elif opcode == 0x06:
            self._restore(register)
            return
        elif opcode == 0x07:
            rule = UNDEFINED
        elif opcode == 0x08:
            rule = SAME_VALUE
        elif opcode == 0x09:
            rule = Rule(RuleKind.REGISTER, stream.uleb())
        elif opcode == 0x10:
            rule = Rule(RuleKind.EXPRESSION, expression=stream.block(stream.uleb()))
        elif opcode == 0x11:
            rule = Rule(RuleKind.OFFSET, stream.sleb() * factor)
        elif opcode == 0x14:
            rule = Rule(RuleKind.VALUE_OFFSET, stream.uleb() * factor)
        elif opcode == 0x15:
            rule = Rule(RuleKind.VALUE_OFFSET, stream.sleb() * factor)
        elif opcode == 0x16:
            rule = Rule(RuleKind.VALUE_EXPRESSION, expression=stream.block(stream.uleb()))
        else:
            raise EndOfBytesError(f"call frame instruction {opcode:#x} is not known")
        self._set(register, rule)


def _run(common: CommonEntry, instructions: bytes, start: int, stop: int | None) -> FrameRow:
    rows = _Rows(common)
    rows.run(common.instructions, start, None)
    rows.finish_initial()
    rows.run(instructions, start, stop)
    return rows.row
