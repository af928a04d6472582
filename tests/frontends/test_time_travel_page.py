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


def carried_out(commands):
    """What zedbg shows for each of ``commands``: its lines."""
    options = []
    for command in commands:
        options += ["-ex", command, "-ex", f"echo {MARK}"]
    zedbg = [sys.executable, "-m", "zedbg.frontends.main", "--batch", "--sim=dg2", *options, "--"]
    done = subprocess.run(
        [*zedbg, *PROGRAM], cwd=DEMO, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    return [part.splitlines() for part in done.stdout.split(MARK)]


def test_the_session_of_the_page_is_what_happens():
    session = shown_session()
    assert len(session) > 12
    happened = carried_out([command for command, _ in session])
    for (command, lines), found in zip(session, happened, strict=False):
        there = iter(line.rstrip() for line in found)
        assert all(line.rstrip() in there for line in lines), (command, found)


def test_a_program_can_be_killed_in_the_past_and_changes_of_a_value_hide_no_breakpoint():
    commands = ["break blur.cl:18", "run", "watch -l value", "delete 1", "break blur.cl:16"]
    commands += ["goto start", "continue", "continue", "kill", "when"]
    shown = dict(enumerate("\n".join(lines) for lines in carried_out(commands)))
    changed, came, killed, after = (shown[commands.index("goto start") + n] for n in (1, 2, 3, 4))
    assert "hit Hardware watchpoint 2" in changed and "blur.cl:16" in changed
    assert "Thread 1.1 hit Breakpoint 3" in came
    assert re.search(r"\[Killed process \d+\]", killed)
    assert "The program is not being run." in after
