"""What a session knows, as words for completion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import Kind
from zedbg.commands.framework.settings import SETTINGS
from zedbg.engine.engine_errors import EngineError
from zedbg.engine.ground.session_state import SessionState
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.levelzero.level_zero_errors import LevelZeroError

_MANY_THREADS = 64


class SessionVocabulary:
    """The words of each kind that exist now; nothing is read from a device for them."""

    def __init__(self, context: CommandContext) -> None:
        self._context = context

    def of_kind(self, kind: Kind) -> Iterable[str]:
        """Every word of ``kind``; empty when nothing is known."""
        try:
            return list(self._words(kind))
        except (EngineError, LevelZeroError):
            return []

    def _words(self, kind: Kind) -> Iterator[str]:
        match kind:
            case Kind.KERNEL:
                yield from (name for module in self._modules() for name in module.kernel_names)
            case Kind.LOCATION:
                yield from self._functions()
                for module in self._modules():
                    if module.debug_info is not None:
                        yield from (f"{Path(f.path).name}:" for f in module.debug_info.lines.files)
            case Kind.THREAD:
                if self._context.session.state is SessionState.STOPPED:
                    threads = self._context.session.stopped_threads()
                    yield from (thread.id for thread in threads[:_MANY_THREADS])
            case Kind.REGISTER:
                yield from self._registers("")
                yield from ("all", "grf", "arf")
            case Kind.EXPRESSION:
                yield from self._variables()
                yield from self._registers("$")
            case Kind.BREAKPOINT:
                yield from (str(each.number) for each in self._context.session.breakpoints)
            case Kind.SETTING:
                yield from SETTINGS
            case Kind.COMMAND:
                yield from self._context.registry.names
            case Kind.PROCESS:
                yield from (path.name for path in Path("/proc").glob("[0-9]*"))
            case Kind.FILE:
                yield from (str(path) for path in Path().glob("*"))

    def _modules(self) -> list[LoadedModule]:
        return [module for device in self._context.session.devices for module in device.modules]

    def _functions(self) -> Iterator[str]:
        for module in self._modules():
            yield from module.kernel_names
            if module.debug_info is not None:
                yield from (each.name for each in module.debug_info.functions if each.name)

    def _registers(self, prefix: str) -> Iterator[str]:
        for device in self._context.session.devices[:1]:
            yield from (f"{prefix}{each.name}" for each in device.register_layout.registers())

    def _variables(self) -> Iterator[str]:
        focus = self._context.session.focus
        if focus is None or focus.thread.debug_info is None:
            return
        for _, variable in focus.thread.debug_info.variables_at(focus.thread.pc):
            if variable.name:
                yield variable.name
