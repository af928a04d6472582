"""Expressions over the lanes of a stopped thread: what the engine and commands call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, cast

from zedbg.dwarf import DebugInfo, Variable
from zedbg.dwarf.scopes.scopes import Scope
from zedbg.dwarf.types.program_types import Type
from zedbg.missing import Missing
from zedbg.values.expressions import branching, operators, selection, syntax, terms
from zedbg.values.expressions.evaluator import LaneEvaluator, operand_of
from zedbg.values.expressions.folding import folded
from zedbg.values.expressions.number_plan import NumberPlan
from zedbg.values.expressions.parser import parse
from zedbg.values.expressions.plan_parts import NotPlain, part_of
from zedbg.values.operands.assignment import assigned
from zedbg.values.operands.operand import Operand
from zedbg.values.operands.type_names import TypeNames
from zedbg.values.recomputed.variable_reader import VariableReader
from zedbg.values.source.frame_context import (
    FrameContext,
    lookup_address,
    visible_variable,
    visible_variables,
)
from zedbg.values.source.scope_variables import variables_in_scope
from zedbg.values.threads.context import ThreadContext
from zedbg.values.threads.thread_group import ThreadGroup
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.homes import Home
from zedbg.values.typed.scalars import is_scalar
from zedbg.values.typed.value import LaneValues
from zedbg.xe.coordinates import lanes_of, mask_of

#: Modules with the rules by which :func:`operand_of` evaluates: loading them registers these.
RULES = (branching, operators, selection, terms)


@dataclass(frozen=True)
class LaneCondition:
    """A condition over the lanes of a thread.

    ``true`` is the mask of the lanes in which it holds, ``unknown`` that of those for which it
    is not known, ``reason`` why that is so in the first of them. ``doubtful`` are those of ``true``
    in which it depends on a value that nothing confirms, ``doubt`` says why.
    """

    true: int
    unknown: int = 0
    reason: Missing | None = None
    doubtful: int = 0
    doubt: str | None = None


_NOWHERE = LaneCondition(0)
_MOST_EXPRESSIONS = 256  # expressions of a module
_MOST_READERS = 20_000  # of its variables, at places and in lanes
_Kept = TypeVar("_Kept")


@dataclass(frozen=True)
class Sources:
    """What a value is made from. ``values``: it, in each lane; ``places``: all that was read for
    it, with the number of bytes."""

    values: LaneValues
    places: list[tuple[Home | Missing, int]]


@dataclass(frozen=True)
class VariableValues:
    """A variable in scope with its value in some lanes."""

    variable: Variable
    scope: Scope
    values: LaneValues


class Expression:
    """An expression, read once: conditions are evaluated for many threads."""

    def __init__(self, text: str, info: DebugInfo | None) -> None:
        """``info`` knows the program's types; EvaluationError when ``text`` is no expression."""
        self.text = text
        self._tree = folded(parse(text, TypeNames(info)))
        # Of a variable's name: what reads it, by the address of the code, the lanes that are active
        # there, and those that are asked for.
        self._readers: dict[tuple[int, int, tuple[int, ...]], VariableReader | None] = {}
        # How conditions are tried, by the address of the code and the mask of lanes.
        self._plans: dict[tuple[int, int], NumberPlan | None] = {}

    @cached_property
    def assigns(self) -> bool:
        """Whether evaluating it changes the program."""
        return syntax.assigns(self._tree)

    def unknown_name(self, info: DebugInfo, address: int) -> str | None:
        """A name in it that means nothing in the code at ``address``; None when all mean something,
        or one may be a member of the object that a method is of."""
        visible = {variable.name for _, variable in variables_in_scope(info, address)}
        if "this" in visible:
            return None
        visible |= {variable.name for variable in info.globals}
        types = TypeNames(info)
        for name in sorted(syntax.names(self._tree)):
            plain = name.removeprefix("::")
            known = plain in visible or info.enumerator(plain) is not None
            if not (known or info.functions_named(plain) or types.named(plain) is not None):
                return name
        return None

    def evaluate(self, context: ThreadContext, lanes: Sequence[int] | None = None) -> LaneValues:
        """The value in ``lanes``; without them in the focused lane.

        Raises EvaluationError for what is wrong in every lane: no such symbol, no such member.
        """
        wanted = (context.focused_lane,) if lanes is None else tuple(lanes)
        read = self._read_variable(context, wanted)
        if read is not None:
            return read
        evaluator = LaneEvaluator(context, wanted)
        return _values(evaluator, evaluator.evaluate(self._tree), wanted)

    @cached_property
    def names(self) -> set[str]:
        """The names of the program in it."""
        return {name.removeprefix("::") for name in syntax.names(self._tree)}

    @cached_property
    def reads_only_places(self) -> bool:
        """Whether all that it depends on are places: registers and memory. Not so with functions,
        and with where the thread is."""
        names = syntax.dollar_names(self._tree)
        return not any(name in ("pc", "ip", "sp") or name.endswith("()") for name in names)

    def sources(self, context: ThreadContext, lanes: Sequence[int]) -> Sources:
        """The value in ``lanes``, with what it is read from. EvaluationError, as above."""
        evaluator = LaneEvaluator(context, lanes)
        evaluator.access.noted = []
        values = _values(evaluator, evaluator.evaluate(self._tree), tuple(lanes))
        return Sources(values, evaluator.access.noted)

    def _read_variable(self, context: ThreadContext, lanes: tuple[int, ...]) -> LaneValues | None:
        """The quick way for a variable's name in the innermost frame; None where there is none."""
        if not isinstance(self._tree, syntax.Name) or isinstance(context, FrameContext):
            return None
        key = context.pc, context.active_lanes, lanes
        if key not in self._readers:
            variable = visible_variable(self._tree.name, context)
            self._readers[key] = (
                None if variable is None else VariableReader.of(variable, context, lanes)
            )
        reader = self._readers[key]
        return None if reader is None else reader.read(context)

    def evaluate_together(self, group: ThreadGroup) -> tuple[Type, list[bytes]] | None:
        """The type and the bytes in each lane of ``group``, of which none is missing or doubtful;
        None where its threads have to be evaluated one by one."""
        try:
            part = part_of(self._tree, group, group.lanes)
            return part.type, list(part.data(group))
        except (NotPlain, EvaluationError):
            return None

    def operand(self, context: ThreadContext, lanes: Sequence[int]) -> Operand:
        """The value in ``lanes`` before it is read: its type, and where it lies. EvaluationError,
        as above."""
        return LaneEvaluator(context, lanes).evaluate(self._tree)

    def converted(self, context: ThreadContext, target: Type, lanes: Sequence[int]) -> list[bytes]:
        """The bytes of the value in ``lanes`` as a ``target``, as in an assignment to one.

        Raises EvaluationError, where a lane has no value too.
        """
        evaluator = LaneEvaluator(context, lanes)
        return assigned(target, evaluator.evaluate(self._tree), evaluator.access)

    def condition(self, context: ThreadContext, lane_mask: int | None = None) -> LaneCondition:
        """In which lanes of ``lane_mask`` (without it: the active ones) it is not zero.

        Raises EvaluationError.
        """
        active = context.active_lanes
        mask = active if lane_mask is None else lane_mask
        if not mask:
            return _NOWHERE
        if not mask & ~active and not isinstance(context, FrameContext):
            planned = self._planned_condition(context, mask)
            if planned is not None:
                return planned
        lanes = lanes_of(mask)
        evaluator = LaneEvaluator(context, lanes)
        operand = evaluator.evaluate(self._tree)
        if not is_scalar(operand.type):
            raise EvaluationError(f'"{self.text}" is no condition: it is not a number.')
        numbers = operand.numbers(evaluator.access)
        if not any(numbers):
            return _NOWHERE
        found = list(zip(lanes, numbers, strict=True))
        true = mask_of(
            lane for lane, number in found if not isinstance(number, Missing) and number != 0
        )
        missing = [(lane, number) for lane, number in found if isinstance(number, Missing)]
        doubts = evaluator.doubts
        return LaneCondition(
            true,
            mask_of(lane for lane, _ in missing),
            missing[0][1] if missing else None,
            mask_of(doubts) & true,
            next(iter(doubts.values()), None),
        )

    def _planned_condition(self, context: ThreadContext, mask: int) -> LaneCondition | None:
        """The quick way, in the innermost frame; None where there is none."""
        key = context.pc, mask
        if key not in self._plans:
            self._plans[key] = NumberPlan.of(self._tree, context, mask)
        plan = self._plans[key]
        numbers = None if plan is None else plan.numbers(context)
        if plan is None or numbers is None:
            return None
        if not any(numbers):
            return _NOWHERE
        found = zip(plan.lanes, numbers, strict=True)
        return LaneCondition(mask_of(lane for lane, number in found if number))

    def type(self, context: ThreadContext) -> Type:
        """The expression's type, or the type that it names; nothing is read for it."""
        if isinstance(self._tree, syntax.TypeOnly):
            return self._tree.type
        if isinstance(self._tree, syntax.Name) and not self._names_variable(context):
            named = TypeNames(context.debug_info).named(self._tree.name)
            if named is not None:
                return named
        evaluator = LaneEvaluator(context, (context.focused_lane,), writes=False)
        return operand_of(self._tree, evaluator).type

    def _names_variable(self, context: ThreadContext) -> bool:
        assert isinstance(self._tree, syntax.Name)
        name = self._tree.name
        return any(variable.name == name for _, variable in visible_variables(context))


def _values(evaluator: LaneEvaluator, operand: Operand, lanes: tuple[int, ...]) -> LaneValues:
    homes = operand.homes if operand.is_lvalue else None
    data = operand.load(evaluator.access)
    return LaneValues(operand.type, lanes, data, homes, evaluator.doubts)


def evaluate(text: str, context: ThreadContext, lanes: Sequence[int] | None = None) -> LaneValues:
    """The value of the expression ``text`` in ``lanes``; without them in the focused lane.

    Assignments write. Raises EvaluationError with one line for the user.
    """
    return _expression(text, context.debug_info).evaluate(context, lanes)


def _expression(text: str, info: DebugInfo | None) -> Expression:
    """What ``text`` is in a module; it is kept, for people ask for the same again and again."""
    if info is None:
        return Expression(text, None)
    return _kept(info, Expression, _MOST_EXPRESSIONS, text, lambda: Expression(text, info))


def _kept(
    info: DebugInfo, kind: object, most: int, key: object, make: Callable[[], _Kept]
) -> _Kept:
    """What ``make`` gives for ``key``, made once in a module, of which ``most`` of a ``kind`` are
    kept."""
    kept = cast("dict[object, _Kept]", info.findings.setdefault(kind, {}))
    if key not in kept:
        if len(kept) >= most:
            kept.clear()
        kept[key] = make()
    return kept[key]


def variables(
    context: ThreadContext, lanes: Sequence[int] | None = None, parameters: bool | None = None
) -> Iterator[VariableValues]:
    """Every variable in scope with its value, innermost block first.

    ``parameters``: True for the function's parameters only, False for all others, None for all.
    What an inner variable hides is left out.
    """
    wanted = (context.focused_lane,) if lanes is None else tuple(lanes)
    seen: set[str] = set()
    for scope, variable in visible_variables(context):
        hidden = variable.name in seen or not variable.name  # a parameter that has none
        seen.add(variable.name)
        if hidden or parameters not in (None, variable.is_parameter):
            continue
        yield VariableValues(variable, scope, variable_values(context, variable, wanted))


def variable_values(context: ThreadContext, variable: Variable, lanes: Sequence[int]) -> LaneValues:
    """The value of one variable that is in scope, in ``lanes``."""
    wanted = tuple(lanes)
    reader = _reader(context, variable, wanted)
    read = None if reader is None else reader.read(context)
    if read is not None:
        return read
    evaluator = LaneEvaluator(context, lanes)
    operand = evaluator.variable(variable)
    try:
        return _values(evaluator, operand, wanted)
    except EvaluationError as error:
        reason = Missing(str(error))
        return LaneValues(variable.type, wanted, (reason,) * len(wanted))


def _reader(
    context: ThreadContext, variable: Variable, lanes: tuple[int, ...]
) -> VariableReader | None:
    """What reads ``variable`` the quick way; it is kept for all threads that come there."""
    info = context.debug_info
    if info is None:
        return None
    key = variable, lookup_address(context), context.active_lanes, lanes
    return _kept(
        info,
        VariableReader,
        _MOST_READERS,
        key,
        lambda: VariableReader.of(variable, context, lanes),
    )
