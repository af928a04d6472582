"""The session that docs/time-travel.md shows, carried out."""

import re
import subprocess
import sys

from tests.support.places import REPOSITORY

PAGE = (REPOSITORY / "docs" / "time-travel.md").read_text()
DEMO = REPOSITORY / "zedbg" / "tools" / "demo"
PROGRAM = [sys.executable, "-m", "zedbg.frontends.main", "kernel", "blur.zebin", "--global", "64"]
PROGRAM += ["--local", "16", "f32[64]=iota", "f32[64]", "i32=64"]
MARK = "next command"


def shown_session():
    """Each command of the page, and the lines that it shows for it."""
    block = re.search(r"```\n(\(zedbg\).*?)```", PAGE, re.DOTALL)[1]
    parts = re.split(r"^\(zedbg\) ", block, flags=re.MULTILINE)[1:]
    return [(part.splitlines()[0], part.splitlines()[1:]) for part in parts]


def test_the_session_of_the_page_is_what_happens():
    session = shown_session()
    assert len(session) > 12
    options = []
    for command, _ in session:
        options += ["-ex", command, "-ex", f"echo {MARK}"]
    zedbg = [sys.executable, "-m", "zedbg.frontends.main", "--batch", "--sim=dg2", *options, "--"]
    done = subprocess.run(
        [*zedbg, *PROGRAM], cwd=DEMO, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    happened = [part.splitlines() for part in done.stdout.split(MARK)]
    for (command, lines), found in zip(session, happened, strict=False):
        there = iter(line.rstrip() for line in found)
        assert all(line.rstrip() in there for line in lines), (command, found)
