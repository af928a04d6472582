"""Rows about the device images in host programs, libraries and containers of SYCL."""

from __future__ import annotations

from zedbg.commands.rows import Row
from zedbg.frontends.inspect.errors import ImageError
from zedbg.frontends.inspect.rows import FileRow, MemberRow
from zedbg.sycl import DeviceImage, HostProgram, SyclError
from zedbg.zebin.formats import FileFormat


def image_container_rows(data: bytes, name: str, format_: FileFormat) -> list[Row]:
    """The images in ``data``; raises ImageError when it is damaged or can hold none."""
    try:
        images = HostProgram(data, name).images
        rows: list[Row] = [_image_row(image) for image in images]
    except SyclError as error:
        raise ImageError(str(error)) from error
    is_host = format_ is FileFormat.OTHER_ELF
    file_row = FileRow(
        name,
        "host program or library" if is_host else format_.value,
        len(data),
        "",
        (f"{len(rows)} device images",),
    )
    return [file_row, *rows]


def _image_row(image: DeviceImage) -> MemberRow:
    target = f"{image.target} {image.description.arch}".strip()
    return MemberRow(
        f"image at {image.offset:#x}",
        target,
        image.format.value,
        image.offset,
        image.size,
        image.entries,
    )
