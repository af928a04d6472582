"""Zstandard frames, decompressed within a bound that the caller sets.

The size that a frame declares is input like any other: it is checked against the bound before
anything is allocated, and a frame that declares none is decompressed piece by piece.
"""

from __future__ import annotations

import zstandard

from zedbg.sycl.sycl_errors import SyclError

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
# Device code compresses to a fifth or so of its size; ten times leaves room, and is no bomb.
_MAXIMUM_RATIO = 10
_ALWAYS_ALLOWED = 1 << 16  # bytes; a tiny file of zeros compresses better than any ratio
# Frames may ask for a window of their own size; this is what the format's own tool accepts.
_MAXIMUM_WINDOW = 1 << 27  # bytes
_PIECE = 1 << 12  # bytes: a reader takes them at once, however little there is
_FRAME = "Zstandard frame"
_SOUND = "a sound one"
_ADVICE = "if it is no bomb, decompress it first (zstd -d)"


def is_compressed(data: bytes | memoryview) -> bool:
    """Whether ``data`` starts like a Zstandard frame."""
    return bytes(data[:4]) == ZSTD_MAGIC


def declared_size(data: bytes | memoryview) -> int | None:
    """Bytes that the frame says it decompresses to; None when it does not say."""
    try:
        size = zstandard.frame_content_size(bytes(data[:32]))
    except zstandard.ZstdError:
        return None
    return size if size >= 0 else None


def size_bound(container_size: int) -> int:
    """Bytes that one frame within a file of ``container_size`` bytes may decompress to."""
    return max(_ALWAYS_ALLOWED, _MAXIMUM_RATIO * container_size)


def first_bytes(data: bytes | memoryview, count: int, source: str, offset: int) -> bytes:
    """The first ``count`` decompressed bytes, or fewer when there are no more.

    Raises SyclError, which names ``source`` and ``offset``, when the frame is damaged.
    """
    try:
        with _decompressor().stream_reader(data) as reader:
            return reader.read(count)
    except (zstandard.ZstdError, MemoryError) as error:
        raise SyclError(source, str(error), offset, part=_FRAME, expected=_SOUND) from error


def decompress(data: bytes | memoryview, bound: int, source: str, offset: int) -> bytes:
    """The decompressed frame ``data``, which lies at ``offset`` of the file ``source``.

    Raises SyclError when it is damaged, or is or claims to be larger than ``bound`` bytes.
    """
    declared = declared_size(data)
    if declared is not None and declared > bound:
        raise SyclError(
            source,
            f"Zstandard frame declares {declared} bytes",
            offset,
            expected=f"at most {bound}: {_ADVICE}",
        )
    pieces: list[bytes] = []
    size = 0
    try:
        with _decompressor().stream_reader(data) as reader:
            while piece := reader.read(_PIECE):
                size += len(piece)
                if size > bound:
                    raise SyclError(
                        source,
                        "Zstandard frame holds too much",
                        offset,
                        expected=f"at most {bound} bytes: {_ADVICE}",
                    )
                pieces.append(piece)
    except (zstandard.ZstdError, MemoryError) as error:
        raise SyclError(source, str(error), offset, part=_FRAME, expected=_SOUND) from error
    if declared is not None and size != declared:
        raise SyclError(
            source,
            f"Zstandard frame ends after {size} bytes",
            offset,
            expected=f"the {declared} that it declares",
        )
    return b"".join(pieces)


def _decompressor() -> zstandard.ZstdDecompressor:
    return zstandard.ZstdDecompressor(max_window_size=_MAXIMUM_WINDOW)
