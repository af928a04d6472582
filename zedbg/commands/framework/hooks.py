"""What plugins put between commands and what those show; without plugins, nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # a session without plugins needs none of them
    from zedbg.commands.rows.session_rows import FrameRow
    from zedbg.dwarf.types.program_types import Type
    from zedbg.engine.ground.notifier import Notification
    from zedbg.engine.threads.frames import Frame
    from zedbg.values.formats.printed import Printed
    from zedbg.values.typed.value import Value

    ShownFrame = tuple[Frame, FrameRow]


class Pane(Protocol):
    """A part of the screen that shows something of the session, made anew whenever it is shown."""

    name: str
    title: str

    def lines(self, width: int, height: int) -> Sequence[str]:
        """What it shows now: at most ``height`` lines of at most ``width`` columns."""


@dataclass
class Hooks:
    """Each list is asked in its order.

    ``printers``: how a value is shown, given it and its lane (None: the focused one); the first
    answer that is not None counts. ``type_names``: what a type is called instead, the same way.
    ``frames``: the frames of a backtrace, given them with the rows that would show them.
    ``listeners`` are given every notification of the session, in the order in which it is shown.
    ``panes``: by name.
    """

    printers: list[Callable[[Value, int | None], Printed | None]] = field(default_factory=list)
    type_names: list[Callable[[Type], str | None]] = field(default_factory=list)
    frames: list[Callable[[Iterable[ShownFrame]], list[ShownFrame]]] = field(default_factory=list)
    listeners: list[Callable[[Notification], None]] = field(default_factory=list)
    panes: dict[str, Pane] = field(default_factory=dict)

    def printed(self, value: Value, lane: int | None) -> Printed | None:
        """What the first pretty-printer that knows ``value`` says of it."""
        for printer in tuple(self.printers):  # one that loads a plugin takes itself out
            if (printed := printer(value, lane)) is not None:
                return printed
        return None

    def type_name(self, value_type: Type, name: str) -> str:
        """The name of a type, as a type printer has it, or ``name``."""
        found = (printer(value_type) for printer in self.type_names)
        return next((each for each in found if each is not None), name)


class PrinterOfPlugin:
    """Stands for the pretty-printers of a plugin that is loaded by ``load`` when a value is shown
    whose type's name begins with one of ``types``."""

    def __init__(self, types: tuple[str, ...], load: Callable[[], None], hooks: Hooks) -> None:
        self._types = types
        self._load = load
        self._hooks = hooks

    def __call__(self, value: Value, lane: int | None) -> Printed | None:
        name = value.type.stripped().name
        if not name.startswith(self._types):
            return None
        self._hooks.printers.remove(self)
        self._load()
        return self._hooks.printed(value, lane)
