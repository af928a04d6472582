"""Running a line program: from its bytes to the rows that it emits (DWARF 5, 6.2; 2 to 4 alike).

pyelftools reads the header, but keeps every operation of a program and a copy of the whole state
machine for each row, which is ten times the program; here nothing but the rows is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum

from elftools.dwarf.lineprogram import LineProgram

from zedbg.dwarf.lines.line_table import LineRow, SourceFile
from zedbg.dwarf.reading.bytestream import ByteStream, EndOfBytesError


class _Standard(IntEnum):
    """Standard opcodes (7.22); others of the header's are passed over by their operands."""

    COPY = 1
    ADVANCE_PC = 2
    ADVANCE_LINE = 3
    SET_FILE = 4
    SET_COLUMN = 5
    NEGATE_STATEMENT = 6
    CONST_ADD_PC = 8
    FIXED_ADVANCE_PC = 9
    SET_PROLOGUE_END = 10


class _Extended(IntEnum):
    """Extended opcodes (7.22); others are passed over by their length."""

    END_SEQUENCE = 1
    SET_ADDRESS = 2


@dataclass(slots=True)
class _State:
    """The registers of the state machine that rows are made of (6.2.2)."""

    is_statement: bool
    address: int = 0
    operation: int = 0  # of a long instruction word
    line: int = 1
    column: int = 0
    prologue_end: bool = False


class LineMachine:
    """Runs one line program."""

    def __init__(self, program: LineProgram, file_of: Callable[[int], SourceFile]) -> None:
        """``file_of`` gives the source file with a number of the program's header."""
        header = program.header
        self._starts_as_statement = bool(header["default_is_stmt"])
        self._first_special: int = header["opcode_base"]
        self._line_base: int = header["line_base"]
        self._line_range: int = header["line_range"]
        self._instruction: int = header["minimum_instruction_length"]
        self._operations: int = header["maximum_operations_per_instruction"]
        self._operands: list[int] = header["standard_opcode_lengths"]
        start, end = program.program_start_offset, program.program_end_offset
        program.stream.seek(start)
        self._code = ByteStream(program.stream.read(max(end - start, 0)))
        self._file_of = file_of
        self._begin()

    def _begin(self) -> None:
        """Starts a sequence."""
        self._state = _State(self._starts_as_statement)
        self._file = self._file_of(1)

    def rows(self) -> Iterator[LineRow]:
        """The rows in the order in which they are emitted; read once.

        Raises ValueError where an operation is cut off.
        """
        code = self._code
        while code.position < code.end:
            opcode = code.data[code.position]
            code.position += 1
            if opcode >= self._first_special:
                operations, lines = divmod(opcode - self._first_special, self._line_range)
                if operations:
                    self._advance(operations)
                self._state.line += self._line_base + lines
                yield self._row()
            elif opcode:
                if opcode == _Standard.COPY:
                    yield self._row()
                else:
                    self._standard(opcode)
            else:
                size = code.uleb()
                extended = ByteStream(code.block(size))
                if self._extended(extended):
                    yield self._row(end=True)
                    self._begin()

    def _row(self, end: bool = False) -> LineRow:
        state = self._state
        row = LineRow(
            address=state.address,
            file=self._file,
            line=state.line,
            column=state.column,
            is_stmt=state.is_statement and not end,
            prologue_end=state.prologue_end,
            end=end,
        )
        state.prologue_end = False
        return row

    def _advance(self, operations: int) -> None:
        state = self._state
        words, state.operation = divmod(state.operation + operations, self._operations)
        state.address += self._instruction * words

    def _standard(self, opcode: int) -> None:
        code, state = self._code, self._state
        match opcode:  # the most frequent ones first
            case _Standard.SET_COLUMN:
                state.column = code.uleb()
            case _Standard.NEGATE_STATEMENT:
                state.is_statement = not state.is_statement
            case _Standard.ADVANCE_PC:
                self._advance(code.uleb())
            case _Standard.ADVANCE_LINE:
                state.line += code.sleb()
            case _Standard.SET_FILE:
                self._file = self._file_of(code.uleb())
            case _Standard.CONST_ADD_PC:
                self._advance((255 - self._first_special) // self._line_range)
            case _Standard.FIXED_ADVANCE_PC:
                state.address += code.unsigned(2)
                state.operation = 0
            case _Standard.SET_PROLOGUE_END:
                state.prologue_end = True
            case _:
                for _ in range(self._operands[opcode - 1]):
                    code.uleb()

    def _extended(self, operands: ByteStream) -> bool:
        """Runs the extended operation in ``operands``; whether it ends the sequence."""
        if operands.at_end:
            raise EndOfBytesError(f"an extended operation of no bytes at {self._code.position:#x}")
        opcode = operands.unsigned(1)
        if opcode == _Extended.SET_ADDRESS:
            self._state.address = operands.unsigned(operands.end - operands.position)
            self._state.operation = 0
        return opcode == _Extended.END_SEQUENCE
