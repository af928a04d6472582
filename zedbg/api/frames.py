"""Call frames of a stopped thread."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from zedbg.api.stopped_state import StoppedState
from zedbg.api.values import Values
from zedbg.engine.modules.locations import CodeLocation
from zedbg.engine.threads.frame_contexts import frame_context
from zedbg.engine.threads.frames import Backtrace
from zedbg.engine.threads.frames import Frame as EngineFrame
from zedbg.engine.threads.thread import HardwareThread
from zedbg.sycl.kernel_names import demangled
from zedbg.values.expressions.api import variables
from zedbg.xe.coordinates import lanes_of


def place_text(location: CodeLocation) -> str:
    """``blur at blur.cl:15``; the address where there is no source line."""
    function = demangled(location.function or location.kernel or "??")
    if location.file is None or location.line is None:
        return f"{function} at {location.pc:#x}"
    return f"{function} at {PurePath(location.file).name}:{location.line}"


class Frame:
    """A call frame; frame 0 is the innermost.

    >>> frame = thread.frames[0]
    >>> frame.function, frame.line
    ('blur', 15)
    >>> frame["i"].lanes[:3]
    [0, 1, 2]
    """

    def __init__(self, state: StoppedState, thread: HardwareThread, frame: EngineFrame) -> None:
        self._state = state
        self._thread = thread
        self._frame = frame

    @property
    def level(self) -> int:
        """How many frames lie inside it.

        >>> frame.level
        0
        """
        return self._frame.level

    @property
    def pc(self) -> int:
        """The address where it goes on.

        >>> frame.pc == thread.pc
        True
        """
        return self._frame.pc

    @property
    def function(self) -> str | None:
        """The function, None when it is not known.

        >>> frame.function
        'blur'
        """
        return self._frame.location.function

    @property
    def file(self) -> str | None:
        """The path of the source file, as the compiler recorded it; None without debug info.

        >>> frame.file
        '/tmp/blur.cl'
        """
        return self._frame.location.file

    @property
    def line(self) -> int | None:
        """The source line, in outer frames that of the call; None without debug information.

        >>> frame.line
        15
        """
        return self._frame.location.line

    def __getitem__(self, expression: str) -> Values:
        """The value of ``expression`` in the frame, in each lane that is active there.

        Raises :class:`~zedbg.EvaluationError`.
        """
        return self.evaluate(expression)

    def evaluate(self, expression: str, lanes: list[int] | None = None) -> Values:
        """The same, in ``lanes`` if given. An assignment writes.

        >>> frame.evaluate("i", [5]).lanes
        [5]
        """
        context = frame_context(self._thread, self._frame)
        return Values(expression, self._state.evaluate(self._thread, context, expression, lanes))

    @property
    def variables(self) -> dict[str, Values]:
        """Every variable in scope, innermost block first, in the lanes that are active there.

        >>> list(frame.variables)
        ['in', 'out', 'n', 'i', 'left', 'right', 'value']
        """
        with self._state.looking():
            context = frame_context(self._thread, self._frame)
            lanes = lanes_of(context.active_lanes)
            return {
                each.variable.name: Values(each.variable.name, each.values)
                for each in variables(context, lanes)
            }

    def __str__(self) -> str:
        return f"#{self.level}  {place_text(self._frame.location)}"

    def __repr__(self) -> str:
        return f"<Frame {self}>"


class Frames:
    """The call frames of a thread, innermost first; ``incomplete`` says why there are not more.

    >>> [frame.function for frame in thread.frames]
    ['blur']
    >>> thread.frames.incomplete is None
    True
    """

    def __init__(self, state: StoppedState, thread: HardwareThread, chain: Backtrace) -> None:
        self._frames = [Frame(state, thread, each) for each in chain.frames]
        self.incomplete = None if chain.stopped is None else chain.stopped.reason

    def __getitem__(self, level: int) -> Frame:
        """Frame ``level``; negative from the outermost. IndexError when there is none."""
        return self._frames[level]

    def __iter__(self) -> Iterator[Frame]:
        return iter(self._frames)

    def __len__(self) -> int:
        return len(self._frames)

    def __repr__(self) -> str:
        return "\n".join(map(str, self._frames))
