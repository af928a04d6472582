"""Images and samplers given for what is none, and the reverse, found before the driver is asked."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.tools.kernel.arguments import Buffer, KernelArgument, Local, Scalar
from zedbg.tools.kernel.elements import ArgumentError
from zedbg.tools.kernel.images import ImageArgument, SamplerArgument
from zedbg.zebin import Module
from zedbg.zebin.arguments import ArgumentKind, kernel_arguments
from zedbg.zebin.file_errors import ZebinError

_KINDS: dict[type, tuple[ArgumentKind, str]] = {
    Buffer: (ArgumentKind.BUFFER, "a buffer, as in f32[64]=iota"),
    Local: (ArgumentKind.LOCAL, "local memory, as in local[256]"),
    ImageArgument: (ArgumentKind.IMAGE, "an image, as in image2d[64x64,rgba8]"),
    SamplerArgument: (ArgumentKind.SAMPLER, "a sampler, as in sampler[linear,edge]"),
}


_INTEGERS = {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "size_t", "bool"}
_OPAQUE = {ArgumentKind.IMAGE, ArgumentKind.SAMPLER}


def check_kinds(image: bytes, kernel_name: str, arguments: Sequence[KernelArgument]) -> None:
    """Compares what is given with what the module says that its kernel takes, as far as it does.

    Images and samplers, and floating point for integers; a number may well be given for a buffer,
    as its address.

    Raises:
        ArgumentError: a buffer for an image, a float for an int, and the like.
    """
    try:
        kernel = Module.from_bytes(image, kernel_name).kernel(kernel_name)
    except ZebinError:
        return  # the driver reads it otherwise, and says so if it does not
    if kernel is None or kernel.info is None:
        return
    for given, taken in zip(arguments, kernel_arguments(kernel.info), strict=False):
        kind, _ = _KINDS.get(type(given), (ArgumentKind.VALUE, ""))
        name = (taken.type_name or "").partition(";")[0]
        if isinstance(given, Scalar) and given.type.is_float and name in _INTEGERS:
            raise ArgumentError(
                f"argument {taken.index} of {kernel_name} is of type {name}: {given.type.label} "
                f"would be taken for its bits, give i{given.type.size * 8} or "
                f"u{given.type.size * 8}"
            )
        # An argument that the kernel does not use says nothing of its kind.
        if kind is taken.kind or taken.kind is ArgumentKind.REMOVED:
            continue
        if kind in _OPAQUE or taken.kind in _OPAQUE:
            texts = dict(_KINDS.values())
            wanted = texts.get(taken.kind, f"a {taken.kind.value}, as in f32=1.5")
            raise ArgumentError(f"argument {taken.index} of {kernel_name} takes {wanted}")
