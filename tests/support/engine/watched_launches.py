"""Programs that launch a kernel of the repository, and what their stops at watchpoints say."""

import sys
from dataclasses import dataclass

from tests.support.packed_modules import ZEBINS
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.sessions import opening
from zedbg.engine.sessions.helper_process import HelperDebugSession
from zedbg.levelzero.debug import DebugSession


@dataclass(frozen=True)
class Hit:
    thread: str
    lanes: int
    old: str
    new: str


def launched(
    kernel, *arguments, build="igc2-dg2-O2", sizes=("--global", "96", "--local", "16"), folder=None
):
    module, name = kernel.split(":")
    program = [sys.executable, "-m", "zedbg.frontends.main", "kernel"]
    program += [f"{(folder or ZEBINS) / build / module}.zebin:{name}", *sizes, *arguments]
    return opening.launch(program, sim=build.split("-")[1])


def hits_of(stop):
    assert stop.reason is StopReason.WATCHPOINT
    return [
        Hit(each.thread.id, each.lanes, change.old, change.new)
        for group in stop.groups
        for each, change in zip(group.threads, group.changes, strict=True)
    ]


def without_watches(monkeypatch):
    """From here on, no driver watches: neither that of this process, nor of one that helps it."""
    for session in (DebugSession, HelperDebugSession):
        monkeypatch.setattr(session, "watches", None)
