"""Where code is in the module's SPIR-V, and what that says of variables there: for all threads."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from zedbg.dwarf import DebugInfo, Variable
from zedbg.dwarf.scopes.scopes import InlinedCall, Scope
from zedbg.dwarf.types.program_types import Type as ProgramType
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.group.columns import LaneValue
from zedbg.spirv.group.lanes_at_once import Program, Programs
from zedbg.spirv.module.instructions import Assignment, Function, Instruction
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.types import Kind, Type
from zedbg.spirv.module.variables import Point, State, instructions
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.numbers.computations import Place
from zedbg.values.counters.counted_loops import CountedLoop
from zedbg.values.typed.partly_known_error import unset_error

# Of numbers: the classes that they have here, and the letters of the struct module.
_CLASSES = {Kind.INTEGER: int, Kind.POINTER: int, Kind.FLOAT: float}
_LETTERS = {
    **{(Kind.INTEGER, 1 << index): letter for index, letter in enumerate("BHIQ")},
    **{(Kind.FLOAT, 2 << index): letter for index, letter in enumerate("efd")},
    (Kind.POINTER, 8): "Q",
}

_SITE_OF = "site of"  # an inlined call that is one of several on a line

#: What a variable has at each place of a line.
States = list[tuple[Point, list[State]]]


@dataclass(frozen=True, eq=False)
class SourcePosition:
    """Where a frame is: in which call of which function, on which line. ``is_called``: the calls
    begin in a function that was called on the stack, so that its arguments are not known."""

    function: Function
    inlined: int
    # From the kernel on: caller, call, block, and the call in the debug information.
    calls: tuple[tuple[Function, Instruction, int, InlinedCall], ...]
    line: int
    column: int
    is_called: bool = False

    def function_of(self, depth: int) -> Function:
        """That of the call ``depth`` calls deep: 0 is the first one."""
        return self.calls[depth][0] if depth < len(self.calls) else self.function

    def inlined_calls(self, depth: int | None = None) -> tuple[InlinedCall, ...]:
        """What the call ``depth`` calls deep is in the debug information, or the one of the code:
        the innermost first."""
        return tuple(each[3] for each in self.calls[:depth][::-1])


@dataclass(frozen=True)
class VariableProgram:
    """What computes a variable, of type ``kind`` in the SPIR-V, in all lanes: ``program``, one of
    ``programs``. ``blocks``: where code of the line is."""

    program: Program
    kind: Type
    programs: Programs
    blocks: tuple[int, ...]
    # What says the iterations of the loops around it, by the address of the code and the lanes: the
    # step that has one, with what says it at each place of the line.
    loops: dict[tuple[int, tuple[int, ...]], list[tuple[int, list[CountedLoop | None]]]] = field(
        default_factory=dict, compare=False
    )

    def data(
        self, values: Sequence[LaneValue], declared: ProgramType
    ) -> list[bytes | UnknownValue]:
        """The bytes of lanes' values of a variable that is a ``declared``."""
        letter = _LETTERS.get((self.kind.kind, self.kind.size))
        if letter is not None and set(map(type, values)) == {_CLASSES[self.kind.kind]}:
            size, joined = self.kind.size, struct.pack(f"<{len(values)}{letter}", *values)
            return [joined[start : start + size] for start in range(0, len(joined), size)]
        return [self._encoded(each, declared) for each in values]

    def _encoded(self, value: LaneValue, declared: ProgramType) -> bytes | UnknownValue:
        if isinstance(value, UnknownValue):
            return value
        if isinstance(value, Place):
            return UnknownValue("an address that is not known")
        data = self.kind.encode(value)
        return unset_error(declared, self.kind.encode_parts(value)) if data is None else data


def position_at(
    info: DebugInfo, model: Model, address: int, wanted: Scope | None
) -> SourcePosition | None:
    """Where the code at ``address`` is, in the frame of ``wanted``: the function, or an inlined
    call in it (None: the innermost one). None where the SPIR-V has no such place."""
    scopes = info.scopes_at(address)
    row = info.lines.row_at(address)
    whole = info.function_at(address)
    if row is None or whole is None:
        return None
    find = _kernel_function if whole.is_kernel else _called_function
    begin = find(model, whole.name, whole.linkage_name)
    if begin is None:
        return None
    calls = [each for each in scopes if isinstance(each, InlinedCall)][::-1]
    frame = 0 if wanted is whole else len(calls)
    if wanted in calls:
        frame = calls.index(wanted) + 1
    line, column = row.line, row.column
    if frame < len(calls):
        line, column = calls[frame].call_line, calls[frame].call_column
    found = _followed(model, begin, calls[:frame], line, column)
    return found and replace(found, is_called=not whole.is_kernel)


def position_in_call(
    info: DebugInfo, model: Model, address: int, position: SourcePosition, depth: int
) -> SourcePosition | None:
    """Where the code at ``address`` is in one of the calls of ``position``, the ``depth``-th from
    the kernel on, which is the first."""
    if depth == len(position.calls):
        return position
    scope = position.calls[depth - 1][3] if depth else info.function_at(address)
    return position_at(info, model, address, scope)


def call_to(
    model: Model, position: SourcePosition, callee: Function
) -> tuple[Instruction, int] | None:
    """The OpFunctionCall of ``callee`` that code at ``position`` executes, with its block; None
    where that is not clear. Compilers make one call of several on ways that exclude each other."""
    flow = model.flow(position.function)
    found = [
        (item, label)
        for label, item in instructions(flow)
        if item.opcode == Op.FUNCTION_CALL
        and item.operands[0] == callee.result
        and item.inlined == position.inlined
    ]
    for _, a in found:
        if not all(flow.dominates(a, b) or flow.dominates(b, a) for _, b in found):
            return None
    if len(found) > 1:
        here = position.line, position.column
        lines = [each[0].line for each in found]
        found = [
            each
            for each, line in zip(found, lines, strict=True)
            if line is not None and (line.line, line.column) == here
        ]
    return found[0] if len(found) == 1 else None


def points_of(model: Model, position: SourcePosition) -> list[Point]:
    """The places of the line of ``position``."""
    values = model.variables(position.function)
    return values.points(position.line, position.column, position.inlined)


def states_of(model: Model, position: SourcePosition, variable: Variable) -> States | None:
    """What ``variable`` has at each place of the line; None if the SPIR-V does not know it."""
    key = "states", position, variable
    if key not in model.notes:
        values = model.variables(position.function)
        declared = values.declared(variable.name, variable.line, position.inlined)
        model.notes[key] = (
            [
                (point, values.at(declared[0], point, position.inlined))
                for point in points_of(model, position)
            ]
            if len(declared) == 1
            else None
        )
    found = model.notes[key]
    return found if isinstance(found, list) else None


def is_unoptimised(model: Model, position: SourcePosition) -> bool:
    """Whether the SPIR-V has all variables of the function in memory, as without -O."""
    key = "unoptimised", position.function.result
    if key not in model.notes:
        given = [
            item
            for block in position.function.blocks.values()
            for item in block.items
            if isinstance(item, Assignment)
        ]
        model.notes[key] = bool(given) and all(each.in_memory for each in given)
    return model.notes[key] is True


def program_of_variable(
    model: Model, position: SourcePosition, variable: Variable
) -> VariableProgram | None:
    """What computes the one value that ``variable`` has at all places of the line, in all lanes at
    once; None where that takes more."""
    key = "program", position, variable
    if key not in model.notes:
        model.notes[key] = _program(model, position, variable)
    found = model.notes[key]
    return found if isinstance(found, VariableProgram) else None


def _program(model: Model, position: SourcePosition, variable: Variable) -> VariableProgram | None:
    states = states_of(model, position, variable)
    given = {each for _, parts in states or () for part in parts for each in part}
    if len(given) != 1 or any(len(parts) != 1 for _, parts in states or ()):
        return None
    (only,) = given
    if only.value is None or only.in_memory or only.fragment is not None:
        return None
    if position.is_called:
        return None
    programs, blocks = _programs(model, position)
    program = programs.of(only.value)
    kind = model.code.type_of[only.value]
    if program is None or kind.size != variable.type.size:
        return None
    return VariableProgram(program, kind, programs, blocks)


def _programs(model: Model, position: SourcePosition) -> tuple[Programs, tuple[int, ...]]:
    """Those of all variables at ``position``, and the blocks where code of its line is."""
    key = "programs", position
    if key not in model.notes:
        flow = model.flow(position.function)
        blocks = tuple(dict.fromkeys(each.block for each in points_of(model, position)))
        around = {flow.loops_around(each) for each in blocks}
        path = [(function, call) for function, call, *_ in position.calls]
        loops = around.pop() if len(around) == 1 else ()
        model.notes[key] = Programs(model, path, position.function, loops), blocks
    return cast("tuple[Programs, tuple[int, ...]]", model.notes[key])


def inlined_call(
    model: Model, function: Function, inlined: int, around: Scope, item: Instruction
) -> InlinedCall | None:
    """What the OpFunctionCall ``item`` of ``function`` is in the debug information, where the code
    of ``function`` is that of ``around``; None where that is not clear."""
    key = "inlined call", around, item.result
    if key not in model.notes:
        found = [
            each
            for each in calls_directly_in(around)
            if (made := _called(model, function, inlined, each)) is not None
            and not isinstance(made, int)
            and made[0] is item
        ]
        model.notes[key] = found[0] if len(found) == 1 else None
    known = model.notes[key]
    return known if isinstance(known, InlinedCall) else None


def calls_directly_in(scope: Scope) -> Iterator[InlinedCall]:
    """The calls that were inlined into the code of ``scope``, without those inside of others."""
    for child in scope.children:
        if isinstance(child, InlinedCall):
            yield child
        else:
            yield from calls_directly_in(child)


def _kernel_function(model: Model, name: str, linkage_name: str | None) -> Function | None:
    """The function with the body of a kernel: a kernel may only call it."""
    code = model.code
    for each in (linkage_name, name):
        function = code.functions.get(code.kernels.get(each or "", 0))
        if function is None:
            continue
        if code.scope_of(function):
            return function
        for block in function.blocks.values():
            for item in block.items:
                if isinstance(item, Instruction) and item.opcode == Op.FUNCTION_CALL:
                    return code.functions.get(item.operands[0])
    return None


def _called_function(model: Model, name: str, linkage_name: str | None) -> Function | None:
    """The function with that name in the source; None where several have it."""
    code = model.code
    found = [
        each
        for each in code.functions.values()
        if (scope := code.scopes.get(code.scope_of(each))) is not None and scope.name == name
    ]
    return found[0] if len(found) == 1 else None


def _followed(
    model: Model, kernel: Function, calls: Sequence[InlinedCall], line: int, column: int
) -> SourcePosition | None:
    """The position on ``line`` in what ``calls``, the outermost first, lead to from ``kernel``."""
    function, inlined = kernel, 0
    path: list[tuple[Function, Instruction, int, InlinedCall]] = []
    for call in calls:
        there = _called(model, function, inlined, call)
        if isinstance(there, int):
            inlined = there
        elif there is not None:
            path.append((function, *there, call))
            function, inlined = model.code.functions[there[0].operands[0]], 0
        else:
            return None
    return SourcePosition(function, inlined, tuple(path), line, column)


def _called(
    model: Model, function: Function, inlined: int, call: InlinedCall
) -> tuple[Instruction, int] | int | None:
    """The instruction, with its block, that makes ``call``; or the number of the call where the
    SPIR-V has it inlined already. None where that is not clear."""
    code = model.code
    already: set[int] = set()
    for _, item in instructions(model.flow(function)):
        made = code.calls.get(item.inlined)
        if made is not None and made[0] == call.call_line and made[2] == inlined:
            scope = code.scopes.get(code.function_scope(item.scope))
            if scope is not None and scope.name == call.name:
                already.add(item.inlined)
    found = calls_in_source(model, function, inlined, call)
    if already:
        return already.pop() if len(already) == 1 and not found else None
    if len(found) > 1:
        found = [each for each in found if _is_site(model, call, each[0])]
    return found[0] if len(found) == 1 else None


def calls_in_source(
    model: Model, function: Function, inlined: int, call: InlinedCall
) -> list[tuple[Instruction, int]]:
    """The OpFunctionCalls that ``function`` makes on the line of ``call``, of a function with its
    name, each with its block."""
    code = model.code
    found: list[tuple[Instruction, int]] = []
    for label, item in instructions(model.flow(function)):
        if item.opcode != Op.FUNCTION_CALL or item.line is None or item.inlined != inlined:
            continue
        callee = code.functions.get(item.operands[0])
        if callee is None or item.line.line != call.call_line:
            continue
        scope = code.scopes.get(code.scope_of(callee))
        if scope is not None and scope.name == call.name:
            found.append((item, label))
    return found


def note_call(model: Model, call: InlinedCall, site: Instruction) -> None:
    """Takes note that ``site`` makes ``call``: positions in it are found then."""
    model.objects[_SITE_OF, call] = site
    model.notes.clear()  # what was found without it


def _is_site(model: Model, call: InlinedCall, site: Instruction) -> bool:
    known = model.objects.get((_SITE_OF, call))
    if known is not None:
        return known is site
    return site.line is not None and site.line.column == call.call_column


def unclear_call(
    info: DebugInfo, model: Model, address: int, wanted: Scope | None
) -> tuple[Scope, InlinedCall] | None:
    """The outermost inlined call around the code at ``address``, in the frame of ``wanted``, that
    is one of several on a line, of which it is not known where the source makes it; with the scope
    of the frame that it is in."""
    around: Scope | None = info.function_at(address)
    here = None if around is None else position_at(info, model, address, around)
    for call in [each for each in info.scopes_at(address) if isinstance(each, InlinedCall)][::-1]:
        if around is None or around is wanted or here is None:
            return None
        following = position_at(info, model, address, call)
        if following is None:
            sites = calls_in_source(model, here.function, here.inlined, call)
            return (around, call) if len(sites) > 1 else None
        around, here = call, following
    return None
