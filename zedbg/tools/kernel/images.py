"""Image and sampler arguments as text: ``image2d[64x64,rgba8]=iota``, ``sampler[linear,edge]``.

Formats are named by channels, bits and kind: ``r``, ``rg``, ``rgba`` or ``bgra``; ``8``, ``16``
or ``32``; ``f`` for floats, ``u`` and ``i`` for integers, ``s`` for signed normalized ones, and
nothing for unsigned normalized ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from zedbg.levelzero.core_images import ImageFormat
from zedbg.levelzero.enums import (
    ImageFormatType,
    ImageLayout,
    ImageSwizzle,
    ImageType,
    SamplerAddressMode,
    SamplerFilterMode,
)
from zedbg.tools.kernel.elements import (
    ArgumentError,
    ElementType,
    element_count,
    initial_content,
)


@dataclass(frozen=True)
class ImageArgument:
    """An image with its initial content, and where to write it afterwards.

    ``width`` is in texels, ``height`` and ``layers`` (slices, or elements of an array) are 1 where
    the shape has none; ``data`` are rows of texels without gaps, channels in their order in memory.
    """

    label: str
    shape: ImageType
    format: ImageFormat
    type: ElementType
    channels: int
    width: int
    height: int
    layers: int
    data: bytes
    output: Path | None = None

    @property
    def count(self) -> int:
        """Elements of all channels of all texels."""
        return self.width * self.height * self.layers * self.channels


@dataclass(frozen=True)
class SamplerArgument:
    """How the kernel reads images."""

    address: SamplerAddressMode
    filter: SamplerFilterMode
    normalized: bool


# Shapes by their names in OpenCL C: the type, and how many sizes it has, the last of them layers.
_SHAPES = {
    "image1d": (ImageType.TYPE_1D, 1, False),
    "image1d_buffer": (ImageType.TYPE_BUFFER, 1, False),
    "image1d_array": (ImageType.TYPE_1DARRAY, 2, True),
    "image2d": (ImageType.TYPE_2D, 2, False),
    "image2d_array": (ImageType.TYPE_2DARRAY, 3, True),
    "image3d": (ImageType.TYPE_3D, 3, True),
}
_SWIZZLES = {
    letter: ImageSwizzle[f"SWIZZLE_{letter.upper()}"] for letter in ("r", "g", "b", "a", "0", "1")
}
_ORDERS = {"r": "r001", "rg": "rg01", "rgba": "rgba", "bgra": "bgra"}
# Kinds by their letter: the type, and the letter of the elements.
_KINDS = {
    "": (ImageFormatType.UNORM, "u"),
    "s": (ImageFormatType.SNORM, "i"),
    "u": (ImageFormatType.UINT, "u"),
    "i": (ImageFormatType.SINT, "i"),
    "f": (ImageFormatType.FLOAT, "f"),
}
_WIDTHS = {"": "8 16", "s": "8 16", "u": "8 16 32", "i": "8 16 32", "f": "16 32"}
FORMATS = {
    f"{order}{bits}{kind}": (order, int(bits), kind)
    for order in _ORDERS
    for kind, widths in _WIDTHS.items()
    for bits in widths.split()
}
_ADDRESSES = {
    "none": SamplerAddressMode.NONE,
    "edge": SamplerAddressMode.CLAMP,
    "clamp": SamplerAddressMode.CLAMP_TO_BORDER,
    "repeat": SamplerAddressMode.REPEAT,
    "mirror": SamplerAddressMode.MIRROR,
}
_FILTERS = {"nearest": SamplerFilterMode.NEAREST, "linear": SamplerFilterMode.LINEAR}
_COORDINATES = {"normalized": True, "unnormalized": False}

_IMAGE = re.compile(
    r"(?P<shape>\w+)\[(?P<sizes>\w+),(?P<format>\w+)\](=(?P<value>[^>]*))?(>(?P<output>.+))?",
    re.DOTALL,
)
_SAMPLER = re.compile(r"sampler(\[(?P<words>[\w,]*)\])?")


def parse_image(text: str) -> ImageArgument:
    """Reads an image argument.

    Raises:
        ArgumentError: it cannot be read, or names a file that cannot.
    """
    match = _IMAGE.fullmatch(text)
    if not match:
        raise ArgumentError(
            f"cannot read {text!r}: an image is image2d[WIDTHxHEIGHT,FORMAT], as in "
            "image2d[64x64,rgba8]=iota"
        )
    shape, sizes, form, value, output = (
        match[key] for key in ("shape", "sizes", "format", "value", "output")
    )
    if shape not in _SHAPES:
        raise ArgumentError(f"unknown image {shape!r} in {text!r}: one of {', '.join(_SHAPES)}")
    if form not in FORMATS:
        raise ArgumentError(
            f"unknown format {form!r} in {text!r}: r, rg, rgba or bgra, then 8, 16 or 32, then f, "
            "u, i, s or nothing (rgba8, r32f, rg16i); normalized ones have 8 or 16 bits, floats "
            "16 or 32"
        )
    image_type, dimensions, has_layers = _SHAPES[shape]
    order, bits, kind = FORMATS[form]
    format_type, letter = _KINDS[kind]
    element = ElementType[f"{letter.upper()}{bits}"]
    parts = sizes.split("x")
    if len(parts) != dimensions:
        raise ArgumentError(
            f"{text!r}: {shape} has {dimensions} sizes, as in 64{'x8' * (dimensions - 1)}"
        )
    numbers = [element_count(part, text, 1) for part in parts]
    layers = numbers.pop() if has_layers else 1
    width, height = (*numbers, 1)[:2]
    count = element_count(str(width * height * layers * len(order)), text, element.size)
    swizzle = tuple(_SWIZZLES[each] for each in _ORDERS[order])
    return ImageArgument(
        label=f"{shape}[{sizes},{form}]",
        shape=image_type,
        format=ImageFormat(
            ImageLayout["LAYOUT_" + "_".join([str(bits)] * len(order))],
            format_type,
            (swizzle[0], swizzle[1], swizzle[2], swizzle[3]),
        ),
        type=element,
        channels=len(order),
        width=width,
        height=height,
        layers=layers,
        data=initial_content(element, count, value or "0", text),
        output=Path(output.strip("'\"")) if output else None,
    )


def parse_sampler(text: str) -> SamplerArgument:
    """Reads a sampler argument: its words in any order, each kind at most once.

    Raises:
        ArgumentError: it cannot be read.
    """
    match = _SAMPLER.fullmatch(text)
    words = [word for word in (match["words"] or "").split(",") if word] if match else [text]
    address, filter_mode, normalized = SamplerAddressMode.CLAMP, SamplerFilterMode.NEAREST, True
    seen = set()
    for word in words:
        if word in _ADDRESSES:
            address, kind = _ADDRESSES[word], "address"
        elif word in _FILTERS:
            filter_mode, kind = _FILTERS[word], "filter"
        elif word in _COORDINATES:
            normalized, kind = _COORDINATES[word], "coordinates"
        else:
            kind = "unknown"
        if kind == "unknown" or kind in seen:
            raise ArgumentError(
                f"cannot read {text!r}: a sampler is sampler[FILTER,ADDRESS,COORDINATES] with "
                f"{'|'.join(_FILTERS)}, {'|'.join(_ADDRESSES)}, {'|'.join(_COORDINATES)}"
            )
        seen.add(kind)
    return SamplerArgument(address, filter_mode, normalized)
