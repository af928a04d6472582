"""Conditions of breakpoints: one expression, evaluated for all lanes of a thread at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zedbg.engine.engine_errors import ConditionError
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.threads.thread import HardwareThread
from zedbg.values.expressions.api import Expression
from zedbg.values.typed.evaluation_error import EvaluationError


class Condition:
    """The condition ``text``. Where it cannot be evaluated, the breakpoint counts as hit, and
    ``warn`` is given one line that says why, the same one only once."""

    def __init__(self, text: str, warn: Callable[[str], None]) -> None:
        self.text = text
        self._give_warning = warn
        self._warned: set[str] = set()
        # Types belong to a module: the expression is read once for each.
        self._read: dict[LoadedModule | None, Expression] = {}

    def __str__(self) -> str:
        return self.text

    def check_syntax(self) -> None:
        """ConditionError when it cannot be an expression, whatever types and names there are."""
        try:
            Expression(self.text, None)
        except EvaluationError as error:
            # Without the program's types the parser may stop at one; not at either end.
            ends = ("near `'.", f"near `{self.text.strip()}'.", "nested too deeply.")
            known = ("Invalid", "cannot be called")
            if error.line.endswith(ends) or any(each in error.line for each in known):
                raise self._wrong(error) from None

    def check(self, module: LoadedModule, addresses: Sequence[int]) -> None:
        """ConditionError when it is no expression in the code at ``addresses`` of ``module``."""
        try:
            expression = self._in(module)
        except EvaluationError as error:
            raise self._wrong(error) from None
        if expression.assigns:
            raise ConditionError(f"Condition {self.text!r} assigns: compare with ==.")
        info = module.debug_info
        if info is not None and addresses:
            unknown = [expression.unknown_name(info, address) for address in addresses]
            if None not in unknown:
                reason = f'No symbol "{unknown[0]}" in current context.'
                raise ConditionError(f"Cannot evaluate condition {self.text!r}: {reason}")

    def _wrong(self, error: EvaluationError) -> ConditionError:
        return ConditionError(f"Cannot evaluate condition {self.text!r}: {error.line}")

    def lanes(self, thread: HardwareThread, lanes: int) -> int:
        """Those of ``lanes`` (a mask) of stopped ``thread`` where it is true, or unknown."""
        try:
            result = self._in(thread.module).condition(thread, lanes)
        except EvaluationError as error:
            self._warn(f"Error in testing condition {self.text!r}: {error}")
            return lanes
        if result.unknown and result.reason is not None and not result.true:
            self._warn(f"Cannot evaluate condition {self.text!r}: {result.reason.reason}")
        if result.doubt is not None and result.true and result.doubtful == result.true:
            self._warn(f"Condition {self.text!r} is true by a doubtful value: {result.doubt}")
        return result.true | result.unknown

    def _warn(self, line: str) -> None:
        """Thousands of threads may have the same reason."""
        if line not in self._warned:
            self._warned.add(line)
            self._give_warning(line)

    def _in(self, module: LoadedModule | None) -> Expression:
        if module not in self._read:
            info = None if module is None else module.debug_info
            self._read[module] = Expression(self.text, info)
        return self._read[module]
