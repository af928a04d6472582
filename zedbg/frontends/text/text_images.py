"""Rows about device images as text: the pages of host programs and containers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from zedbg.commands.rows.image_rows import (
    ImageBriefRow,
    ImageConstant,
    ImageDetailRow,
    ImageKernel,
    ImageProperty,
)
from zedbg.frontends.text.rendering import plain, renders, table
from zedbg.frontends.text.text_modules import indented, pairs, size_text


@renders(ImageBriefRow)
def _images(rows: list[ImageBriefRow]) -> Iterator[str]:
    yield ""
    yield from table(
        ("Image", "Target", "Format", "Size", "Kernels"),
        (
            (
                str(row.number),
                row.target,
                row.format + (", compressed" if row.compressed else ""),
                str(row.size),
                "; ".join(row.kernels) or (f"<damaged: {row.damage}>" if row.damage else "none"),
            )
            for row in rows
        ),
    )


@renders(ImageDetailRow)
def _image_pages(rows: list[ImageDetailRow]) -> Iterator[str]:
    for row in rows:
        yield ""
        target = f"{row.target} {row.arch}".strip()
        yield f"image {row.number}" + (f" for {target}" if target else ", no target named")
        yield from indented(_image_page(row))


def _image_page(row: ImageDetailRow) -> Iterator[str]:
    stored = " compressed with Zstandard" if row.compressed else ""
    yield from pairs(
        ("code", f"{row.format}, {size_text(row.size)}{stored} at {row.offset:#x}"),
        ("options", row.compile_options or "none"),
        *([("linked with", row.link_options)] if row.link_options else []),
    )
    for kernel in row.kernels:
        yield f"kernel {kernel.name}"
        yield from indented(_kernel(kernel))
    if not row.kernels:
        yield f"kernels unknown, its code is damaged: {row.damage}" if row.damage else "no kernels"
    for name in row.exports:
        yield f"exports {name}"
    if row.constants:
        yield "specialization constants"
        yield from indented(constant_table(row.constants))
    for set_name, properties in groupby(row.properties, key=lambda each: each.set):
        yield f"[{set_name}]"
        yield from indented(pairs(*map(_property, properties)))


def constant_table(constants: tuple[ImageConstant, ...]) -> Iterator[str]:
    """Specialization constants with their defaults, and their values where there are any."""
    known = any(constant.value is not None for constant in constants)
    yield from table(
        ("Id", "Constant", "Size", "Default", *(["Value"] if known else [])),
        (
            (
                ",".join(map(str, constant.ids)),
                constant.name,
                str(constant.size),
                _default(constant),
                *([constant_value(constant)] if known else []),
            )
            for constant in constants
        ),
    )


def _default(constant: ImageConstant) -> str:
    if constant.default is None:
        return "not in the image"
    return constant.default if constant.number is None else str(constant.number)


def constant_value(constant: ImageConstant) -> str:
    """The value of a constant in the program: a number, its bytes, or why it is not known."""
    return plain(constant.value if constant.value_number is None else constant.value_number)


@renders(ImageConstant)
def _constants(rows: list[ImageConstant]) -> Iterator[str]:
    for row in rows:
        details = ["specialization constant", f"{row.size} bytes"]
        if row.default is not None and row.default != row.value:
            details.append(f"by default {_default(row)}")
        yield f"{row.name} = {constant_value(row)} ({', '.join(details)})"


def _kernel(kernel: ImageKernel) -> Iterator[str]:
    removed = ", ".join(map(str, kernel.removed))
    arguments = "as in the source: the image lists none as removed"
    if kernel.arguments is not None:
        arguments = f"{kernel.arguments} in the source"
        arguments += f"; removed, counted from 0: {removed}" if removed else ", none removed"
    more = []
    if kernel.implicit_local_argument is not None:
        more.append(("local memory", f"argument {kernel.implicit_local_argument}, added"))
    if kernel.asserts:
        more.append(("assertions", "it can fail one"))
    symbol = [("symbol", kernel.symbol)] if kernel.symbol != kernel.name else []
    yield from pairs(*symbol, ("arguments", arguments), *more)


def _property(found: ImageProperty) -> tuple[str, str]:
    return found.name, f"<{found.problem}>" if found.problem else found.value
