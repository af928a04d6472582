"""Values are those that the kernel itself stores: in every lane, both compilers, O0 and O2."""

import struct
import sys
from dataclasses import dataclass

import pytest
from conftest import KERNELS

import zedbg
from zedbg.engine.stops import Exited
from zedbg.values.api import evaluate
from zedbg.values.value import Value
from zedbg.xe.coordinates import lanes_of

BUILDS = ["igc1-dg2-O0", "igc2-dg2-O0", "igc1-dg2-O2", "igc2-dg2-O2"]


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
}
# Modules that the older compiler made without debug information are no case here.
WITHOUT = {("private", "igc1-dg2-O0"), ("private", "igc1-dg2-O2")}
# The debug information itself is wrong there: it puts `i` into one register for all lanes, but the
# counter runs on for lanes that have left the loop.
MISTAKEN = {("mandel", "igc1-dg2-O2"), ("mandel", "igc2-dg2-O2")}
PLACES = [
    (name, build) for name in sorted(CASES) for build in BUILDS if (name, build) not in WITHOUT
]


def shown_values(name, case, build):
    """What zedbg shows, by global id, of every lane that comes to the line."""
    module = KERNELS / "zebin" / build / f"{name}.zebin"
    program = [sys.executable, "-m", "zedbg.frontends.main", "kernel", f"{module}:{case.kernel}"]
    sizes = ["--global", case.size, "--local", case.size]
    shown = {}
    with zedbg.launch([*program, *sizes, *case.arguments], sim="dg2") as session:
        session.break_at(f"{name}.cl:{case.line}")
        while not isinstance(stop := session.continue_(timeout=60), Exited):
            assert stop is not None, "the program hangs"
            for hit in stop:
                ids = hit.thread.global_ids()
                for lane, value in evaluate(case.expression, hit.thread, lanes_of(hit.lanes)):
                    assert ids[lane] not in shown, "one store in every work-item"
                    shown[ids[lane]] = value
    return shown


@pytest.mark.parametrize(("name", "build"), PLACES)
def test_what_is_shown_is_what_the_kernel_stores(
    name, build, tmp_path, monkeypatch, record_property, request
):
    if (name, build) in MISTAKEN:
        request.applymarker(pytest.mark.xfail(reason="compiler's debug information", strict=True))
    monkeypatch.chdir(tmp_path)
    case = CASES[name]
    shown = shown_values(name, case, build)
    stored = (tmp_path / "out.bin").read_bytes()
    right = wrong = 0
    for (x, y, _z), value in shown.items():
        (truth,) = struct.unpack_from(f"<{case.code}", stored, (y * case.row + x) * case.step)
        if isinstance(value, Value):
            right += value.number == truth
            wrong += value.number != truth
    record_property("shares", f"{right} right, {wrong} wrong of {len(shown)}")
    assert shown
    assert wrong == 0
    if build.endswith("O0"):
        assert right == len(shown)
