"""The one error of expressions that are wrong in every lane."""

from __future__ import annotations

from zedbg.user_error import UserError


class EvaluationError(UserError):
    """An expression that cannot be evaluated; the message is one line for the user."""
