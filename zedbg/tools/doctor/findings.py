"""What the doctor finds: one row for each thing that debugging needs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from zedbg.commands.rows.row import JsonValue, Row


class State(Enum):
    """How a thing is."""

    OK = "ok"
    NOTE = "note"  # works, but is worth knowing
    MISSING = "missing"  # not here; something else may do instead
    WRONG = "wrong"  # keeps debugging from working


@dataclass(frozen=True)
class Finding(Row):
    """One thing: ``check`` names it, ``found`` is how it is, or what is wrong with it; ``fix`` is
    the exact thing to do, empty when there is nothing to do."""

    check: str
    state: State
    found: str
    fix: str = ""

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "check": self.check,
            "state": self.state.value,
            "found": self.found,
            "fix": self.fix or None,
        }
