"""The breakpoints of a session."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from zedbg.api.breakpoint import Breakpoint
from zedbg.api.stops import Stop
from zedbg.engine.breakpoints.breakpoint import Breakpoint as EngineBreakpoint
from zedbg.engine.breakpoints.breakpoint_specs import LaunchSpec
from zedbg.engine.breakpoints.watch import WatchAccess
from zedbg.engine.sessions.session import Session as EngineSession

Callback = Callable[[Stop], object]


class Breakpoints:
    """The breakpoints of a session, by number.

    >>> len(session.breakpoints), 1 in session.breakpoints
    (1, True)
    """

    def __init__(self, engine: EngineSession) -> None:
        self._engine = engine
        self._made: dict[int, Breakpoint] = {}

    def add(
        self,
        location: str,
        *,
        condition: str | None = None,
        callback: Callback | None = None,
        temporary: bool = False,
        lane: int | None = None,
        work_item: tuple[int, int, int] | None = None,
        work_group: tuple[int, int, int] | None = None,
        log: str | None = None,
    ) -> Breakpoint:
        """A breakpoint at ``FILE:LINE``, a line, a function, a kernel or ``*ADDRESS``.

        ``condition``: an expression; it hits in the lanes where that is not zero. ``callback``: see
        :attr:`Breakpoint.callback`. ``lane``, ``work_item`` (global id) and ``work_group`` restrict
        it. ``log``: a text with ``{expressions}`` that goes to ``session.messages`` instead of a
        stop. Raises :class:`~zedbg.BreakpointError` and :class:`~zedbg.ConditionError`.

        >>> nan = session.breakpoints.add("blur.cl:18", condition="value != value")
        >>> nan.places
        ['blur at blur.cl:18']
        >>> nan.delete()
        """
        made = self._engine.break_at(
            location,
            temporary=temporary,
            condition=condition,
            lane=lane,
            work_item=work_item,
            workgroup=work_group,
            log=log,
        )
        return self._wrap(made, callback)

    def add_launch(
        self, kernel: str = "*", *, callback: Callback | None = None, temporary: bool = False
    ) -> Breakpoint:
        """A stop at the first thread of each launch of the kernels whose name fits ``kernel``.

        >>> at_launch = session.breakpoints.add_launch("bl*")
        >>> at_launch.delete()
        """
        made = self._engine.catch(f"launch {kernel}", LaunchSpec(kernel), temporary=temporary)
        return self._wrap(made, callback)

    def add_watch(
        self,
        expression: str,
        *,
        location: bool = False,
        access: str = "write",
        condition: str | None = None,
        lane: int | None = None,
        work_item: tuple[int, int, int] | None = None,
    ) -> Breakpoint:
        """A watchpoint on the value of ``expression`` in the focused thread; with ``location``, on
        the memory that it names in the focused lane. ``lane``, ``work_item`` (a global id): only in
        that lane, or for that work-item.

        ``access``: ``"write"`` stops where the value changes; ``"read"`` where that memory is read,
        ``"access"`` where it is read or written: of memory, and where the driver can watch it.

        Raises :class:`~zedbg.EvaluationError` when it has no value,
        :class:`~zedbg.BreakpointError` when it cannot be watched, :class:`~zedbg.NoThreadError`
        when no stopped thread has the work-item, and ValueError for another ``access``.

        >>> watched = session.breakpoints.add_watch("value")
        >>> watched.delete()
        """
        made = self._engine.watch(
            expression,
            location=location,
            access=WatchAccess(access),
            condition=condition,
            lane=lane,
            work_item=work_item,
        )
        return self._wrap(made, None)

    def clear(self) -> None:
        """Takes all of them out.

        >>> kept = [each.location for each in session.breakpoints]
        >>> session.breakpoints.clear()
        >>> for location in kept:
        ...     _ = session.breakpoints.add(location)
        """
        for each in list(self):
            each.delete()

    def __getitem__(self, number: int) -> Breakpoint:
        """Breakpoint ``number``; :class:`~zedbg.BreakpointError` when there is none."""
        with self._engine.condition:
            return self._of(self._engine.breakpoints.get(number))

    def __contains__(self, number: object) -> bool:
        return any(each.number == number for each in self)

    def __iter__(self) -> Iterator[Breakpoint]:
        with self._engine.condition:
            return iter([self._of(each) for each in self._engine.breakpoints])

    def __len__(self) -> int:
        return len(self._engine.breakpoints)

    def _wrap(self, made: EngineBreakpoint, callback: Callback | None) -> Breakpoint:
        found = self._of(made)
        found.callback = callback
        return found

    def _of(self, made: EngineBreakpoint) -> Breakpoint:
        """The one object that stands for ``made``."""
        if made.number not in self._made:
            self._made[made.number] = Breakpoint(self._engine, made)
        return self._made[made.number]

    def __repr__(self) -> str:
        return f"<Breakpoints {list(self)}>"
