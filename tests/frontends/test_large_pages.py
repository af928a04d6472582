"""Python's memory in large pages: run in a process of its own, where there is enough of it."""

import json
import platform
import subprocess
import sys

from zedbg.frontends.shell import large_pages

PROGRAM = """
import json
from zedbg.frontends.shell.large_pages import place_in_large_pages

def large():
    with open("/proc/self/smaps_rollup") as rollup:
        return next(int(line.split()[1]) for line in rollup if line.startswith("AnonHugePages"))

kept = [f"{number:0200}" for number in range(200_000)]
before = large()
steps = sum(1 for _ in place_in_large_pages())
unharmed = all(int(each) == number for number, each in enumerate(kept))
print(json.dumps([steps, unharmed, large() - before]))
"""


def test_memory_is_placed_in_large_pages_and_unharmed():
    output = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=True).stdout
    steps, unharmed, kibibytes = json.loads(output)
    assert unharmed
    assert 4 <= steps <= 128  # 50 MB of strings, but not in one piece
    system = tuple(int(each) for each in platform.release().split("-")[0].split(".")[:2])
    if system >= (6, 1):  # older ones refuse the advice
        assert kibibytes >= 4 * 2048


def test_memory_that_cannot_be_listed_stays_where_it_is(monkeypatch, tmp_path):
    monkeypatch.setattr(large_pages, "_MAPS", tmp_path / "none")
    assert list(large_pages.place_in_large_pages()) == []
