"""``x/FMT`` shows the same bytes as GDB shows them: every format and unit, at several places.

But for ``x/fh``: GDB has no floating-point type of two bytes there, and shows integers.
"""

from __future__ import annotations

import itertools
import subprocess

import pytest

from tests.support.places import KERNELS
from tests.support.values.expression_values import items
from tests.support.values.values_fake_context import FakeThread
from zedbg.values.formats.examine import ExamineFormat, examine

BASE = 0x7000
PLACES = (0, 1, 16, 50, 96, 179, 210, 356)
FORMATS = [
    f"{count}{letter}{unit}"
    for letter, unit, count in itertools.product("xduotcaz", "bhwg", (1, 9))
] + ["5fw", "3fg", "1s", "3s", "4c", "2a", "6xw"]


@pytest.fixture(scope="module")
def shown_by_gdb(tmp_path_factory):
    """What GDB shows of the items, by format and place: the units of each line."""
    folder = tmp_path_factory.mktemp("examine")
    (folder / "items.bin").write_bytes(items())
    program = folder / "expressions"
    source = KERNELS / "expressions" / "expressions.c"
    subprocess.run(["gcc", "-g", "-O0", str(source), "-o", str(program)], check=True)
    script = ["set width 0", "break stop", f"run {folder / 'items.bin'}", "frame 1"]
    asked = list(itertools.product(FORMATS, PLACES))
    for format_, place in asked:
        script += ["echo -- next --\\n", f"x/{format_} (char *) in + {place}"]
    (folder / "script").write_text("\n".join(script))
    command = ["gdb", "-nx", "-batch", "-x", str(folder / "script"), str(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    answers = done.stdout.split("-- next --\n")[1:]
    return {
        one: [line.split(":\t", 1)[1].split("\t") for line in answer.splitlines() if ":\t" in line]
        for one, answer in zip(asked, answers, strict=True)
    }


@pytest.mark.parametrize("format_", FORMATS)
def test_memory_is_shown_as_gdb_shows_it(shown_by_gdb, format_):
    thread = FakeThread()
    thread.map(BASE, items() + bytes(64))
    for place in PLACES:
        found = examine(thread, ExamineFormat.parse(format_), BASE + place)
        expected = shown_by_gdb[format_, place]
        assert [list(row.texts) for row in found.rows] == expected, place
