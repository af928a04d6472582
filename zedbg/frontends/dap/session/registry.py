"""Requests as data: the function of each, its arguments' type, what it needs, what it offers."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from enum import Enum
from typing import Any, get_type_hints

from zedbg.frontends.dap.protocol.capabilities import NAMES
from zedbg.frontends.dap.protocol.message import Message
from zedbg.frontends.dap.session.adapter import Adapter


class Needs(Enum):
    """What must be there for a request."""

    NOTHING = "nothing"
    SESSION = "launch or attach has been asked for"
    STOPPED = "the program is stopped"


@dataclass(frozen=True)
class Then:
    """An answer, and what to do when it has been sent."""

    body: Message | None
    action: Callable[[], None]


Answer = Message | None | Then | Future[Message | None]
"""What a request gives: a body, one with something to do after it, or one that comes later."""


@dataclass(frozen=True)
class Handler:
    """The function that answers a request."""

    command: str
    call: Callable[[Adapter, Any], Answer]
    arguments: type[Message]
    needs: Needs
    capabilities: dict[str, object]


HANDLERS: dict[str, Handler] = {}


def request(
    command: str, needs: Needs = Needs.STOPPED, **capabilities: object
) -> Callable[[Callable[[Adapter, Any], Answer]], Callable[[Adapter, Any], Answer]]:
    """Declares that a function answers ``command``. The type of its second parameter is that of the
    arguments, which are checked before it is called.

    ``capabilities``: what a client may ask for, since the function is there.
    """
    unknown = capabilities.keys() - NAMES
    assert not unknown, unknown

    def declare(call: Callable[[Adapter, Any], Answer]) -> Callable[[Adapter, Any], Answer]:
        arguments = get_type_hints(call)["arguments"]
        assert issubclass(arguments, Message), call
        HANDLERS[command] = Handler(command, call, arguments, needs, capabilities)
        return call

    return declare


def capabilities() -> dict[str, Any]:
    """What all requests together offer."""
    found: dict[str, Any] = {}
    for handler in HANDLERS.values():
        found |= handler.capabilities
    return found
