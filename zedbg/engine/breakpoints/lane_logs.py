"""Breakpoints that do not stop but write a text: ``i={i}``, or as C's printf does."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zedbg.engine.ground.notifier import Notification
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.values.expressions.api import Expression
from zedbg.values.expressions.printf import parse_printf
from zedbg.values.formats.formatting import format_value
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.value import Value
from zedbg.xe.coordinates import lanes_of

_FIELD = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True)
class Logged(Notification):
    """What breakpoint ``number`` wrote for ``lanes`` of a thread; ``global_id`` is that of the
    work-item when it is one lane's alone."""

    number: int
    thread: str
    lanes: tuple[int, ...]
    global_id: tuple[int, int, int] | Missing | None
    text: str


class LaneLog(ABC):
    """Writes a text for each lane that hits a breakpoint; lanes with the same one share a line.

    ``text`` is what the user wrote.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._read: dict[tuple[LoadedModule | None, str], Expression] = {}

    @abstractmethod
    def lines(self, thread: HardwareThread, lanes: list[int]) -> list[str]:
        """The text for each of ``lanes``."""

    def logged(self, number: int, thread: HardwareThread, lanes: int) -> Iterator[Logged]:
        """What it writes when breakpoint ``number`` is hit by ``lanes`` (a mask) of ``thread``."""
        wanted = lanes_of(lanes)
        by_text: dict[str, list[int]] = {}
        for lane, line in zip(wanted, self.lines(thread, wanted), strict=True):
            by_text.setdefault(line, []).append(lane)
        everywhere = thread.global_ids()
        for line, members in by_text.items():
            ids = everywhere if isinstance(everywhere, Missing) else everywhere[members[0]]
            yield Logged(
                number, thread.id, tuple(members), ids if len(members) == 1 else None, line
            )

    def values(
        self, field: str, thread: HardwareThread, lanes: list[int]
    ) -> Sequence[Value | Missing]:
        """The value of an expression in each of ``lanes``, or why it has none."""
        key = thread.module, field
        try:
            if key not in self._read:
                self._read[key] = Expression(field, thread.debug_info)
            found = self._read[key].evaluate(thread, lanes)
        except (EvaluationError, LevelZeroError) as error:
            return [Missing(str(error).removesuffix("."))] * len(lanes)
        return found.values


class Logpoint(LaneLog):
    """``text`` with each ``{expression}`` as its value."""

    def lines(self, thread: HardwareThread, lanes: list[int]) -> list[str]:
        columns = [self.values(field, thread, lanes) for field in _FIELD.findall(self.text)]
        return [
            self._line(iter([format_value(column[position]) for column in columns]))
            for position in range(len(lanes))
        ]

    def _line(self, values: Iterator[str]) -> str:
        return _FIELD.sub(lambda _: next(values), self.text)


class DynamicPrintf(LaneLog):
    """``"FORMAT",EXPRESSION...`` as printf writes it; EvaluationError when ``text`` is not that."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._format, self._arguments = parse_printf(text)

    def lines(self, thread: HardwareThread, lanes: list[int]) -> list[str]:
        columns = [self.values(each, thread, lanes) for each in self._arguments]
        return [
            self._text([column[position] for column in columns]) for position in range(len(lanes))
        ]

    def _text(self, values: Sequence[Value | Missing]) -> str:
        try:
            return self._format.text(values).removesuffix("\n")
        except EvaluationError as error:
            return f"<{str(error).removesuffix('.')}>"
