"""The kernels in device code of any format that names them."""

from __future__ import annotations

from zedbg.zebin.formats import FileFormat, identify
from zedbg.zebin.module import Module
from zedbg.zebin.patch_tokens import read_patch_tokens
from zedbg.zebin.spirv import read_spirv


def kernels_in_code(data: bytes, name: str) -> tuple[str, ...]:
    """The names of the kernels in ``data``, as its format stores them; none for other formats.

    Raises ZebinError, which calls it ``name``, when it is damaged.
    """
    match identify(data):
        case FileFormat.ZEBIN:
            return tuple(Module.from_bytes(data, name).kernel_names)
        case FileFormat.SPIRV:
            return read_spirv(data, name).kernels
        case (
            FileFormat.PATCH_TOKENS | FileFormat.PATCH_TOKEN_PROGRAM | FileFormat.PATCH_TOKEN_DEBUG
        ):
            return tuple(kernel.name for kernel in read_patch_tokens(data, name).kernels)
        case _:
            return ()
