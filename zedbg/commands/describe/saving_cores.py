"""Saves core files, when a command asks for one and when a thread faulted."""

from __future__ import annotations

from pathlib import Path

from zedbg.commands.framework.context import CommandContext
from zedbg.commands.rows.core_rows import CoreRow

_MEBIBYTE = 1 << 20


def core_name(context: CommandContext) -> str:
    """What a core file of the process is called, as GDB calls it."""
    process = context.process
    return f"core.{process.pid if process is not None else 0}"


def save_core(
    context: CommandContext,
    path: Path,
    *,
    with_sources: bool = False,
    limit_bytes: int | None = None,
) -> CoreRow:
    """Saves what is stopped in a core file at ``path``, with ``limit_bytes`` of memory at most, as
    the setting says without; CoreFileError, EngineError or LevelZeroError where that cannot be."""
    from dataclasses import replace

    from zedbg.commands.describe.core_answers import answers
    from zedbg.cores.capture import capture
    from zedbg.cores.writing import write_core

    limit = limit_bytes
    if limit is None:
        limit = context.settings.number("core-limit") * _MEBIBYTE
    core = replace(capture(context.session, limit), host=answers(context))
    if with_sources:
        core = replace(core, sources=_sources(context))
    size = write_core(core, path)
    return CoreRow(
        path=str(path),
        action="saved",
        pid=core.pid,
        made=core.made,
        threads=sum(len(device.threads) for device in core.devices),
        memory=sum(each.size for device in core.devices for each in device.memory),
        left_out=sum(bytes_ for device in core.devices for _, bytes_ in device.left_out),
        size=size,
    )


def _sources(context: CommandContext) -> dict[str, str]:
    """The source files of what the stopped threads execute, as far as they are found."""
    places = {thread.pc: thread for thread in context.session.stopped_threads()}
    names = {
        frame.location.file
        for thread in places.values()
        for frame in thread.backtrace().frames
        if frame.location.file is not None
    }
    texts = {name: context.sources.lines(name) for name in sorted(names)}
    return {name: "\n".join(lines) + "\n" for name, lines in texts.items() if lines is not None}
