"""Errors of ``zedbg inspect`` itself; each message is one line for the user."""

from __future__ import annotations


class UsageError(Exception):
    """A wrong command line."""
