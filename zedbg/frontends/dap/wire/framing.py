"""Messages in a stream of bytes: a header with ``Content-Length``, an empty line, JSON.

Debug Adapter Protocol, Overview, "Base Protocol".
"""

from __future__ import annotations

from typing import BinaryIO

from zedbg.user_error import UserError

MOST_BYTES = 64 << 20  # of one message: an image of 16 MB in base64, with room
_LONGEST_HEADER = 1024
_LENGTH = b"content-length"
_KNOWN = (_LENGTH, b"content-type")


class FramingError(UserError):
    """The stream is not of this protocol: where the next message begins is not known."""


def read_message(stream: BinaryIO) -> bytes | None:
    """The JSON of the next message; None at the end of the stream, also inside of a message.

    FramingError for headers of other protocols, as those of a web browser, and for a length that
    is none, or too large.
    """
    length: int | None = None
    while True:
        line = stream.readline(_LONGEST_HEADER)
        if not line.endswith(b"\n"):
            if len(line) < _LONGEST_HEADER:
                return None
            raise FramingError("A header of more than 1024 bytes: this is no message.")
        line = line.strip()
        if not line:
            break
        name, colon, value = line.partition(b":")
        name = name.strip().lower()
        if not colon or name not in _KNOWN:
            shown = line[:40].decode("ascii", "replace")
            raise FramingError(f'"{shown}" is no header of the Debug Adapter Protocol.')
        if name == _LENGTH:
            length = _length(value.strip())
    if length is None:
        raise FramingError("A message without Content-Length.")
    body = stream.read(length)
    return body if len(body) == length else None


def _length(text: bytes) -> int:
    if not text.isdigit() or len(text) > len(str(MOST_BYTES)) or int(text) > MOST_BYTES:
        shown = text[:20].decode("ascii", "replace")
        raise FramingError(f"Content-Length is {shown}: messages have up to {MOST_BYTES} bytes.")
    return int(text)


def framed(body: bytes) -> bytes:
    """``body`` with its header."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
