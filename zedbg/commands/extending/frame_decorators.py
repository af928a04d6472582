"""Frame decorators and filters of plugins: what backtraces show of frames."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from zedbg.commands.extending.plugin import Plugin, PluginFailed, running_plugin
from zedbg.engine.threads.frames import Frame

if TYPE_CHECKING:
    from zedbg.commands.framework.hooks import ShownFrame

_T = TypeVar("_T")
FrameFilter = Callable[[Iterable["FrameDecorator"]], Iterable["FrameDecorator"]]


@dataclass
class FrameDecorator:
    """A frame as a backtrace shows it: a plugin derives from it and changes what it wants.

    ``base``: the frame that it is for, or another decorator of it.
    """

    base: FrameDecorator | None

    def inferior_frame(self) -> Frame:
        """The engine's frame: its level, pc, location, registers."""
        return self._base.inferior_frame()

    def function(self) -> str | None:
        """The name of its function."""
        return self._base.function()

    def filename(self) -> str | None:
        """The source file."""
        return self._base.filename()

    def line(self) -> int | None:
        """The source line."""
        return self._base.line()

    def arguments(self) -> str:
        """Its arguments, as ``n=64, scale=1.5``."""
        return self._base.arguments()

    def elided(self) -> Iterable[FrameDecorator]:
        """Frames that this one stands for; they are not shown themselves."""
        return self._base.elided()

    @property
    def _base(self) -> FrameDecorator:
        if self.base is None:
            raise PluginFailed("a frame decorator has no frame that it is for")
        return self.base


class _PlainFrame(FrameDecorator):
    """A frame that nobody has decorated yet."""

    def __init__(self, shown: ShownFrame) -> None:
        super().__init__(None)
        self._frame, self._row = shown

    def inferior_frame(self) -> Frame:
        return self._frame

    def function(self) -> str | None:
        return self._row.function

    def filename(self) -> str | None:
        return self._row.file

    def line(self) -> int | None:
        return self._row.line

    def arguments(self) -> str:
        return self._row.arguments

    def elided(self) -> Iterable[FrameDecorator]:
        return ()


def frame_filter(function: FrameFilter) -> FrameFilter:
    """Declares the function below: it is given the frames of a backtrace, innermost first, and
    returns those to show, each as it is or in a FrameDecorator."""
    running_plugin().add(FrameContribution(function, function.__name__))
    return function


def frame_decorator(kind: type[FrameDecorator]) -> type[FrameDecorator]:
    """Declares the class below as the decorator of every frame."""

    def decorated(frames: Iterable[FrameDecorator]) -> Iterator[FrameDecorator]:
        return (kind(each) for each in frames)

    running_plugin().add(FrameContribution(decorated, kind.__name__))
    return kind


class FrameContribution:
    """What changes the frames of backtraces."""

    def __init__(self, function: FrameFilter, name: str) -> None:
        self._function = function
        self._plugin: Plugin | None = None
        self.description = f"frame decorator {name}"

    @property
    def made(self) -> object:
        return self._function

    def attach(self, plugin: Plugin) -> None:
        self._plugin = plugin
        plugin.context.hooks.frames.append(self._shown)

    def detach(self) -> None:
        assert self._plugin is not None
        self._plugin.context.hooks.frames.remove(self._shown)

    def _shown(self, frames: Iterable[ShownFrame]) -> list[ShownFrame]:
        assert self._plugin is not None
        given = list(frames)
        rows = {id(frame): row for frame, row in given}

        def decorated() -> list[ShownFrame]:
            shown = list(self._function([_PlainFrame(each) for each in given]))
            elided = {id(one.inferior_frame()) for each in shown for one in each.elided()}
            result = []
            for each in shown:
                frame = each.inferior_frame()
                if id(frame) not in elided:
                    row = dataclasses.replace(
                        rows[id(frame)],
                        function=_optional(each.function(), str),
                        file=_optional(each.filename(), str),
                        line=_optional(each.line(), int),
                        arguments=str(each.arguments()),
                    )
                    result.append((frame, row))
            return result

        return self._plugin.try_call(f"the {self.description}", decorated, given)


def _optional(value: object, kind: type[_T]) -> _T | None:
    if value is not None and not isinstance(value, kind):
        raise PluginFailed(f"a frame decorator returned {type(value).__name__}")
    return value
