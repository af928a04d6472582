"""Sessions on a double of program debug, which needs no driver."""

import subprocess

import pytest

from tests.support.engine.debug_double import DebugDouble
from zedbg.engine.events import event_reader


@pytest.fixture
def short_reads(monkeypatch):
    """A session is closed when its blocked read is over: not a quarter of a second in tests."""
    monkeypatch.setattr(event_reader, "_BLOCK_MILLISECONDS", 5)


@pytest.fixture
def process():
    """A process to attach to."""
    child = subprocess.Popen(["sleep", "600"])
    yield child
    child.kill()
    child.wait()


@pytest.fixture
def double():
    return DebugDouble()
