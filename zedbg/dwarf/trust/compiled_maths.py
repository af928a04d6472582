"""How compilers have made a module's code compute with floating-point numbers."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Protocol

from zedbg.dwarf.lines.line_table import LineTable
from zedbg.dwarf.scopes.scopes import Function
from zedbg.dwarf.trust.function_code import FunctionCode
from zedbg.xe.isa.opcodes import Opcode
from zedbg.zebin import Module
from zedbg.zebin.build_options import computes_precisely

# What may be of one place of the source beside a multiplication with an addition.
_WITH_FUSED = frozenset({Opcode.MAD, Opcode.MOV, Opcode.SEL, Opcode.CMP})


class Lines(Protocol):
    """What is asked of the debug information."""

    @property
    def lines(self) -> LineTable:
        """The line table of the whole module."""


class CompiledMaths:
    """That of ``module``; it is a :class:`zedbg.spirv.numbers.computations.MachineCode`. Of its
    code only the ``functions`` that were asked for are looked at."""

    def __init__(
        self, module: Module, functions: Mapping[Function, FunctionCode], scopes: Lines
    ) -> None:
        self._module = module
        self._functions = functions
        self._scopes = scopes
        # By places of the source: of how many functions, and whether these fuse there.
        self._are_fused: dict[tuple[str, int, int], tuple[int, bool]] = {}

    def is_fused(self, file: str, line: int, column: int) -> bool:
        """Whether the compiler has made one instruction, which rounds once, of the multiplication
        with an addition at that place of the source. Functions that were not asked for yet are left
        out: they are of the same compiler."""
        place, count = (file, line, column), len(self._functions)
        known, is_fused = self._are_fused.get(place, (0, False))
        if known != count:
            found: set[Opcode] = set()
            for code in self._functions.values():
                rows = self._scopes.lines.rows_between(code.low, code.high)
                for row, following in pairwise([*rows, None]):
                    if row is not None and (row.file.name, row.line, row.column) == place:
                        end = code.high if following is None else following.address
                        found |= code.floating_operations(row.address, end)
            is_fused = Opcode.MAD in found and found <= _WITH_FUSED
            self._are_fused[place] = count, is_fused
        return is_fused

    def compares_nan(self, by_size: bool) -> bool:
        """See :class:`zedbg.spirv.numbers.arithmetic.ComparesNan`. Compilers make of a comparison
        and a choice one instruction, which chooses a number where the source chooses what is none:
        the functions that were asked for must not have any."""
        functions = self._functions.values()
        has_extremes = not functions or any(each.has_extremes for each in functions)
        return self.computes_precisely() and not (by_size and has_extremes)

    def computes_precisely(self) -> bool:
        """See :class:`zedbg.spirv.numbers.computations.MachineCode`."""
        options = self._module.build_options
        return options is not None and computes_precisely(options)
