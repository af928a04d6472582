"""Addresses of a message that are no multiples of what messages of its kind demand: for the report
of an illegal instruction, of which hardware reports nothing more.

Rules as in Intel's programmer's reference manuals, with the messages that they are of:
``zedbg/xe/load_store_message.py`` and ``data_cache_message.py``.
"""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass

from zedbg.engine.memory.flow_view import FlowView, base_of
from zedbg.engine.memory.memory_access import lanes_acting, offsets_of
from zedbg.engine.threads.thread import HardwareThread
from zedbg.missing import Missing
from zedbg.xe.data_message import Access, AddressModel, MessageError
from zedbg.xe.flow.messages import data_message, send_words
from zedbg.xe.instruction import Decoded


@dataclass(frozen=True)
class MisalignedAccess:
    """An access to ``size`` bytes at ``address``, which is no multiple of ``alignment``, and more
    such ones: all are for the lanes of the mask ``lanes``."""

    access: Access
    lanes: int
    address: int
    size: int
    alignment: int


def misaligned_access(thread: HardwareThread, decoded: Decoded) -> MisalignedAccess | None:
    """The misaligned accesses of ``decoded``, the instruction at the pc of ``thread``; None when
    there is none, or its addresses are not known. Raises LevelZeroError."""
    if decoded.send is None:
        return None
    try:
        message = data_message(send_words(FlowView(thread), decoded.send))
    except MessageError:
        return None
    if message is None or message.alignment == 1:
        return None
    if message.access is Access.READ and (
        decoded.destination is None or decoded.destination.is_null
    ):
        return None  # a prefetch
    start = 0
    if message.model is not AddressModel.LOCAL:  # local addresses count from 0
        base = base_of(thread, message)
        if isinstance(base, Missing):
            return None
        start = base.base
    found = [
        (mask, start + offset)
        for mask, offset, _ in offsets_of(thread, decoded, message, lanes_acting(thread, decoded))
        if (start + offset) % message.alignment
    ]
    if not found:
        return None
    lanes = functools.reduce(operator.or_, (mask for mask, _ in found))
    address = found[0][1]
    return MisalignedAccess(message.access, lanes, address, message.extent, message.alignment)
