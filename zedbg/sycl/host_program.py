"""The device images of a host program, a shared library, an object file or a bare container."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from zedbg.sycl.device_image import DeviceImage
from zedbg.sycl.host_elf import HostElf
from zedbg.sycl.host_structures import find_descriptors, read_images


class HostProgram:
    """A file with device code in it."""

    def __init__(self, data: bytes, source: str) -> None:
        """``data`` is the whole file, which errors call ``source``.

        Raises SyclError when it is no file that can hold device images, or is damaged.
        """
        self.source = source
        self.elf = HostElf(data, source)
        self.descriptors = find_descriptors(self.elf)

    @classmethod
    def open(cls, path: str | Path) -> HostProgram:
        """Reads the file ``path``; raises SyclError, and OSError when it cannot be read."""
        path = Path(path)
        return cls(path.read_bytes(), path.name)

    @cached_property
    def images(self) -> tuple[DeviceImage, ...]:
        """Its device images, in the order in which they are registered."""
        return tuple(self._read())

    def _read(self) -> Iterator[DeviceImage]:
        for descriptor in self.descriptors:
            yield from read_images(self.elf, descriptor)
