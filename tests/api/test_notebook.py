"""A notebook that uses zedbg, executed by nbconvert."""

import json
import subprocess
import sys

import nbformat
import pytest

from tests.support.places import REPOSITORY

BLUR = REPOSITORY / "zedbg" / "tools" / "demo" / "blur.zebin"
CELLS = (
    f"""
import sys, zedbg
program = [sys.executable, "-m", "zedbg.frontends.main", "kernel", {str(BLUR)!r}]
program += ["--global", "64", "--local", "16", "f32[64]=iota", "f32[64]", "i32=64"]
session = zedbg.launch(program, sim="dg2", output=lambda stream, text: None)
session.breakpoints.add("blur.cl:15")
session.continue_(60)
""",
    "session",
    "session.stop.threads[3]",
    'session.stop["in[i] * 2"]',
    # A kernel runs cells inside of an event loop.
    "[stop.location async for stop in session.stops()]",
    "session.exited.code",
)
SHOWN = (
    "<td>blur at blur.cl:15</td>",
    "<td>blur.cl:15</td>",
    "<td>(const float *) 0x410000002000</td>",
    "<td>63,0,0</td><td>126.0</td>",
)


@pytest.mark.cases(0)
@pytest.mark.parametrize("what", ["tables"])
def test_notebook_shows_tables_and_awaits_stops(tmp_path, what):
    cells = [nbformat.v4.new_code_cell(text.strip()) for text in CELLS]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "stop.ipynb")
    command = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute"]
    done = subprocess.run(
        [*command, "--output", "done.ipynb", "stop.ipynb"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.returncode == 0, done.stderr
    outputs = [
        [each["data"] for each in cell["outputs"] if "data" in each]
        for cell in json.loads((tmp_path / "done.ipynb").read_text())["cells"]
    ]
    for shown, data in zip(SHOWN, outputs, strict=False):
        assert shown in "".join(data[-1]["text/html"]), data
    assert outputs[4][-1]["text/plain"] == ["[]"]
    assert outputs[5][-1]["text/plain"] == ["0"]
