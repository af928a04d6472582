"""The examples of docs/plugins.md are carried out as they stand."""

import re
import subprocess
import sys

from tests.support.places import REPOSITORY

PAGE = (REPOSITORY / "docs" / "plugins.md").read_text()
FILES = re.findall(r"```python\n# (\w+\.py)\n(.*?)```", PAGE, re.DOTALL)
CONSOLES = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
PROMPT = re.compile(r"^\(zedbg\) (.*)\n((?:(?!\(zedbg\) ).*\n)*)", re.MULTILINE)
DEMO = REPOSITORY / "zedbg" / "tools" / "demo"
BLUR = [f"{DEMO}/blur.zebin", "--global", "64", "--local", "16"]
BLUR += ["f32[64]=iota", "f32[64]", "i32=64"]


def write_files(folder):
    for name, text in FILES:
        (folder / name).write_text(f"# {name}\n{text}")


def test_every_console_shows_what_zedbg_says(debugger, tmp_path):
    write_files(tmp_path)
    asked = PROMPT.findall("".join(CONSOLES))
    program = ["zedbg", "kernel", *BLUR]
    result = debugger.batch([line for line, _ in asked], program)
    said = result.out + result.err
    for line, shown in asked:
        for each in shown.splitlines():
            assert each in said, f"{line}: {each}\n{said}"
    assert len(asked) > 20 and said.count("switched off") == 1


def test_the_examples_of_tests_pass(tmp_path):
    write_files(tmp_path)
    test = next(name for name, _ in FILES if name.startswith("test_"))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout
