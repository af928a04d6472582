"""The process in which a program's simulated GPU runs, and programs that are stopped meanwhile."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

NAME = "simulated-gpu"


def tasks(pid: int) -> list[Path]:
    """The directory in /proc of each thread."""
    return list(Path(f"/proc/{pid}/task").iterdir())


def device_processes(pid: int) -> list[int]:
    """The program's processes of that name: one at most."""
    children = [
        int(child) for task in tasks(pid) for child in (task / "children").read_text().split()
    ]
    return [child for child in children if Path(f"/proc/{child}/comm").read_text() == f"{NAME}\n"]


def device_process(pid: int) -> int:
    """Id of the process of the program's GPU."""
    [device] = device_processes(pid)
    return device


def stop_by_signal(pid: int) -> None:
    """Sends SIGSTOP, and returns when it has reached every thread of the process."""

    def is_stopped(task: Path) -> bool:
        return (task / "stat").read_text().rpartition(")")[2].split()[0] == "T"

    os.kill(pid, signal.SIGSTOP)
    while not all(is_stopped(task) for task in tasks(pid)):
        time.sleep(0.001)
