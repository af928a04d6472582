"""The page for people who know GDB, from the data about its commands and settings."""

from __future__ import annotations

from collections import defaultdict

from zedbg.commands.framework.batch_status import BatchStatus
from zedbg.commands.framework.gdb_commands import GDB_COMMANDS, GDB_SETTINGS, SHARED_COMMANDS
from zedbg.commands.framework.settings import SETTINGS

_HEAD = """\
# For people who know GDB

Generated from `zedbg/commands/framework/gdb_commands.py`; do not edit:
`python -m zedbg.commands.catalogue.reference` writes it.

What you type daily means what it means in GDB. The program starts as in `gdb --args`:

    zedbg --args ./program arguments
    (zedbg) break blur.cl:17 if value > 2
    (zedbg) run
    (zedbg) bt full
    (zedbg) thread apply all print i

What is different, because it is a GPU:

- A *thread* is a hardware thread, and has lanes, one for each work-item. The focus is a lane:
  `thread 1.17:3`, `lane 5`, `workitem 37,0,0`. `print` shows its value, `print/l` that of all.
- A stop is one, with all threads that hit. `info breakpoints` counts stops, and says how
  many threads made them.
- A condition is evaluated in every lane; the stop names the lanes in which it is true.
- Modules come when the program loads them. A place that none has stays pending; `info breakpoints`
  says why. A line that a loaded file does not have is refused: see `set breakpoint pending`.
- While one thread steps, others stay stopped (`set scheduler-locking`).

## Batch

`zedbg --batch -x FILE -- PROGRAM` runs commands and ends. Its exit status:

"""
_BATCH = """
2 is a command line that is wrong, 128 and more a signal. `--return-child-result` gives the
program's own status instead (255 when it did not end), `--timeout SECONDS` ends a
batch that takes longer,
`quit EXPRESSION` chooses a status. Errors name the file and the line of a script.
"""
_COMMANDS = """
## Commands

Every command of GDB, and what zedbg does. Where nothing stands it does the same.

| GDB | zedbg |
|---|---|
"""
_SETTINGS = """
## Settings

These settings of GDB are settings of zedbg:

"""
_OTHER_SETTINGS = """
The others have no effect: `set` says so, and goes on.

| GDB | zedbg |
|---|---|
"""


def gdb_users_page() -> str:
    """The page, as Markdown."""
    statuses = "".join(f"- {int(each)}: {each.meaning}\n" for each in BatchStatus)
    answers = {name: note for name, note in SHARED_COMMANDS.items()} | {
        name: f"no: {answer}" for name, answer in GDB_COMMANDS.items()
    }
    ours = ", ".join(f"`{name}`" for name in sorted(SETTINGS))
    by_reason: dict[str, list[str]] = defaultdict(list)
    for name, reason in GDB_SETTINGS.items():
        by_reason[reason].append(f"`{name}`")
    others = "".join(
        f"| {', '.join(sorted(names))} | {reason} |\n" for reason, names in by_reason.items()
    )
    return "".join(
        (
            _HEAD,
            statuses,
            _BATCH,
            _COMMANDS,
            "".join(_row(name, answers[name]) for name in sorted(answers)),
            _SETTINGS,
            ours,
            ".\n",
            _OTHER_SETTINGS,
            others,
        )
    )


def _row(name: str, note: str) -> str:
    shown = name.replace("|", "\\|")
    return f"| `{shown}` | {note.replace('|', chr(92) + '|')} |\n"
