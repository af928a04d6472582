"""Images as OpenCL C names them: in debug information they are pointers to structures that nobody
declares, ``opencl_image2d_ro_t`` for ``read_only image2d_t`` (clang, OpenCLImageTypes)."""

from __future__ import annotations

import re

from zedbg.dwarf.types.program_types import PointerType, StructType, Type

_IMAGE = re.compile(r"(?:struct )?opencl_(image\w+?)_(ro|wo|rw)_t")
_ACCESS = {"ro": "read_only", "wo": "write_only", "rw": "read_write"}


def image_type_name(value_type: Type) -> str | None:
    """``read_only image2d_t`` for the type of an image, None for any other type."""
    stripped = value_type.stripped()
    if not isinstance(stripped, PointerType):
        return None
    target = stripped.target.stripped()
    if not isinstance(target, StructType) or not target.is_declaration:
        return None
    match = _IMAGE.fullmatch(target.name)
    return f"{_ACCESS[match[2]]} {match[1]}_t" if match else None
