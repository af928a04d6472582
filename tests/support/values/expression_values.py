"""The values that expressions are evaluated over: eight work-items of ``struct item``."""

from __future__ import annotations

import struct

LANES = 8
# l, ul, d, i, j, u, f, g, s, us, c, uc, text, row, grid; then iv, fv, cv, aligned to 16 bytes.
_ITEM = struct.Struct("<qQd2iI2fhHbB8s2x4i6f12x4i4f4B12x")
_INTEGERS = (0, 1, -1, 7, -128, 255, 40000, -2147483648)


def item(lane: int) -> bytes:
    """The bytes of one work-item's ``struct item``; each lane has edges of some types."""
    i = _INTEGERS[lane]
    j = (3, 0, -5, 31, 2, -2147483648, 2147483647, -1)[lane]
    return _ITEM.pack(
        (-5, 1 << 40, -(1 << 63), (1 << 63) - 1, 0, 3, -1, 1000)[lane],
        (0, 1, (1 << 64) - 1, 1 << 63, 12345678901, 2, 255, 1 << 32)[lane],
        (0.1, -0.0, 1e300, -2.5, 1 / 3, 1e10, -1e-300, 65536.0)[lane],
        i,
        j,
        (0, 1, 3000000000, 4294967295, 5, 64, 1 << 31, 17)[lane],
        (0.5, -1.5, 0.0, -0.0, 1234.5678, 1e-3, -7.0, 3.0)[lane],
        (0.1, 2.0, 1e30, -3.25, 0.0, 1e-30, float("inf"), 16777216.0)[lane],
        (0, -1, 32767, -32768, 3, 100, -7, 255)[lane],
        (0, 1, 65535, 32768, 9, 1000, 2, 512)[lane],
        (97, -1, 127, -128, 0, 10, 65, 39)[lane],
        (0, 255, 128, 7, 66, 4, 1, 200)[lane],
        (b"hello", b"", b"ab\0cd", b"\xff\x80\x7f\x01\n\\", b"aaaaaaaa", b"\"'\"'\"'")[lane % 6],
        *(lane * n - 3 for n in range(4)),
        *(lane + n / 8 for n in range(6)),
        *(lane - 2, i, j, 1 << 30),
        *(1.5, 0.1, -lane, 1e20),
        *(lane, 255, 97, 128),
    )


def items() -> bytes:
    """All of them: the contents of the kernel's first buffer."""
    return b"".join(item(lane) for lane in range(LANES))
