"""The threads of a process, as the system lists them (proc(5), /proc/PID/task)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_STATES = {
    "R": "running",
    "S": "sleeping",
    "D": "waiting for a device",
    "T": "stopped",
    "t": "stopped by a debugger",
    "Z": "ended",
    "X": "ended",
    "I": "idle",
}


@dataclass(frozen=True)
class HostThread:
    """A thread. ``id`` is the system's number of it; ``tracer`` the process that debugs it, 0 for
    none."""

    id: int
    name: str
    state: str
    tracer: int


def threads_of(pid: int) -> list[HostThread]:
    """The threads of process ``pid`` by their ids; none when it is gone."""
    try:
        numbers = sorted(int(each.name) for each in Path(f"/proc/{pid}/task").iterdir())
    except (OSError, ValueError):
        return []
    found = (host_thread(pid, number) for number in numbers)
    return [thread for thread in found if thread is not None]


def host_thread(pid: int, number: int) -> HostThread | None:
    """Thread ``number`` of process ``pid``; None when it is gone."""
    try:
        text = Path(f"/proc/{pid}/task/{number}/status").read_text(errors="replace")
    except OSError:
        return None
    said = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    letter = said.get("State", "").strip()[:1]
    tracer = said.get("TracerPid", "0").strip()
    return HostThread(
        number,
        said.get("Name", "").strip(),
        _STATES.get(letter, letter or "unknown"),
        int(tracer) if tracer.isdecimal() else 0,
    )
