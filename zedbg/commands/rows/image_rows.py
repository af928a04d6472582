"""Rows about the device images of SYCL programs, and how they come from an image."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from zedbg.commands.rows.module_rows import KindRow
from zedbg.commands.rows.row import Row
from zedbg.missing import Missing
from zedbg.sycl.device_image import DeviceImage
from zedbg.sycl.kernel_names import demangled, specialization_constant_name
from zedbg.sycl.property_table import SetName
from zedbg.sycl.words_of_properties import property_words

_LONGEST_NUMBER = 8  # bytes
# What the page of an image shows in a form of its own.
_SHOWN_APART = frozenset(
    {
        SetName.SPECIALIZATION_CONSTANTS,
        SetName.SPECIALIZATION_DEFAULTS,
        SetName.KERNEL_PARAM_OPT,
        SetName.IMPLICIT_LOCAL_ARG,
        SetName.ASSERT_USED,
    }
)


@dataclass(frozen=True, kw_only=True)
class ImageBriefRow(KindRow):
    """A device image in a list of many. Bytes; ``kernels`` are as in the source."""

    kind = "image-summary"

    number: int  # counts from 0, in the order in which the program registers them
    target: str
    format: str
    offset: int
    size: int
    compressed: bool
    kernels: tuple[str, ...]
    damage: str | None = None  # of the code, where that had to be read for its kernels


@dataclass(frozen=True)
class ImageKernel(Row):
    """A kernel of an image."""

    name: str  # as in the source
    symbol: str  # as in the image, mangled
    arguments: int | None  # of the source; None when the image does not say
    removed: tuple[int, ...]  # of these, those that the compiler found no use for
    implicit_local_argument: int | None
    asserts: bool  # whether it can fail an assertion


@dataclass(frozen=True, kw_only=True)
class ImageConstant(Row):
    """A specialization constant of an image. ``default`` and ``value`` are hexadecimal; bytes."""

    name: str
    symbol: str
    ids: tuple[int, ...]  # one for each scalar of it
    size: int
    default: str | None  # None when the image holds no default values
    number: int | None  # the default as an unsigned number, of up to eight bytes
    # In a program under debug: what it was given there, and that as a number; else None.
    value: str | Missing | None = None
    value_number: int | None = None


@dataclass(frozen=True)
class ImageProperty(Row):
    """A property of an image, in words; ``problem`` says what is wrong with it."""

    set: str
    name: str
    value: str
    meaning: str | None  # None when the documentation does not know it
    problem: str | None


@dataclass(frozen=True, kw_only=True)
class ImageDetailRow(KindRow):
    """All that a program says of one device image. Bytes."""

    kind = "image"

    number: int
    source: str
    target: str
    arch: str
    format: str
    offset: int
    size: int
    compressed: bool
    compile_options: str
    link_options: str
    kernels: tuple[ImageKernel, ...]
    exports: tuple[str, ...]  # functions, as in the source
    constants: tuple[ImageConstant, ...]
    properties: tuple[ImageProperty, ...]
    damage: str | None = None  # of the code, where that had to be read for its kernels


def image_brief(number: int, image: DeviceImage) -> ImageBriefRow:
    """The row of an image in a list; raises SyclError when it is damaged."""
    return ImageBriefRow(
        number=number,
        target=f"{image.target} {image.description.arch}".strip(),
        format=image.format.value,
        offset=image.offset,
        size=image.size,
        compressed=image.is_compressed,
        kernels=tuple(demangled(name) for name in image.kernels),
        damage=image.damage,
    )


def image_detail(
    number: int, image: DeviceImage, values: Mapping[str, bytes | Missing] | None = None
) -> ImageDetailRow:
    """All about an image; raises SyclError when it is damaged.

    ``values``: of its specialization constants in a program under debug, by their symbols.
    """
    sets = image.property_sets
    return ImageDetailRow(
        number=number,
        source=image.source,
        target=image.target,
        arch=image.description.arch,
        format=image.format.value,
        offset=image.offset,
        size=image.size,
        compressed=image.is_compressed,
        compile_options=image.description.compile_options,
        link_options=image.description.link_options,
        kernels=tuple(_kernel(image, name) for name in image.kernels),
        exports=tuple(demangled(name) for name in image.entries if name not in set(image.kernels)),
        constants=image_constants(image, values or {}),
        properties=tuple(
            ImageProperty(
                set_name,
                name,
                property_words(found),
                None if found.row is None else found.row.meaning,
                None if found.problem is None else found.problem.what,
            )
            for set_name, properties in sets.items()
            for name, found in properties.items()
            if set_name not in _SHOWN_APART or found.problem is not None or found.value is None
        ),
        damage=image.damage,
    )


def image_constants(
    image: DeviceImage, values: Mapping[str, bytes | Missing]
) -> tuple[ImageConstant, ...]:
    """The specialization constants of an image; raises SyclError when it is damaged."""
    return tuple(
        ImageConstant(
            name=specialization_constant_name(constant.name),
            symbol=constant.name,
            ids=tuple(element.id for element in constant.elements if not element.is_padding),
            size=constant.size,
            default=None if constant.default is None else constant.default.hex(),
            number=_number(constant.default),
            value=value.hex() if isinstance(value, bytes) else value,
            value_number=_number(value),
        )
        for constant in image.property_sets.specialization_constants
        for value in [values.get(constant.name)]
    )


def _number(value: bytes | Missing | None) -> int | None:
    if not isinstance(value, bytes) or len(value) > _LONGEST_NUMBER:
        return None
    return int.from_bytes(value, "little")


def _kernel(image: DeviceImage, name: str) -> ImageKernel:
    sets = image.property_sets
    eliminated = sets.eliminated_arguments(name)
    return ImageKernel(
        demangled(name),
        name,
        None if eliminated is None else eliminated.count,
        () if eliminated is None else tuple(eliminated.eliminated),
        sets.implicit_local_argument(name),
        name in sets.kernels_using_assert,
    )
