"""Reading ahead: few round trips, the bytes of the device, and nothing beyond what can be read."""

import pytest

from zedbg.engine.modules.read_ahead import BLOCK_BYTES, ReadAhead
from zedbg.levelzero.level_zero_errors import InvalidArgument

PAGE = 4096
# Two blocks and a page can be read, from an address of whole blocks on.
BEGIN = 4 * BLOCK_BYTES
SIZE = 2 * BLOCK_BYTES + PAGE
CONTENT = bytes(number * 7 % 251 for number in range(SIZE))


class Memory:
    def __init__(self):
        self.reads = []

    def __call__(self, address, size):
        self.reads.append((address, size))
        if not BEGIN <= address <= address + size <= BEGIN + SIZE:
            raise InvalidArgument(0x78000004, f"read {size} bytes at {address:#x}")
        return CONTENT[address - BEGIN : address - BEGIN + size]


@pytest.mark.parametrize(
    ("offset", "size", "round_trips"),
    [
        (0, 4, 1),
        (BLOCK_BYTES - 2, 4, 2),  # in two blocks
        (2 * BLOCK_BYTES + 8, 4, 2),  # the whole block is refused, its page is not
        (2 * BLOCK_BYTES - 2, 4, 4),  # a block, the refused one, and the pages on both sides
        (0, BLOCK_BYTES + 1, 1),  # too much to gain anything
    ],
)
def test_what_lies_close_together_is_one_round_trip(offset, size, round_trips):
    memory, ahead = Memory(), ReadAhead()
    expected = CONTENT[offset : offset + size]
    assert ahead.read(0, BEGIN + offset, size, memory) == expected
    first = len(memory.reads)
    assert first == round_trips
    assert ahead.read(0, BEGIN + offset, size, memory) == expected
    assert len(memory.reads) - first == (1 if size > BLOCK_BYTES else 0)


def test_what_cannot_be_read_is_refused_as_the_device_refuses_it():
    memory, ahead = Memory(), ReadAhead()
    with pytest.raises(InvalidArgument, match=f"read 8 bytes at {BEGIN + SIZE - 4:#x}"):
        ahead.read(0, BEGIN + SIZE - 4, 8, memory)


def test_address_spaces_are_kept_apart():
    memory, ahead = Memory(), ReadAhead()
    ahead.read(0, BEGIN, 4, memory)
    assert ahead.read(1, BEGIN, 4, lambda address, size: bytes(size)) == bytes(4)
