"""Which device image of the program under debug a loaded module was made from.

The driver says nothing of it. But SYCL programs have their images in the files that they have
mapped, and the kernels' symbols of an image are those of the module.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from zedbg.sycl.arguments import ArgumentMap
from zedbg.sycl.device_image import DeviceImage
from zedbg.sycl.host_program import HostProgram
from zedbg.sycl.sycl_errors import SyclError

_SMALLEST = 4096  # bytes of a file that can hold an image and the structures about it
_MANGLED = "_Z"  # kernels of other languages have plain names, and no images in the program
_PATH_COLUMN = 5  # of a line of /proc/PID/maps (proc(5))


@dataclass(frozen=True)
class ProgramImage:
    """A device image in a file of the program; ``number`` counts the images of the file."""

    path: Path
    number: int
    image: DeviceImage

    def source_argument(self, kernel: str, index: int) -> int | None:
        """The source's argument that the module's argument ``index`` is; None for an added one.

        The compiler leaves out arguments that a kernel does not use.
        """
        try:
            return ArgumentMap.of_kernel(self.image.property_sets, kernel).source_index(index)
        except (IndexError, SyclError):
            return None


def image_of_module(pid: int, kernels: Sequence[str]) -> ProgramImage | None:
    """The image from which process ``pid`` made a module with ``kernels``; None without one.

    Damaged files count as having none.
    """
    names = [name for name in kernels if name.startswith(_MANGLED)]
    if not names:
        return None
    for path in _mapped_files(pid):
        try:
            status = path.stat()
            if status.st_size < _SMALLEST or not _mentions(path, names[0]):
                continue
            program = _program(path, status.st_mtime_ns, status.st_size)
            found = program.images_of_module(kernels)
        except (OSError, SyclError):
            continue
        if found:
            return ProgramImage(path, program.images.index(found[0]), found[0])
    return None


def _mapped_files(pid: int) -> Iterator[Path]:
    """The files that the process has mapped, each once."""
    try:
        lines = Path(f"/proc/{pid}/maps").read_text(errors="surrogateescape").splitlines()
    except OSError:
        return
    columns = (line.split(maxsplit=_PATH_COLUMN) for line in lines)
    names = (each[_PATH_COLUMN] for each in columns if len(each) > _PATH_COLUMN)
    for name in dict.fromkeys(name for name in names if name.startswith("/")):
        if Path(name).is_file():
            yield Path(name)


def _mentions(path: Path, symbol: str) -> bool:
    """Whether ``symbol`` stands in the file: reading its structures takes much longer."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return data.find(symbol.encode() + b"\0") >= 0


@lru_cache(maxsize=4)
def _program(path: Path, _modified: int, _size: int) -> HostProgram:
    return HostProgram.open(path)
