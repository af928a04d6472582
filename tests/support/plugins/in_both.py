"""A program for the processor, stopped in GDB: the same commands there and in zedbg, on the same
memory."""

from __future__ import annotations

import json
import os
import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from tests.support.places import SUPPORT
from zedbg.commands.framework.command_errors import CommandError
from zedbg.dwarf import DebugInfo
from zedbg.testing import PluginSession, StandInThread
from zedbg.zebin import Module

HERE = SUPPORT / "plugins"
_MACHINE = 18  # offset of e_machine in an ELF file's header
_INTELGT = 205


@dataclass(frozen=True)
class Shown:
    """What commands show in GDB and in zedbg, and what zedbg said besides."""

    gdb: dict[str, str]
    zedbg: dict[str, str]
    messages: list[str]


def in_both(
    program: Path, place: str, script: Path, commands: Sequence[str], folder: Path
) -> Shown:
    """Loads ``script`` into both debuggers, at ``place`` in ``program``, and runs ``commands``."""
    theirs, thread = stopped_in_gdb(program, place, script, commands, folder)
    with PluginSession(script, [thread]) as session:
        session.run("set plugin-timeout 100")
        shown = {command: _shown(session, command) for command in commands}
        return Shown(theirs, shown, session.messages)


def stopped_in_gdb(
    program: Path, place: str, script: Path, commands: Sequence[str], folder: Path
) -> tuple[dict[str, str], StandInThread]:
    """What GDB shows at ``place``, and a thread that stands in for the program there."""
    dump = folder / "dump.json"
    environment = {"COMMANDS": json.dumps(list(commands)), "PLACE": place, "DUMP": str(dump)}
    words = ["gdb", "-nx", "-batch", "-ex", "set auto-load no", "-x", str(script)]
    words += ["-x", str(HERE / "dump_in_gdb.py"), str(program)]
    done = subprocess.run(
        words, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert dump.exists(), done.stdout + done.stderr
    state = json.loads(dump.read_text())
    memory = {low: bytes.fromhex(data) for low, data in state["memory"]}
    thread = StandInThread(width=1, memory=memory)
    thread.debug_info = cast("DebugInfo", _debug_info(program))
    thread.pc = state["pc"]
    return state["shown"], thread


def _shown(session: PluginSession, command: str) -> str:
    try:
        text = session.text(command)
    except CommandError as error:
        text = str(error)
    return f"{text}\n" if text else ""


def _debug_info(program: Path) -> DebugInfo | None:
    """Its debug information, read as that of a module which has its addresses."""
    data = bytearray(program.read_bytes())
    struct.pack_into("<H", data, _MACHINE, _INTELGT)
    return DebugInfo.of(Module.from_bytes(bytes(data), program.name))
