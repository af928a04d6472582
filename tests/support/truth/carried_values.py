"""What zedbg shows of the values that the loops of carried.cl, loaded.cl and left.cl carry:
``carried_values.py BUILD``.

Prints one JSON object: for each kernel how many values were shown, and those that are not what this
program computes: kernel, iteration, id, shown, computed.
"""

from __future__ import annotations

import ctypes
import json
import struct
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.support.packed_modules import MODULES
from zedbg.engine.process.exited import Exited
from zedbg.engine.sessions import opening
from zedbg.values.expressions.api import evaluate
from zedbg.values.typed.value import Value
from zedbg.xe.coordinates import lanes_of

FOLDER = MODULES / "carried"
ITERATIONS = 5
_MASK = (1 << 32) - 1
_TABLE = (3, 1, 4, 1, 5, 9, 2, 6)
_WORDS = struct.pack("<1024I", *(each * 2654435761 & _MASK for each in range(1024)))
_FLOATS = struct.pack("<1024f", *map(float, range(1024)))


def _word(index: int) -> int:
    return _at("I", index & 1023)


def _at(letter: str, index: int) -> int:
    number: int = struct.unpack_from(f"<{letter}", _WORDS, index * struct.calcsize(letter))[0]
    return number


def _single(number: float) -> float:
    rounded: float = struct.unpack("<f", struct.pack("<f", number))[0]
    return rounded


_multiply_add = ctypes.CDLL("libm.so.6").fmaf  # which rounds once
_multiply_add.restype = ctypes.c_float
_multiply_add.argtypes = [ctypes.c_float] * 3


def _escapes(value: float, gid: int, i: int) -> float:
    value = value if i else gid * 0.125
    result: float = _multiply_add(value, 1.1, _single(value * value))
    return result


def _mixed(value: int, gid: int, i: int) -> int:
    value = (value * 1664525 + 1013904223) & _MASK
    return value ^ value >> 7


def _ways(value: int, gid: int, i: int) -> int:
    return (3 * value + 1) & _MASK if value & 1 else value >> 1


def _sizes(value: int, gid: int, i: int) -> int:
    shorts, longs = _at("h", gid + i & 2047), _at("Q", gid + i & 511)
    return value + _at("B", gid + 3 * i & 4095) + shorts + (longs >> 32) & _MASK


def _choices(value: int, gid: int, i: int) -> int:
    return (value + _word(value + i) if value + i & 1 else value * 5 + 1) & _MASK


def _vectors(value: int, gid: int, i: int) -> int:
    first = 4 * (gid + i & 255)
    return value * 3 + _word(first) - _word(first + 3) & _MASK


@dataclass(frozen=True)
class _Kernel:
    """``after``: the value after an iteration, of the one before it, the id and the iteration's
    number; it is ``begin`` at first, or the id. ``iteration``: that number, by ``counter``."""

    line: int
    after: Callable[..., float]
    begin: float | None = None
    source: str = "loaded"
    input: bytes = _WORDS
    counter: str = "i"
    iteration: Callable[[int], int] = int


#: Of `own` nothing is known, for it loads what it writes.
_KERNELS = {
    "mixed": _Kernel(8, _mixed, source="carried"),
    "floats": _Kernel(
        17, lambda v, g, i: _single(v - 16.5 if v > 20.0 else v + 3.25), source="carried"
    ),
    "ways": _Kernel(30, _ways, source="carried"),
    "sums": _Kernel(38, lambda v, g, i: v + _word(g + i) & _MASK, 0, source="carried"),
    "dots": _Kernel(
        10, lambda v, g, i: _single((g + i & 1023) * 0.25 + v * 0.5), 0.5, input=_FLOATS
    ),
    "gathers": _Kernel(18, lambda v, g, i: _word(_word(v) + i) ^ v >> 3),
    "sizes": _Kernel(29, _sizes, 0),
    "choices": _Kernel(40, _choices),
    "vectors": _Kernel(50, _vectors),
    "own": _Kernel(58, lambda v, g, i: v + _word(g + i) & _MASK, 0),
    "escapes": _Kernel(11, _escapes, source="left"),
    "counts": _Kernel(22, lambda v, g, i: v * 3 + (v & 7) & _MASK, source="left"),
    "halves": _Kernel(
        *(31, lambda v, g, i: v * 3 + (32 >> i) & _MASK),
        source="left",
        counter="s",
        iteration=lambda s: 6 - s.bit_length(),
    ),
    "doubles": _Kernel(
        *(39, lambda v, g, i: v * 3 + (1 << i) & _MASK),
        source="left",
        counter="s",
        iteration=lambda s: s.bit_length() - 1,
    ),
    "tables": _Kernel(66, lambda v, g, i: v * 2 + _TABLE[g + i & 7] & _MASK),
}


def _after(kernel: _Kernel, gid: int, iteration: int) -> float:
    value: float = gid if kernel.begin is None else kernel.begin
    for i in range(iteration + 1):
        value = kernel.after(value, gid, i)
    return value


def main(build: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(_found(build, Path(folder))))


def _found(build: str, folder: Path) -> dict[str, list[object]]:
    """By kernel, the number of values and those that are wrong; ``folder``: for the input."""
    found: dict[str, list[object]] = {}
    for name, kernel in _KERNELS.items():
        shown, unlike = 0, []
        module = f"{FOLDER / build}/{kernel.source}.zebin:{name}"
        command = [sys.executable, "-m", "zedbg.frontends.main", "kernel", module]
        data = folder / f"{name}.bin"
        data.write_bytes(kernel.input)
        command += ["--global", "64", "--local", "64", "u32[1024]=0"]
        command += [f"u8[{len(kernel.input)}]=@{data}", f"i32={ITERATIONS}"]
        silent = {"output": lambda stream, text: None}
        with opening.launch(command, sim=build.split("-")[1], **silent) as session:  # type: ignore[arg-type]
            session.break_at(f"{kernel.source}.cl:{kernel.line}")
            while not isinstance(stop := session.continue_(timeout=60), Exited):
                assert stop is not None, "the program hangs"
                for hit in stop:
                    ids = hit.thread.global_ids()
                    lanes = lanes_of(hit.lanes)
                    numbers = [value for _, value in evaluate(kernel.counter, hit.thread, lanes)]
                    for (lane, value), i in zip(
                        evaluate("value", hit.thread, lanes), numbers, strict=True
                    ):
                        if not isinstance(value, Value) or not isinstance(i, Value) or value.doubt:
                            continue
                        gid, iteration = ids[lane][0], kernel.iteration(int(i.number))
                        expected = _after(kernel, gid, iteration)
                        shown += 1
                        if value.number != expected:
                            unlike.append([name, iteration, gid, value.number, expected])
        found[name] = [shown, unlike[:10]]
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
