"""Why a message to an image through a data port is not executed, as far as its descriptor tells."""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.xe import data_cache_fields, load_store_fields
from zedbg.xe.data_cache_fields import DC1
from zedbg.xe.data_message import Access, SendWords
from zedbg.xe.isa.names import SharedFunction

_TEXEL_BYTES = 4
_OTHER_LANES = "lanes other than the first eight of the message"


def is_to_image(send: SendWords) -> bool:
    """Whether a message through a data port has coordinates instead of addresses."""
    if send.function is SharedFunction.DC1:
        entry = DC1.get(send.field(*data_cache_fields.TYPE))
        return entry is not None and entry[1] is data_cache_fields.Layout.IMAGE
    return send.function is SharedFunction.TGM


def image_problems(send: SendWords) -> tuple[str, ...]:
    """What is wrong with the descriptor of a message to an image; empty for none."""
    is_load_store = send.function is SharedFunction.TGM
    return tuple(_load_store_problems(send) if is_load_store else _data_cache_problems(send))


def _load_store_problems(send: SendWords) -> Iterator[str]:
    operation = send.field(*load_store_fields.OPERATION)
    if operation > load_store_fields.LAST_OPERATION:
        yield "reserved operation"
    if operation > load_store_fields.LAST_OPERATION or operation == load_store_fields.FENCE:
        return
    if send.field(*load_store_fields.ADDRESS_TYPE) not in load_store_fields.IMAGE_ADDRESS_TYPES:
        yield "an image without a surface"
    if operation in load_store_fields.BLOCK_2D:
        return
    size = send.field(*load_store_fields.DATA_SIZE)
    if load_store_fields.DATA_BYTES[size] != _TEXEL_BYTES:
        yield "typed data that are not d32"
    if operation in load_store_fields.BY_COMPONENT:
        if not send.field(*load_store_fields.COMPONENTS):
            yield "no component is enabled"
    elif operation not in load_store_fields.ATOMICS:
        yield "operation not implemented for images"


def _data_cache_problems(send: SendWords) -> Iterator[str]:
    kind = send.field(*data_cache_fields.TYPE)
    if kind in data_cache_fields.MEDIA_BLOCKS:
        return
    if DC1[kind][0] is not Access.ATOMIC:
        if send.field(*data_cache_fields.LANES_MODE) != data_cache_fields.FIRST_EIGHT_LANES:
            yield _OTHER_LANES
        return
    if not send.field(*data_cache_fields.INTEGER_OPERATION):
        yield "reserved atomic operation"
    elif not send.field(*data_cache_fields.ATOMIC_EIGHT_LANES):
        yield _OTHER_LANES
