"""Which values SPIR-V gives to the variables of a program, and what they are on each of its lines.

Compilers translate a program to SPIR-V and optimise that. Its debug information (the instruction
set OpenCL.DebugInfo.100) names a value wherever a variable takes one, also where the code that is
made of it loses track.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from zedbg.zebin.spirv import literal_string, spirv_instructions

_OP_STRING = 7
_OP_LINE, _OP_NO_LINE = 8, 317
_OP_EXT_INST_IMPORT, _OP_EXT_INST = 11, 12
_OP_FUNCTION, _OP_FUNCTION_END = 54, 56
_OP_PHI = 245
_OP_LABEL = 248
# Those that end a block: OpBranch to OpUnreachable.
_TERMINATORS = range(249, 256)
# Instructions in functions whose second operand is no result: stores, merges, barriers, lifetimes.
_WITHOUT_RESULT = frozenset({62, 63, 64, 99, 224, 225, 228, 246, 247, 256, 257, *_TERMINATORS})
_DEBUG_SETS = ("OpenCL.DebugInfo.100", "SPIRV.debug")
_DEBUG_LOCAL_VARIABLE, _DEBUG_VALUE, _DEBUG_OPERATION, _DEBUG_EXPRESSION = 26, 29, 30, 31
# Swap, Xderef, Constu: they say which address space the value is in, not what it is.
_OF_SPACES = frozenset({5, 6, 8})

Values = frozenset[int]  # numbers of results
Line = tuple[str, int]  # the name of a file without folders, and the line in it
NO_VALUES: Values = frozenset()


@dataclass
class _Block:
    """A stretch of instructions without jumps: lines, and what variables become between them."""

    # A line of instructions; or a variable's declaration with its new value.
    events: list[Line | tuple[int, int]] = field(default_factory=list)
    next: Sequence[int] = ()  # operands of the jump at its end; those that are labels matter


@dataclass
class _Function:
    blocks: dict[int, _Block] = field(default_factory=dict)  # by label
    declarations: set[int] = field(default_factory=set)


class ValueLines:
    """The values of one variable. A value that is one of several, as one came to it, counts as
    each of them."""

    def __init__(self, at: dict[Line, Values], made: dict[Line, Values]) -> None:
        self._at = at
        self._made = made

    def at(self, file: str, line: int) -> Values:
        """Which values the variable may have in instructions of ``line`` of ``file``; none where
        that is not known."""
        return self._at.get((file, line), NO_VALUES)

    def made_at(self, file: str, line: int) -> Values:
        """Those of its values that instructions of ``line`` compute."""
        return self._made.get((file, line), NO_VALUES)

    def lines_of(self, values: Values) -> list[int]:
        """The lines that compute ``values``, ascending."""
        return sorted({line for (_, line), made in self._made.items() if made & values})


class SpirvVariables:
    """What a SPIR-V module says of variables."""

    def __init__(self, data: bytes, name: str) -> None:
        """``data``: the module, empty for one that says nothing; raises ZebinError, which calls it
        ``name``, where it is damaged."""
        self._strings: dict[int, str] = {}
        self._sets: set[int] = set()
        # Declarations by the name and the line of a variable: one a function that it is in.
        self._declared: dict[tuple[str, int], list[int]] = {}
        self._functions: list[_Function] = []
        self._choices: dict[int, list[int]] = {}  # of phis
        self._lines: dict[int, Line] = {}  # of results of instructions
        self._plain: set[int] = set()  # operations and expressions of them that change no value
        self._of_parts: set[int] = set()  # variables whose values are said by parts, or by address
        if data:
            self._read(data, name)

    def values_of(self, name: str, line: int) -> ValueLines:
        """The values of the variable ``name`` that is declared at ``line``."""
        at: dict[Line, set[int]] = {}
        made: dict[Line, set[int]] = {}
        declared = self._declared.get((name, line), [])
        if self._of_parts.isdisjoint(declared):
            for declaration in declared:
                for function in self._functions:
                    if declaration in function.declarations:
                        self._follow(function, declaration, at, made)
        return ValueLines(_frozen(at), _frozen(made))

    def _follow(
        self,
        function: _Function,
        declaration: int,
        at: dict[Line, set[int]],
        made: dict[Line, set[int]],
    ) -> None:
        """Adds to ``at`` and ``made`` what ``function`` says of one declaration."""
        waiting = list(function.blocks)[:1]
        entering = dict.fromkeys(waiting, NO_VALUES)
        while waiting:
            label = waiting.pop()
            block, values = function.blocks[label], entering[label]
            for event in block.events:
                if isinstance(event[0], str):
                    at.setdefault((event[0], event[1]), set()).update(values)
                elif event[0] == declaration:
                    values = self._closed(event[1])
                    for each in values & self._lines.keys():
                        made.setdefault(self._lines[each], set()).add(each)
            for following in block.next:
                if following in function.blocks and (
                    following not in entering or not values <= entering[following]
                ):
                    entering[following] = entering.get(following, NO_VALUES) | values
                    waiting.append(following)

    def _closed(self, value: int) -> Values:
        """``value``, and where it is one of several, all of them."""
        found, waiting = {value}, [value]
        while waiting:
            for each in self._choices.get(waiting.pop(), ()):
                if each not in found:
                    found.add(each)
                    waiting.append(each)
        return frozenset(found)

    def _read(self, data: bytes, name: str) -> None:
        function, block, line = _Function(), _Block(), ("", 0)
        for opcode, operands in spirv_instructions(data, name):
            if opcode == _OP_LINE and len(operands) > 1:
                line = PurePosixPath(self._strings.get(operands[0], "")).name, operands[1]
            elif opcode == _OP_NO_LINE:
                line = "", 0
            elif opcode == _OP_FUNCTION:
                function, block = _Function(), _Block()
            elif opcode == _OP_FUNCTION_END and function.declarations:
                self._functions.append(function)
            elif opcode == _OP_LABEL and operands:
                function.blocks[operands[0]] = block = _Block()
            elif opcode == _OP_EXT_INST and len(operands) > 3 and operands[2] in self._sets:
                self._read_debug(operands, function, block)
            elif not function.blocks:
                self._read_head(opcode, operands)
            else:
                self._read_instruction(opcode, operands, line, block)
            if opcode in _TERMINATORS or opcode == _OP_FUNCTION_END:
                line = "", 0

    def _read_head(self, opcode: int, operands: Sequence[int]) -> None:
        """What stands in front of functions."""
        if opcode == _OP_STRING and len(operands) > 1:
            self._strings[operands[0]] = literal_string(operands[1:])
        elif opcode == _OP_EXT_INST_IMPORT and literal_string(operands[1:]) in _DEBUG_SETS:
            self._sets.add(operands[0])

    def _read_debug(self, operands: Sequence[int], function: _Function, block: _Block) -> None:
        _type, result, _set, instruction, *rest = operands
        if instruction == _DEBUG_LOCAL_VARIABLE and len(rest) > 3:
            self._declared.setdefault((self._strings.get(rest[0], ""), rest[3]), []).append(result)
        elif instruction == _DEBUG_OPERATION:
            if rest and rest[0] in _OF_SPACES:
                self._plain.add(result)
        elif instruction == _DEBUG_EXPRESSION:
            if self._plain.issuperset(rest):
                self._plain.add(result)
        elif instruction == _DEBUG_VALUE and len(rest) > 2:
            declaration, value, expression = rest[:3]
            function.declarations.add(declaration)
            block.events.append((declaration, value))
            if expression not in self._plain or rest[3:]:
                self._of_parts.add(declaration)

    def _read_instruction(
        self, opcode: int, operands: Sequence[int], line: Line, block: _Block
    ) -> None:
        if opcode == _OP_PHI and len(operands) > 1:
            self._choices[operands[1]] = list(operands[2::2])
            return
        if opcode in _TERMINATORS:
            block.next = operands
        if line[1]:
            if not block.events or block.events[-1] != line:
                block.events.append(line)
            if opcode not in _WITHOUT_RESULT and len(operands) > 1:
                self._lines[operands[1]] = line


def _frozen(found: dict[Line, set[int]]) -> dict[Line, Values]:
    return {line: frozenset(values) for line, values in found.items()}
