"""Functions of plugins, which expressions call by ``$name(...)``."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import ClassVar

from zedbg.commands.extending.offering import Offering
from zedbg.commands.extending.plugin import Plugin, PluginFailed
from zedbg.commands.framework.command_errors import CommandError
from zedbg.engine.sessions.session import Session
from zedbg.missing import Missing
from zedbg.values.expressions.lane_value import LaneValue
from zedbg.values.operands.convenience_functions import ConvenienceFunction, Result
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.value import Value


class Function(Offering):
    """``$name(x, y)`` in every expression, also in conditions. It is called for each lane by
    itself, with values that know their lane."""

    #: How a value is handed to it; GDB's scripts have a class of their own.
    value_type: ClassVar[type[LaneValue]] = LaneValue

    def __init__(self, name: str) -> None:
        self.name = name.removeprefix("$")
        self._offer(_FunctionContribution(self))

    def invoke(self, *arguments: LaneValue) -> object:
        """The result: a number, a bool, a text, or a value of the program. CommandError where the
        class does not define it."""
        raise CommandError(f"the function ${self.name} defines no invoke method")


class _FunctionContribution:
    def __init__(self, function: Function) -> None:
        self._made = function

    @property
    def made(self) -> Function:
        return self._made

    @property
    def description(self) -> str:
        return f"function ${self._made.name}"

    def attach(self, plugin: Plugin) -> None:
        plugin.context.when_session(self._define)

    def detach(self) -> None:
        self._made.context.when_session(lambda session: session.variables.forget(self._made.name))

    def _define(self, session: Session) -> None:
        session.variables.set(self._made.name, ConvenienceFunction(self._made.name, self._compute))

    def _compute(self, context: ThreadContext, lane: int, arguments: Sequence[Value]) -> Result:
        function = self._made
        values = [function.value_type.of(each, context, lane) for each in arguments]
        what = f"${function.name}"
        try:
            inspect.signature(function.invoke).bind(*values)
        except TypeError:
            raise EvaluationError(f"{what} does not take {len(values)} arguments.") from None

        def invoke() -> Result:
            found = function.invoke(*values)
            if isinstance(found, LaneValue):
                return found.value
            if isinstance(found, Value | Missing | bool | int | float | str):
                return found
            raise PluginFailed(f"{what} returned {type(found).__name__}, no number or text")

        try:
            return function._plugin.call(what, invoke)
        except CommandError as error:
            raise EvaluationError(error.line) from error
