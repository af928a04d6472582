"""Reading the file that ``zedbg inspect`` is given, whatever the path turns out to be."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from zedbg.zebin.file_errors import OtherFormatError, ZebinError


def read_file(path: Path) -> bytes:
    """The bytes of the regular file ``path``.

    Raises OSError when it cannot be opened or read, OtherFormatError when it is a pipe or device,
    which may have no end, and ZebinError when it shrinks meanwhile or does not fit into memory.
    """
    _require_regular(path, path.stat())  # not even opened otherwise: that may set off something
    with open(path, "rb", opener=_open_without_waiting) as file:
        status = os.fstat(file.fileno())
        _require_regular(path, status)  # what was looked at may have been replaced
        return read_whole(file, status.st_size, str(path))


def read_whole(file: BinaryIO, size: int, name: str) -> bytes:
    """The ``size`` bytes that ``file`` had when it was opened; errors call it ``name``.

    Raises ZebinError when there are fewer now, or more than memory holds.
    """
    try:
        data = file.read(size)
    except (MemoryError, OverflowError) as error:
        problem = f"its {size} bytes do not fit into memory"
        raise ZebinError(name, problem, 0, expected="a smaller file") from error
    if len(data) < size:
        raise ZebinError(
            name,
            "the file became shorter while it was read, and ends",
            len(data),
            expected=f"{size} bytes as when it was opened: try again",
        )
    return data


def _require_regular(path: Path, status: os.stat_result) -> None:
    """Raises OtherFormatError for what may have no end; opening a directory has its own error."""
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
        raise OtherFormatError(
            str(path), "not a regular file: pipes and devices may have no end, copy it to a file"
        )


def _open_without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)  # a pipe waits for a writer otherwise
