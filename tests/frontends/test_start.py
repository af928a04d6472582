"""What starting zedbg loads: little, until a command needs more."""

import subprocess
import sys

import pytest

from tests.support.places import REPOSITORY

LOADED = """
import sys
from zedbg.frontends.main import main
main({arguments!r})
sys.stderr.write(" ".join(sys.modules))
"""


def loaded(*arguments):
    code = LOADED.format(arguments=list(arguments))
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=REPOSITORY,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "too_much"),
    [
        (["--version"], {"zedbg.commands.framework.context", "dataclasses", "email"}),
        (
            ["--sim", "-ex", "quit"],
            {"zedbg.engine.sessions.session", "zedbg.dwarf", "yaml", "elftools", "_cffi_backend"}
            | {"prompt_toolkit", "zedbg.commands.breakpoints", "zedbg.frontends.text.row_text"},
        ),
    ],
)
def test_a_start_loads_only_what_is_used(arguments, too_much):
    assert loaded(*arguments) & too_much == set()


def test_a_command_that_needs_the_session_loads_the_engine():
    assert "zedbg.engine.sessions.session" in loaded("--sim", "-ex", "info devices", "-ex", "quit")
