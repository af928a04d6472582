"""The README's tour is executed: every command, and every line that it shows."""

import re
import shutil
import subprocess
import sysconfig

from tests.support.places import REPOSITORY

PROMPT = "(zedbg) "


def tour():
    """The program's command line, the debugger's commands, and the whole transcript."""
    text = (REPOSITORY / "README.md").read_text()
    lines = [
        line
        for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
    ]
    shell = [line[2:] for line in lines if line.startswith("$ ")]
    transcript = [line for line in lines if not line.startswith("$ ")]
    commands = [line.removeprefix(PROMPT) for line in transcript if line.startswith(PROMPT)]
    return shell, commands, transcript


def without_pids(lines):
    return [re.sub(r"process \d+", "process PID", line.rstrip()) for line in lines]


def test_the_tour_shows_what_zedbg_does(tmp_path):
    shell, commands, transcript = tour()
    assert len(commands) > 10
    start = shell[-1]
    options = []
    for command in commands:
        options += ["-ex", f"echo {PROMPT}{command}", "-ex", command]
    quoted = " ".join("'" + each.replace("'", "'\\''") + "'" for each in options)
    line = start.replace("zedbg --sim=dg2", f"zedbg --sim=dg2 --batch {quoted}", 1)
    folder = tmp_path / "demo"
    shutil.copytree(REPOSITORY / "zedbg" / "tools" / "demo", folder)
    done = subprocess.run(
        ["bash", "-c", f'export PATH="{sysconfig.get_path("scripts")}:$PATH"; {line}'],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stderr == ""
    assert without_pids(done.stdout.splitlines()) == without_pids(transcript)
    assert done.returncode == 0
