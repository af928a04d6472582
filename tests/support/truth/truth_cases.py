"""What zedbg shows at a kernel's stores beside what the kernel stored: ``truth_cases.py BUILD``.

Prints one JSON object: for each case a list of [shown number, or why there is none; number stored]
for every lane that came to the store. A process of its own, since one process has one device.
"""

import json
import os
import struct
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.support.packed_modules import ZEBINS
from zedbg.engine.process.exited import Exited
from zedbg.engine.sessions import opening
from zedbg.values.expressions.api import evaluate
from zedbg.values.typed.value import Value
from zedbg.xe.coordinates import lanes_of


@dataclass(frozen=True)
class Case:
    """At ``line``, ``expression`` is what the kernel stores there: element Y * ``row`` + X of
    ``out.bin``, whose elements are ``code`` (struct), each ``step`` bytes after the other."""

    kernel: str
    line: int
    expression: str
    size: str
    arguments: tuple[str, ...]
    code: str = "i"
    row: int = 0
    step: int = 4
    file: str = ""  # where it is not the case's name


CASES = {
    "vadd": Case(
        "vadd",
        4,
        "a[i] + b[i]",
        "16",
        ("f32[16]=iota", "f32[16]=2", "f32[16]>out.bin", "i32=16"),
        "f",
    ),
    "diverge": Case("diverge", 39, "acc", "16", ("i32[64]=iota>out.bin", "i32[64]=iota", "i32=64")),
    "mandel": Case(
        "mandel",
        12,
        "i",
        "16",
        ("u8[64]>out.bin", "i32=16", "i32=1", "f32=-2", "f32=0.3", "f32=0.2", "i32=50"),
        "B",
    ),
    "private": Case(
        "priv", 17, "s + a[in[i] & 127]", "16", ("i32[64]=iota", "i32[16]>out.bin", "i32=64")
    ),
    "saxpy": Case(
        "saxpy",
        3,
        "a * x[i] + y[i]",
        "16",
        ("f32[16]=iota", "f32[16]=5>out.bin", "f32=3", "i32=16"),
        "f",
    ),
    "matmul": Case(
        "matmul",
        18,
        "acc",
        "16,16",
        ("f32[256]=iota", "f32[256]=iota", "f32[256]>out.bin", "i32=16", "i32=16", "i32=16"),
        "f",
        16,
    ),
    "transpose": Case(
        "transpose",
        11,
        "t[lx][ly]",
        "16,16",
        ("f32[256]=iota", "f32[256]>out.bin", "i32=16", "i32=16"),
        "f",
        16,
    ),
    "structs": Case(
        "structs",
        19,
        "l.a + l.b[1]",
        "16",
        (
            "struct{i32=1,i32=7,align[16],f32[4]=iota,i8[5]=3,align[16]}",
            "i32[112]=3",
            "f32[16]>out.bin",
            "f32[8]=iota",
        ),
        "f",
    ),
    "structs_by_value": Case(
        "structs",
        19,
        # Not of s[i]: compilers store what line 18 does later, and memory has it then only.
        "l.b[prm.x & 3] - prm.y - 3 + prm.v.z - 2 + prm.t[4] - 3 + out[i] + l.a + l.b[1]",
        "16",
        (
            "struct{i32=1,i32=7,align[16],f32[4]=iota,i8[5]=3,align[16]}",
            "i32[112]=3",
            "f32[16]>out.bin",
            "f32[8]=iota",
        ),
        "f",
        file="structs",
    ),
}


def shown_values(name, case, build):
    """What zedbg shows, by global id, of every lane that comes to the line."""
    module = ZEBINS / build / f"{case.file or name}.zebin"
    program = [sys.executable, "-m", "zedbg.frontends.main", "kernel", f"{module}:{case.kernel}"]
    sizes = ["--global", case.size, "--local", case.size]
    shown = {}
    device = build.split("-")[1]
    silent = {"output": lambda stream, text: None}
    with opening.launch([*program, *sizes, *case.arguments], sim=device, **silent) as session:
        session.break_at(f"{case.file or name}.cl:{case.line}")
        while not isinstance(stop := session.continue_(timeout=60), Exited):
            assert stop is not None, "the program hangs"
            for hit in stop:
                ids = hit.thread.global_ids()
                for lane, value in evaluate(case.expression, hit.thread, lanes_of(hit.lanes)):
                    assert ids[lane] not in shown, "one store in every work-item"
                    shown[ids[lane]] = value
    return shown


def pairs(name, case, build):
    """What is shown, and what the kernel stored."""
    shown = shown_values(name, case, build)
    stored = Path("out.bin").read_bytes()
    found = []
    for (x, y, _z), value in shown.items():
        (truth,) = struct.unpack_from(f"<{case.code}", stored, (y * case.row + x) * case.step)
        found.append([value.number if isinstance(value, Value) else value.reason, truth])
    return found


def main():
    build, *names = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        print(json.dumps({name: pairs(name, CASES[name], build) for name in names}))


if __name__ == "__main__":
    main()
