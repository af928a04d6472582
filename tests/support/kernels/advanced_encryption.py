"""AES-128 after FIPS 197, for the kernel aes.cl; its own check is the example of appendix B."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

_REDUCTION = 0x11B  # x^8 + x^4 + x^3 + x + 1


def _product(a: int, b: int) -> int:
    result = 0
    while b:
        if b & 1:
            result ^= a
        a <<= 1
        if a & 0x100:
            a ^= _REDUCTION
        b >>= 1
    return result


def _s_box() -> list[int]:
    inverse = [0] + [next(b for b in range(256) if _product(a, b) == 1) for a in range(1, 256)]
    turns = [(x | x << 8) for x in inverse]
    return [(t ^ t >> 4 ^ t >> 5 ^ t >> 6 ^ t >> 7 ^ 0x63) & 0xFF for t in turns]


_BOX = _s_box()


def _round_keys(key: bytes) -> list[list[int]]:
    words = [list(key[at : at + 4]) for at in range(0, 16, 4)]
    constant = 1
    for count in range(4, 44):
        word = words[-1]
        if count % 4 == 0:
            word = [_BOX[each] for each in word[1:] + word[:1]]
            word[0] ^= constant
            constant = _product(constant, 2)
        words.append([a ^ b for a, b in zip(words[count - 4], word, strict=True)])
    return [[*itertools.chain(*words[at : at + 4])] for at in range(0, 44, 4)]


def _mixed(column: list[int]) -> list[int]:
    a, b, c, d = column
    rows = ((a, b, c, d), (b, c, d, a), (c, d, a, b), (d, a, b, c))
    return [_product(w, 2) ^ _product(x, 3) ^ y ^ z for w, x, y, z in rows]


def encrypted(block: bytes, key: bytes) -> bytes:
    """One block of 16 bytes."""
    keys = _round_keys(key)
    state = [a ^ b for a, b in zip(block, keys[0], strict=True)]
    for number, round_key in enumerate(keys[1:], start=1):
        state = [_BOX[state[(at + 4 * (at % 4)) % 16]] for at in range(16)]
        if number < 10:
            state = [*itertools.chain(*(_mixed(state[at : at + 4]) for at in range(0, 16, 4)))]
        state = [a ^ b for a, b in zip(state, round_key, strict=True)]
    return bytes(state)


_EXAMPLE = bytes.fromhex("3243f6a8885a308d313198a2e0370734")
_EXAMPLE_KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
assert encrypted(_EXAMPLE, _EXAMPLE_KEY).hex() == "3925841d02dc09fbdc118597196a0b32"


def advanced_encryption(arguments: Sequence[Any], _lanes: int) -> None:
    """What the kernel does: every block with the same key."""
    blocks, key, out = arguments
    for at in range(0, blocks.size, 16):
        cipher = encrypted(bytes(blocks[at : at + 16]), bytes(key))
        out[at : at + 16] = np.frombuffer(cipher, np.uint8)
