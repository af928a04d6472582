"""The one error of reading device code and its properties out of host programs."""

from __future__ import annotations

from zedbg.zebin.file_errors import FileError


class SyclError(FileError):
    """A file whose device images cannot be read."""
