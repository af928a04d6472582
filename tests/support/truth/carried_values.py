"""What zedbg shows of the values that the loops of carried.cl carry: ``carried_values.py BUILD``.

Prints one JSON object: for each kernel how many values were shown, and those that are not what this
program computes: kernel, iteration, id, shown, computed.
"""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Callable

from tests.support.packed_modules import MODULES
from zedbg.engine.process.exited import Exited
from zedbg.engine.sessions import opening
from zedbg.values.api import evaluate
from zedbg.values.value import Value
from zedbg.xe.coordinates import lanes_of

FOLDER = MODULES / "carried"
ITERATIONS = 5
_MASK = (1 << 32) - 1
_ARGUMENTS = ("u32[1024]=0", "u32[1024]=iota", f"i32={ITERATIONS}")
_LINES = {"mixed": 8, "floats": 17, "ways": 30, "sums": 38}


def _mixed(value: float, gid: int, i: int) -> float:
    value = (int(value) * 1664525 + 1013904223) & _MASK
    return value ^ value >> 7


def _floats(value: float, gid: int, i: int) -> float:
    changed = value - 16.5 if value > 20.0 else value + 3.25
    number: float = struct.unpack("<f", struct.pack("<f", changed))[0]
    return number


def _ways(value: float, gid: int, i: int) -> float:
    return (3 * int(value) + 1) & _MASK if int(value) & 1 else int(value) >> 1


def _sums(value: float, gid: int, i: int) -> float:
    return value + (gid + i & 1023)


_KERNELS: dict[str, Callable[[float, int, int], float]] = {
    "mixed": _mixed,
    "floats": _floats,
    "ways": _ways,
    "sums": _sums,
}


def _after(kernel: str, gid: int, iteration: int) -> float:
    value: float = 0 if kernel == "sums" else gid
    for i in range(iteration + 1):
        value = _KERNELS[kernel](value, gid, i)
    return value


def main(build: str) -> None:
    found = {}
    for kernel, line in _LINES.items():
        shown, unlike = 0, []
        module = f"{FOLDER / build}/carried.zebin:{kernel}"
        command = [sys.executable, "-m", "zedbg.frontends.main", "kernel", module]
        command += ["--global", "64", "--local", "64", *_ARGUMENTS]
        silent = {"output": lambda stream, text: None}
        with opening.launch(command, sim=build.split("-")[1], **silent) as session:  # type: ignore[arg-type]
            session.break_at(f"carried.cl:{line}")
            while not isinstance(stop := session.continue_(timeout=60), Exited):
                assert stop is not None, "the program hangs"
                for hit in stop:
                    ids = hit.thread.global_ids()
                    lanes = lanes_of(hit.lanes)
                    numbers = [value for _, value in evaluate("i", hit.thread, lanes)]
                    for (lane, value), i in zip(
                        evaluate("value", hit.thread, lanes), numbers, strict=True
                    ):
                        if not isinstance(value, Value) or not isinstance(i, Value) or value.doubt:
                            continue
                        gid, iteration = ids[lane][0], int(i.number)
                        expected = _after(kernel, gid, iteration)
                        shown += 1
                        if value.number != expected:
                            unlike.append([kernel, iteration, gid, value.number, expected])
        found[kernel] = [shown, unlike[:10]]
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
