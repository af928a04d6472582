"""Values that cannot be shown, and why: the typed answer in place of a guess or a traceback."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.user_error import UserError


@dataclass(frozen=True)
class Missing:
    """A value that cannot be shown, and why: ``optimised out at this address``."""

    reason: str

    def __str__(self) -> str:
        return f"<{self.reason}>"

    def to_json(self) -> dict[str, object]:
        """It as JSON has it."""
        return {"missing": self.reason}


class MissingError(UserError):
    """Raised while evaluating when a value that is needed is missing; carries the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.missing = Missing(reason)
