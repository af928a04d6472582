"""Breakpoints that do not stop but say something: ``break vadd.cl:4 log "i={i}"``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from zedbg.commands.errors import UsageError
from zedbg.commands.events import LogEvent
from zedbg.engine.thread import HardwareThread
from zedbg.levelzero.errors import LevelZeroError
from zedbg.values import api
from zedbg.values.context import Missing
from zedbg.values.errors import EvaluationError
from zedbg.values.formatting import format_value
from zedbg.xe.coordinates import lanes_of

if TYPE_CHECKING:
    from zedbg.commands.context import CommandContext

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


class Logpoint:
    """Shows ``text`` for the lanes that hit, with each ``{expression}`` as its value there.

    Lanes with the same words share a line.
    """

    def __init__(self, context: CommandContext, text: str) -> None:
        self.text = text
        self._context = context
        self._fields = _FIELD.findall(text)
        self._parsed: dict[tuple[int, str], api.Expression] = {}

    def __call__(self, number: int, thread: HardwareThread, lanes: int) -> None:
        """Breakpoint ``number`` was hit by ``lanes`` (a mask) of ``thread``."""
        wanted = lanes_of(lanes)
        columns = [self._values(field, thread, wanted) for field in self._fields]
        by_text: dict[str, list[int]] = {}
        for position, lane in enumerate(wanted):
            values = iter(column[position] for column in columns)
            line = _FIELD.sub(lambda _, values=values: next(values), self.text)  # type: ignore[misc]
            by_text.setdefault(line, []).append(lane)
        everywhere = thread.global_ids()
        for line, members in by_text.items():
            ids = everywhere if isinstance(everywhere, Missing) else everywhere[members[0]]
            first = ids if len(members) == 1 else None
            self._context.emit(LogEvent(number, thread.id, tuple(members), first, line))

    def _values(self, field: str, thread: HardwareThread, lanes: list[int]) -> list[str]:
        key = id(thread.module), field
        try:
            if key not in self._parsed:
                self._parsed[key] = api.Expression(field, thread)
            found = self._parsed[key].evaluate(thread, lanes)
        except (EvaluationError, LevelZeroError) as error:
            return [f"<{str(error).removesuffix('.')}>"] * len(lanes)
        return [format_value(value) for _lane, value in found]
