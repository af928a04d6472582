"""The launches of a program, by the calls that ``libzedbg_hold.so`` noted in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import lt
from typing import Protocol, TypeVar

from zedbg.host.host_calls import Record, record_of_process
from zedbg.host.mappings import ProcessMemory

_NAME_BYTES = 511  # longer names of kernels are cut where they are noted


class Launch(Protocol):
    """What is known of a launch: of which kernel, of how many work-groups (None where the device
    reads that), and the first 16 bytes of each argument that has a value, by its index."""

    @property
    def name(self) -> str: ...

    @property
    def groups(self) -> tuple[int, int, int] | None: ...

    @property
    def arguments(self) -> dict[int, bytes]: ...


_Launch = TypeVar("_Launch", bound=Launch)


@dataclass(frozen=True)
class NotedLaunch:
    """A :class:`Launch` without the rest of the call."""

    name: str
    groups: tuple[int, int, int] | None
    arguments: dict[int, bytes]


class NotedLaunches:
    """Those of process ``pid``, which are read again only after more calls were noted. Of a process
    that is gone: those that are ``saved``."""

    def __init__(self, pid: int, saved: Sequence[Launch] = ()) -> None:
        self._memory = ProcessMemory(pid)
        self._record: Record | None = None
        self._found: Sequence[Launch] = ()
        self._saved = saved
        self._is_looked_for = False

    def now(self) -> Sequence[Launch]:
        """Every launch so far; none where not all of them are known."""
        if self._saved:
            return self._saved
        if not self._is_looked_for:
            self._is_looked_for = True
            now = record_of_process(self._memory)
        else:
            now = None if self._record is None else self._record.now()
        if now is None or self._record is None or now.noted != self._record.noted:
            self._found = () if now is None else now.all_launches() or ()
        self._record = now
        return self._found


def launches_of_kernel(
    launches: Iterable[_Launch],
    kernel: str,
    groups: tuple[int, int, int] | None,
    group: tuple[int, int, int],
) -> list[_Launch]:
    """Those that work-group ``group`` of ``kernel`` may be of, which has as many as ``groups``;
    None: that is not known."""
    name = kernel.encode()[:_NAME_BYTES].decode("utf-8", "ignore")
    return [
        call
        for call in launches
        if call.name == name
        and (
            call.groups is None
            or (groups in (None, call.groups) and all(map(lt, group, call.groups)))
        )
    ]


def was_passed(call: Launch, values: Mapping[int, bytes]) -> bool:
    """Whether ``call`` was made with the arguments ``values``, as far as both are known."""
    for index, noted in call.arguments.items():
        known = values.get(index, noted)
        size = min(len(known), len(noted))
        if known[:size] != noted[:size]:
            return False
    return True


def argument_passed(
    launches: Sequence[Launch], index: int, size: int, values: Mapping[int, bytes]
) -> bytes | None:
    """The ``size`` bytes that all of ``launches`` which have the arguments ``values`` pass as
    argument ``index``; None where they differ, or are not noted whole."""
    found = {call.arguments.get(index, b"")[:size] for call in launches if was_passed(call, values)}
    data = found.pop() if len(found) == 1 else b""
    return data if size and len(data) == size else None
