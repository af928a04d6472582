"""How many registers a message takes, and whether a send has them."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.xe.data_message import Access, SendWords

NO_ROOM_FOR_ADDRESSES = "address payload shorter than its lanes"
NO_ROOM_FOR_DATA = "register payload shorter than its data"


@dataclass(frozen=True)
class Payload:
    """General registers that a message takes: of header and addresses, of the data that it sends,
    and of its response."""

    addresses: int
    data: int = 0
    response: int = 0


@dataclass(frozen=True)
class SendLengths:
    """General registers that a send has. ``source1`` is 0 when everything is in the first source.
    ``to_null``: nothing is kept of the response."""

    source0: int
    source1: int
    response: int
    to_null: bool

    def room_for_data(self, addresses: int) -> int:
        """Registers of the data that is sent, after ``addresses`` registers."""
        return self.source1 or max(self.source0 - addresses, 0)


def registers(send: SendWords, size: int) -> int:
    """General registers that ``size`` bytes take."""
    return -(-size // send.platform.grf_bytes)


def payload_problems(payload: Payload, lengths: SendLengths, access: Access) -> tuple[str, ...]:
    """What ``lengths`` have no room for."""
    if payload.addresses > lengths.source0:
        return (NO_ROOM_FOR_ADDRESSES,)
    if access is Access.READ and lengths.to_null:
        return ()  # a prefetch
    sends_too_much = payload.data > lengths.room_for_data(payload.addresses)
    if sends_too_much or payload.response > lengths.response:
        return (NO_ROOM_FOR_DATA,)
    return ()
