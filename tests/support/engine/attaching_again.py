"""Attaches to a program and leaves it, again and again, over one simulated device.

attaching_again.py DEVICE TIMES: prints, as a line of JSON, what was held after each time: by the
debugger open files, threads, resident KiB, Python's blocks of memory and the KiB that malloc() has
given out; by the program the first three. Garbage in cycles, which Python clears away now and then,
does not count, nor do the names in its cache of attributes: each look-up by C code may leave one
there, of 4,096.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import subprocess
import sys
from pathlib import Path

from tests.support.module_command import module_command
from tests.support.packed_modules import ZEBINS
from zedbg.engine import Stop
from zedbg.engine.engine_errors import EngineError
from zedbg.engine.sessions import opening

MANDEL = ["mandel", "1", "16", "buf:64:0", "i32:16", "i32:16", "f32:0", "f32:0", "f32:0"]
ENDLESS = "i32:100000000"


class Mallinfo2(ctypes.Structure):
    """The C library's: what malloc() has in each state, in bytes or pieces."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    ]


MALLINFO2 = ctypes.CDLL(None).mallinfo2
MALLINFO2.restype = Mallinfo2


def held_by(pid: int) -> tuple[int, int, int]:
    """Open files, threads and resident KiB of a process."""
    process = Path(f"/proc/{pid}")
    status = (process / "status").read_text()
    resident = int(status.partition("VmRSS:")[2].split()[0])
    files, threads = (len(list((process / each).iterdir())) for each in ("fd", "task"))
    return files, threads, resident


def in_use() -> tuple[int, int]:
    """Of what this process still needs: Python's blocks of memory, and malloc()'s KiB."""
    sys._clear_type_cache()
    gc.collect()
    return sys.getallocatedblocks(), MALLINFO2().uordblks // 1024


def main(device: str, times: int) -> None:
    session, choice = opening.open_session(device)
    module = ZEBINS / f"igc2-{device}-O0" / "mandel.zebin"
    program = subprocess.Popen(
        module_command("engine.engine_host", module, *MANDEL, ENDLESS),
        env=os.environ | choice.environment | {"ZET_ENABLE_PROGRAM_DEBUGGING": "1"},
    )
    try:
        session.break_at("nosuch")
        done = 0
        gc.freeze()  # only what comes now can be garbage
        while done < times:
            try:
                stop = session.attach(program.pid)
            except EngineError:  # it has made no context yet
                if done or program.poll() is not None:
                    raise
                continue
            runs = isinstance(stop, Stop) and bool(stop.threads)
            session.detach()
            if runs:
                done += 1
                # Nothing of it is kept here.
                print(
                    json.dumps([[*held_by(os.getpid()), *in_use()], held_by(program.pid)]),
                    flush=True,
                )
    finally:
        program.kill()
        program.wait()


main(sys.argv[1], int(sys.argv[2]))
