"""Breakpoints that do not stop but say something: ``break vadd.cl:4 log "i={i}"``, and
``dprintf vadd.cl:4,"i=%d\\n",i``."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from zedbg.commands.framework.command_errors import UsageError
from zedbg.commands.rows.events import LogEvent
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.values import api
from zedbg.values.evaluation_error import EvaluationError
from zedbg.values.formatting import format_value
from zedbg.values.printf import PrintfFormat, split_printf
from zedbg.values.value import Value
from zedbg.xe.coordinates import lanes_of

if TYPE_CHECKING:
    from zedbg.commands.framework.context import CommandContext

_FIELD = re.compile(r"\{([^{}]+)\}")
_LOG = re.compile(r'(?:^|\s+)log\s+"(.*)"\s*$')


def split_log(text: str) -> tuple[str, str | None]:
    """Parts ``vadd.cl:4 if i > 3 log "i={i}"`` into what is before the log, and its text."""
    match = _LOG.search(text)
    if match is not None:
        return text[: match.start()], match[1]
    if re.search(r"(?:^|\s)log\s*$", text) or re.search(r"\slog\s+\S", text):
        raise UsageError('log takes a text in quotes, as in: log "i={i}"')
    return text, None


class LaneLog(ABC):
    """Says something for each lane that hits a breakpoint; lanes with the same words share a line.

    ``text`` is what the user wrote.
    """

    def __init__(self, context: CommandContext, text: str) -> None:
        self.text = text
        self._context = context
        self._parsed: dict[tuple[int, str], api.Expression] = {}

    @abstractmethod
    def lines(self, thread: HardwareThread, lanes: list[int]) -> list[str]:
        """What it says for each of ``lanes``."""

    def __call__(self, number: int, thread: HardwareThread, lanes: int) -> None:
        """Breakpoint ``number`` was hit by ``lanes`` (a mask) of ``thread``."""
        wanted = lanes_of(lanes)
        by_text: dict[str, list[int]] = {}
        for lane, line in zip(wanted, self.lines(thread, wanted), strict=True):
            by_text.setdefault(line, []).append(lane)
        everywhere = thread.global_ids()
        for line, members in by_text.items():
            ids = everywhere if isinstance(everywhere, Missing) else everywhere[members[0]]
            first = ids if len(members) == 1 else None
            self._context.emit(LogEvent(number, thread.id, tuple(members), first, line))

    def values(
        self, field: str, thread: HardwareThread, lanes: list[int]
    ) -> Sequence[Value | Missing]:
        """The value of an expression in each of ``lanes``, or why it has none."""
        key = id(thread.module), field
        try:
            if key not in self._parsed:
                self._parsed[key] = api.Expression(field, thread)
            found = self._parsed[key].evaluate(thread, lanes)
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
    """``"FORMAT",EXPRESSION...`` as printf writes it."""

    def __init__(self, context: CommandContext, text: str) -> None:
        super().__init__(context, text)
        format_, self._arguments = split_printf(text)
        self._format = PrintfFormat(format_)
        if self._format.count != len(self._arguments):
            raise EvaluationError("Wrong number of arguments for specified format-string")

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
