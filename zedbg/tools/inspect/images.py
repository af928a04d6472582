"""Rows about the device images in host programs, libraries and containers of SYCL."""

from __future__ import annotations

from collections import Counter
from fnmatch import fnmatchcase

from zedbg.commands.rows.image_rows import image_brief, image_detail
from zedbg.commands.rows.row import Row
from zedbg.frontends.text import text_images  # noqa: F401 - importing declares renderers
from zedbg.sycl.device_image import DeviceImage
from zedbg.sycl.host_program import HostProgram
from zedbg.sycl.kernel_names import demangled
from zedbg.tools.inspect.rows import FileRow, count
from zedbg.zebin.file_errors import NotInFileError
from zedbg.zebin.formats import FileFormat

# More images than these are listed in one table; --kernel and --image show the page of each.
_PAGES = 4
_HOSTS = (FileFormat.X86_64, FileFormat.OTHER_ELF)


def image_container_rows(
    data: bytes, name: str, format_: FileFormat, kernel: str | None, every_image: bool
) -> list[Row]:
    """The images in ``data``: of those with kernels that the glob ``kernel`` matches, the pages.

    Globs are matched with the names in the source and with the mangled ones. ``every_image`` asks
    for pages, however many there are. Raises SyclError when ``data`` is damaged or can hold no
    images, NotInFileError when it has no such kernel.
    """
    images = HostProgram(data, name).images
    if kernel is not None:
        return _chosen(images, name, kernel)
    rows: list[Row] = [_summary(images, data, name, format_)]
    pages = every_image or len(images) <= _PAGES
    row = image_detail if pages else image_brief
    return rows + [row(number, image) for number, image in enumerate(images)]


def image_bytes(data: bytes, name: str, number: int) -> tuple[bytes, str]:
    """The code of image ``number``, decompressed, and what to call it.

    Raises SyclError when ``data`` is damaged, NotInFileError when it has no such image.
    """
    images = HostProgram(data, name).images
    if not 0 <= number < len(images):
        raise NotInFileError(name, f"no image {number}: there are {len(images)}, counted from 0")
    return images[number].data(), f"{name}(image {number})"


def _chosen(images: tuple[DeviceImage, ...], name: str, pattern: str) -> list[Row]:
    rows: list[Row] = [
        image_detail(number, image)
        for number, image in enumerate(images)
        if any(_matches(symbol, pattern) for symbol in image.kernels)
    ]
    if not rows:
        raise NotInFileError(
            name, f"no kernel matches {pattern} in its {count(images, 'device image')}"
        )
    return rows


def _matches(symbol: str, pattern: str) -> bool:
    names = (symbol, demangled(symbol))
    return any(name == pattern or fnmatchcase(name, pattern) for name in names)


def _summary(
    images: tuple[DeviceImage, ...], data: bytes, name: str, format_: FileFormat
) -> FileRow:
    counts = Counter(
        (image.format.value + (", compressed" if image.is_compressed else ""), image.target)
        for image in images
    )
    kernels = {kernel for image in images for kernel in image.kernels}
    details = []
    if images:
        details = [f"{count(images, 'device image')} with {count(kernels, 'kernel')}"]
    details += [
        f"{count} of {what}" + (f" for {target}" if target else ", no target named")
        for (what, target), count in counts.items()
    ]
    return FileRow(
        name,
        "host program or library" if format_ in _HOSTS else format_.value,
        len(data),
        _advice(images, format_),
        tuple(details),
    )


def _advice(images: tuple[DeviceImage, ...], format_: FileFormat) -> str:
    """What the file is for a person who wanted device code; nothing of a program with some."""
    if not images:
        return "a file without device images that are known here"
    if format_ in _HOSTS:
        return ""
    return "a container of device code: --image NUMBER shows the code of one image"
