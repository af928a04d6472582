"""The envelope of messages: requests, responses, events."""

from __future__ import annotations

import msgspec


class Message(msgspec.Struct, rename="camel", omit_defaults=True):
    """Base of everything in a message: fields are named as Python does, members as JSON does.

    What has its default is left out of the JSON; members that a client sends beyond those declared
    are ignored.
    """


class Request(Message, tag_field="type", tag="request"):
    """What a client asks for."""

    seq: int
    command: str
    arguments: msgspec.Raw = msgspec.Raw()


class Response(Message, tag_field="type", tag="response"):
    """The answer to request ``request_seq``; ``message`` says why there is none."""

    seq: int
    request_seq: int = msgspec.field(name="request_seq")
    success: bool
    command: str
    message: str | None = None
    body: Message | None = None


class Event(Message, tag_field="type", tag="event"):
    """Something that happened."""

    seq: int
    event: str
    body: Message | None = None


class ErrorMessage(Message):
    """An error as a client shows it."""

    id: int
    format: str
    show_user: bool = True


class ErrorBody(Message):
    """The body of a response that says why there is no other."""

    error: ErrorMessage
