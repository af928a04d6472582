"""Attaches to a program and leaves it, again and again, over one simulated device.

attaching_again.py DEVICE TIMES: prints, as JSON, what each of the processes held after each time:
open files, threads and resident KiB.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import zedbg
from zedbg.engine import Stop
from zedbg.engine.errors import EngineError

HOST = Path(__file__).parent / "engine_host.py"
ZEBIN = Path(__file__).parents[1] / "kernels" / "zebin"
MANDEL = ["mandel", "1", "16", "buf:64:0", "i32:16", "i32:16", "f32:0", "f32:0", "f32:0"]
ENDLESS = "i32:100000000"


def held_by(pid: int) -> tuple[int, int, int]:
    """Open files, threads and resident KiB of a process."""
    process = Path(f"/proc/{pid}")
    status = (process / "status").read_text()
    resident = int(status.partition("VmRSS:")[2].split()[0])
    return len(list((process / "fd").iterdir())), len(list((process / "task").iterdir())), resident


def main(device: str, times: int) -> None:
    session, choice = zedbg.open_session(device)
    module = ZEBIN / f"igc2-{device}-O0" / "mandel.zebin"
    program = subprocess.Popen(
        [sys.executable, str(HOST), str(module), *MANDEL, ENDLESS],
        env=os.environ | choice.environment | {"ZET_ENABLE_PROGRAM_DEBUGGING": "1"},
    )
    try:
        session.break_at("nosuch")
        held = []
        while len(held) < times:
            try:
                stop = session.attach(program.pid)
            except EngineError:  # it has made no context yet
                if held or program.poll() is not None:
                    raise
                continue
            runs = isinstance(stop, Stop) and bool(stop.threads)
            session.detach()
            if runs:
                held.append((held_by(os.getpid()), held_by(program.pid)))
        print(json.dumps(held))
    finally:
        program.kill()
        program.wait()


main(sys.argv[1], int(sys.argv[2]))
