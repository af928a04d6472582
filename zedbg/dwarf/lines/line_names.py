"""Which source files a line program of DWARF 5 names, from its header alone (DWARF 5, 6.2.4).

Programs of earlier versions hold the names as text and are found by it; these refer to strings in
sections of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from zedbg.dwarf.reading.bytestream import ByteStream, EndOfBytesError

_LONG_LENGTH = 0xFFFFFFFF  # the length stands in the next eight bytes
_PATH = 1  # DW_LNCT_path


class _Form(IntEnum):
    """The forms that entries of these tables may have."""

    BLOCK = 0x09
    DATA2 = 0x05
    DATA4 = 0x06
    DATA8 = 0x07
    STRING = 0x08
    DATA1 = 0x0B
    STRP = 0x0E
    UDATA = 0x0F
    DATA16 = 0x1E
    LINE_STRP = 0x1F


_FIXED = {_Form.DATA1: 1, _Form.DATA2: 2, _Form.DATA4: 4, _Form.DATA8: 8, _Form.DATA16: 16}
# The sections that strings are in, by the form that refers to them.
STRINGS = {_Form.STRP: ".debug_str", _Form.LINE_STRP: ".debug_line_str"}


def header_end(program: bytes) -> int:
    """Offset in ``program`` of what follows its header: there no names are.

    Raises EndOfBytesError when the program ends before.
    """
    stream, offset_size = _start(program)
    return stream.unsigned(offset_size) + stream.position


def file_names(program: bytes, strings: Mapping[str, bytes]) -> list[bytes] | None:
    """The file names in the header of ``program``, with folders as far as they have some.

    ``strings`` are the sections of :data:`STRINGS` by name. None where the header cannot be read.
    """
    try:
        stream, offset_size = _start(program)
        stream.unsigned(offset_size)  # length of the header
        stream.block(5)  # sizes of instructions, lines of special opcodes
        opcode_base = stream.unsigned(1)
        stream.block(max(opcode_base - 1, 0))  # operands of the standard opcodes
        _paths(stream, offset_size, strings)  # folders
        return _paths(stream, offset_size, strings)
    except (EndOfBytesError, ValueError, KeyError):
        return None


def _start(program: bytes) -> tuple[ByteStream, int]:
    """A stream at the length of the header, and the bytes that it has."""
    stream = ByteStream(program)
    offset_size = 4
    if stream.unsigned(4) == _LONG_LENGTH:
        stream.unsigned(8)
        offset_size = 8
    stream.block(4)  # version, sizes of addresses and segments
    return stream, offset_size


def _paths(stream: ByteStream, offset_size: int, strings: Mapping[str, bytes]) -> list[bytes]:
    formats = [(stream.uleb(), _Form(stream.uleb())) for _ in range(stream.unsigned(1))]
    count = stream.uleb()
    paths = []
    for _ in range(count if formats else 0):
        for content, form in formats:
            value = _value(stream, form, offset_size, strings)
            if content == _PATH:
                paths.append(value)
    return paths


def _value(
    stream: ByteStream, form: _Form, offset_size: int, strings: Mapping[str, bytes]
) -> bytes:
    """The text of a string; other values are only passed over."""
    if form in STRINGS:
        section = strings[STRINGS[form]]
        place = stream.unsigned(offset_size)
        return section[place : section.index(b"\0", place)]
    if form is _Form.STRING:
        end = stream.data.index(b"\0", stream.position)
        text = stream.block(end - stream.position)
        stream.block(1)
        return text
    if form is _Form.UDATA:
        stream.uleb()
    else:
        stream.block(stream.uleb() if form is _Form.BLOCK else _FIXED[form])
    return b""
