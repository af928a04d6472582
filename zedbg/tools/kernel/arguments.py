"""Kernel arguments as text: ``f32=1.5``, ``i32[64]=iota'>out.bin'``, ``local[256]``,
``struct{i32=1,align[16],f32[4]=iota}``, ``image2d[64x64,rgba8]=iota``, ``sampler[linear,edge]``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from zedbg.tools.kernel.elements import (
    ArgumentError,
    ElementType,
    element_count,
    initial_content,
)
from zedbg.tools.kernel.images import (
    ImageArgument,
    SamplerArgument,
    parse_image,
    parse_sampler,
)


@dataclass(frozen=True)
class Scalar:
    """An argument passed by value: ``data`` holds its bytes."""

    type: ElementType
    data: bytes


@dataclass(frozen=True)
class Buffer:
    """A buffer argument with its initial content, and where to write it afterwards."""

    type: ElementType
    count: int
    data: bytes
    output: Path | None = None


@dataclass(frozen=True)
class Local:
    """Local memory of the work-group, in bytes."""

    size: int


@dataclass(frozen=True)
class Structure:
    """A structure passed by value: ``data`` holds its bytes."""

    data: bytes


KernelArgument = Scalar | Buffer | Local | Structure | ImageArgument | SamplerArgument

_TYPES = {each.label: each for each in ElementType}
_ARGUMENT = re.compile(
    r"(?P<type>\w+)(\[(?P<count>\w+)\])?(=(?P<value>[^>]*))?(>(?P<output>.+))?", re.DOTALL
)
_STRUCTURE = re.compile(r"struct\s*\{(.*)\}", re.DOTALL)
_ALIGNMENT = re.compile(r"\s*align\[(\d+)\]\s*")
_LARGEST_ALIGNMENT = 128  # of OpenCL C's types: that of double16


def parse_argument(text: str) -> KernelArgument:
    """Reads one argument.

    Raises:
        ArgumentError: it cannot be read, or names a file that cannot.
    """
    structure = _STRUCTURE.fullmatch(text.strip())
    if structure:
        return _structure(structure[1].split(","), text)
    if text.strip().startswith("image"):
        return parse_image(text.strip())
    if text.strip().startswith("sampler"):
        return parse_sampler(text.strip())
    match = _ARGUMENT.fullmatch(text.strip())
    if not match:
        raise ArgumentError(
            f"cannot read argument {text!r}: expected f32=1.5, i32[64]=iota, local[256], "
            "struct{i32=1,f32=2}, image2d[64x64,rgba8] or sampler[linear,edge]"
        )
    name, count, value, output = (match[key] for key in ("type", "count", "value", "output"))
    if name == "local":
        if count is None or value is not None or output is not None:
            raise ArgumentError(f"cannot read {text!r}: local memory is local[BYTES]")
        return Local(element_count(count, text, 1))
    if name not in _TYPES:
        raise ArgumentError(f"unknown type {name!r} in {text!r}: one of {', '.join(_TYPES)}, local")
    element = _TYPES[name]
    if count is None:
        if value is None or output is not None:
            raise ArgumentError(f"cannot read {text!r}: a scalar is {name}=VALUE")
        return Scalar(element, element.pack([element.parse(value)]))
    number = element_count(count, text, element.size)
    data = initial_content(element, number, value or "0", text)
    return Buffer(element, number, data, Path(output.strip("'\"")) if output else None)


def _structure(members: list[str], text: str) -> Structure:
    """Members one after the other, each aligned to its elements as C does it; ``align[N]`` goes on
    at a multiple of N bytes. The size is a multiple of the largest alignment."""
    data = b""
    largest = 1
    for member in members:
        match = _ALIGNMENT.fullmatch(member)
        if match:
            alignment, content = int(match[1]), b""
            if not 0 < alignment <= _LARGEST_ALIGNMENT or alignment & (alignment - 1):
                raise ArgumentError(f"{text!r}: an alignment is a power of two up to 128")
        else:
            argument = parse_argument(member)
            if not isinstance(argument, Scalar | Buffer) or (
                isinstance(argument, Buffer) and argument.output is not None
            ):
                raise ArgumentError(f"{text!r}: {member!r} cannot be a member")
            alignment, content = argument.type.size, argument.data
        largest = max(largest, alignment)
        data = data.ljust(-(-len(data) // alignment) * alignment, b"\0") + content
    return Structure(data.ljust(-(-len(data) // largest) * largest, b"\0"))
