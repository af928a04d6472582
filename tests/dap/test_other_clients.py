"""Clients that others wrote: VS Code's test client, Neovim's nvim-dap, Emacs' dape."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess

import pytest

from tests.support.places import KERNELS, REPOSITORY, SUPPORT

VADD = KERNELS / "src" / "vadd.cl"
NODE = REPOSITORY / "build" / "node"
SECONDS = 180


def run(server, words, **environment):
    """Runs a client to its end; its standard output."""
    done = subprocess.run(
        words,
        cwd=server.folder,
        env=server.environment | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.cases(0)
@pytest.mark.parametrize("client", ["debugadapter-testsupport"])
def test_the_client_of_vs_code(server, vadd, client):
    if not (NODE / "node_modules" / "@vscode" / client).exists():
        pytest.skip(f"@vscode/{client} is not installed: ./run test --all does that")
    script = SUPPORT / "dap" / "vscode_client.js"
    out = run(server, ["node", script, NODE, str(server.port), VADD, *vadd])
    assert [json.loads(line) for line in out.splitlines()] == [
        {"threads": 8, "locals": ["i"], "sum": "2"},
        {"ended": True},
        {"rejected": True},
    ]


def snippet(language, folder):
    """The piece of docs/editors.md in ``language``, as a file."""
    page = (REPOSITORY / "docs" / "editors.md").read_text()
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    path = folder / f"snippet.{language}"
    path.write_text(found)
    return path


def asked_for(variable):
    """Marks a test that takes a folder with a plugin; no registry that tests may use has it for the
    Debian of CI."""
    reason = "an editor's plugin is asked for by name"
    return pytest.mark.skipif(variable not in os.environ, reason=reason)


EXPECTED = {
    "line": 3,
    "value": "40",
    "stepped": 4,
    "stops": ["breakpoint", "step"],
    "output": "vadd: 2,1,1 work-groups of 32,1,1 on Intel(R) Arc(TM) A770 Graphics (simulated)",
}


@asked_for("ZEDBG_NVIM_DAP")
def test_neovim_with_the_configuration_of_the_page(server, vadd):
    script, editor = SUPPORT / "dap" / "nvim_client.lua", os.environ.get("ZEDBG_NVIM", "nvim")
    words = [*shlex.split(editor), "--headless", "--clean", "-l", script]
    out = run(server, [*words, snippet("lua", server.folder), VADD, *vadd])
    assert json.loads(out.splitlines()[-1]) == EXPECTED | {"threads": 8}


@asked_for("ZEDBG_DAPE")
def test_emacs_with_the_configuration_of_the_page(server, vadd):
    script, editor = SUPPORT / "dap" / "dape_client.el", os.environ.get("ZEDBG_EMACS", "emacs")
    words = [*shlex.split(editor), "-Q", "--batch", "-l", script, "--"]
    out = run(server, [*words, snippet("elisp", server.folder), VADD, *vadd])
    assert json.loads(out.splitlines()[-1]) == EXPECTED


def test_the_configuration_for_vs_code_is_json():
    page = (REPOSITORY / "docs" / "editors.md").read_text()
    extension, launch = map(json.loads, re.findall(r"^```json\n(.*?)^```", page, re.M | re.S))
    (debugger,) = extension["contributes"]["debuggers"]
    assert {each["type"] for each in launch["configurations"]} == {debugger["type"]}
    for each in launch["configurations"]:
        for name in debugger["configurationAttributes"][each["request"]].get("required", []):
            assert name in each
