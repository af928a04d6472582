"""What a name in an expression means: variables, members of ``this``, enumerators, functions."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.dwarf import DebugInfo, Variable
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.dwarf.types.program_types import VOID, FunctionType, PointerType, StructType
from zedbg.values.operands.operand import Operand
from zedbg.values.operands.type_names import TypeNames
from zedbg.values.recomputed.judgement import judgement
from zedbg.values.source.frame_context import lookup_address, visible_variable
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.homes import DataHome, MemoryHome, PartlyKnownHome
from zedbg.xe.coordinates import lanes_of

_THIS = "this"


def resolve(name: str, context: ThreadContext, lanes: Sequence[int]) -> Operand | None:
    """The operand that ``name`` means, None when it may be a member of ``this``.

    Raises EvaluationError when nothing is called so.
    """
    info = context.debug_info
    if info is None:
        lookup_address(context)  # says so when there is no thread to have a place
        raise EvaluationError(
            f'No symbol "{name}": there is no debug info here, {context.debug_info_advice}.'
        )
    name = name.removeprefix("::")
    here = visible_variable(name, context)
    if here is not None:
        return variable_operand(here, context, lanes)
    if member_of_this(name, context) is not None:
        return None
    for variable in info.globals:
        if variable.name == name:
            return variable_operand(variable, context, lanes)
    enumerator = info.enumerator(name)
    if enumerator is not None:
        return Operand.of_numbers(enumerator[0], [enumerator[1]] * len(lanes))
    function = _function(name, info, len(lanes))
    if function is not None:
        return function
    if TypeNames(info).named(name) is not None:
        raise EvaluationError("Attempt to use a type name as an expression.")
    raise EvaluationError(f'No symbol "{name}" in current context.')


def member_of_this(name: str, context: ThreadContext) -> Variable | None:
    """The variable ``this`` when the object that it points to has a member ``name``."""
    this = visible_variable(_THIS, context)
    pointer = None if this is None else this.type.stripped()
    if not isinstance(pointer, PointerType):
        return None
    target = pointer.target.stripped()
    return this if isinstance(target, StructType) and target.member(name) is not None else None


def variable_operand(variable: Variable, context: ThreadContext, lanes: Sequence[int]) -> Operand:
    """A variable of the program that is in scope."""
    verdicts = judgement(context, variable, lanes)
    found = Operand(variable.type, tuple(each.home for each in verdicts), True)
    found.doubts = tuple(each.doubt for each in verdicts)
    found.variable = variable
    return found


def must_have_home(variable: Variable, context: ThreadContext) -> None:
    """Raises EvaluationError where nothing is known to hold ``variable`` in every active lane:
    a write would change something else."""
    lanes = lanes_of(context.active_lanes or context.dispatch_lanes)
    for verdict in judgement(context, variable, lanes):
        if isinstance(verdict.home, DataHome | PartlyKnownHome):
            raise EvaluationError(
                f"{variable.name} has no place here: its value is computed. It cannot be written."
            )
        if verdict.doubt is not None and not context.is_changed_by_hand:
            raise EvaluationError(
                f"{variable.name} may lie elsewhere: {verdict.doubt}. Write the register itself "
                f'("explain {variable.name}" names it).'
            )


def _function(name: str, info: DebugInfo, lane_count: int) -> Operand | None:
    functions = info.functions_named(name)
    if not functions:
        return None
    home = MemoryHome(MemorySpace.GLOBAL, functions[0].low)
    parameters = [each.type for each in functions[0].parameters]
    function_type = FunctionType(1, functions[0].type or VOID, parameters)
    return Operand(function_type, (home,) * lane_count, True)
