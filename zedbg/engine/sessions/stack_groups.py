"""Where every stopped thread is: threads with the same call stack together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zedbg.engine.modules.locations import CodeLocation
from zedbg.engine.sessions.session import Session
from zedbg.engine.threads.frames import Backtrace
from zedbg.engine.threads.registers_together import read_headers, read_together
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.xe.registers import RegisterKind

_LOOKED_AT = (RegisterKind.CR, RegisterKind.SBA, RegisterKind.SR, RegisterKind.CE)


@dataclass(frozen=True)
class StackGroup:
    """Threads whose call frames are at the same lines.

    ``frames`` are innermost first, ``incomplete`` says why there are not more. ``threads`` are by
    number; ``workgroups``: theirs, each once.
    """

    frames: tuple[CodeLocation, ...]
    incomplete: str | None
    threads: tuple[HardwareThread, ...]
    active_lanes: int
    workgroups: tuple[tuple[int, int, int], ...]


def stack_groups(session: Session) -> list[StackGroup]:
    """Every stopped thread of ``session``, the largest groups first. Raises ProgramRunsError."""
    threads = session.stopped_threads()
    chains: dict[tuple[object, ...], Backtrace] = {}
    grouped: dict[tuple[object, ...], list[HardwareThread]] = {}
    for device in {thread.device: None for thread in threads}:
        own = [thread for thread in threads if thread.device is device]
        read_together(device, own, *_LOOKED_AT)
        read_headers(device, own)
    chain_at: dict[tuple[int, int], Backtrace] = {}
    for thread in threads:
        chain = _chain(thread, chain_at)
        key = (
            chain.stopped,
            *(
                (one.location.function, one.location.file, one.location.line)
                for one in chain.frames
            ),
            None if _has_source(chain) else thread.pc,
        )
        chains.setdefault(key, chain)
        grouped.setdefault(key, []).append(thread)
    groups = [_group(chains[key], members) for key, members in grouped.items()]
    return sorted(groups, key=lambda group: -len(group.threads))


def _place(location: CodeLocation) -> tuple[object, ...]:
    return location.function, location.file, location.line


def _has_source(chain: Backtrace) -> bool:
    return chain.frames[0].location.line is not None


def _chain(thread: HardwareThread, chain_at: dict[tuple[int, int], Backtrace]) -> Backtrace:
    """The call frames of ``thread``. All threads at one instruction have the same ones where that
    is no part of a function that was called: then they are found once."""
    key = thread.device.number, thread.pc
    if key in chain_at:
        return chain_at[key]
    chain = thread.backtrace()
    own = [each for each in chain.frames if each.unwound is None or not each.unwound.is_inlined]
    if len(own) == 1 and chain.stopped is None:
        chain_at[key] = chain
    return chain


def _group(chain: Backtrace, threads: Sequence[HardwareThread]) -> StackGroup:
    workgroups: dict[tuple[int, int, int], None] = {}
    lanes = 0
    for thread in threads:
        try:
            workgroups[thread.workgroup] = None
            lanes += thread.active_lanes.bit_count()
        except (LevelZeroError, ValueError):
            continue  # its header is not what it was: it counts as a thread only
    stopped = chain.stopped
    return StackGroup(
        frames=tuple(each.location for each in chain.frames),
        incomplete=stopped.reason if isinstance(stopped, Missing) else None,
        threads=tuple(threads),
        active_lanes=lanes,
        workgroups=tuple(sorted(workgroups, key=lambda place: place[::-1])),
    )
