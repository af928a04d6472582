"""The device images of a host program, a shared library, an object file or a bare container."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from zedbg.sycl.byte_reader import ByteReader
from zedbg.sycl.containers import bare_image, images_of_container
from zedbg.sycl.device_image import DeviceImage
from zedbg.sycl.host_elf import HostElf
from zedbg.sycl.host_structures import Descriptor, find_descriptors, read_images
from zedbg.zebin.formats import IDENTIFYING_BYTES, FileFormat, identify

_HOST_FORMATS = (FileFormat.X86_64, FileFormat.OTHER_ELF)
# What compilers put into object files: in the new model of offloading, and in the old one.
_OFFLOADING_SECTION = ".llvm.offloading"
_BUNDLE_PREFIX = "__CLANG_OFFLOAD_BUNDLE__"
_SYMBOLS_SECTION = ".tgtsym"


class HostProgram:
    """A file with device code in it."""

    def __init__(self, data: bytes, source: str) -> None:
        """``data`` is the whole file, which errors call ``source``.

        Raises SyclError when it is no file that can hold device images, or is damaged.
        """
        self.source = source
        self._whole = ByteReader.whole(data, source)
        self.elf: HostElf | None = None
        self.descriptors: list[Descriptor] = []
        if identify(data[:IDENTIFYING_BYTES]) in _HOST_FORMATS:
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

    def images_with_kernel(self, name: str) -> tuple[DeviceImage, ...]:
        """The images that hold the kernel ``name`` (mangled); kernels can be in several."""
        return tuple(image for image in self._images_offering(name) if name in image.kernels)

    def images_of_module(self, kernels: Iterable[str]) -> tuple[DeviceImage, ...]:
        """The images that a loaded module with ``kernels`` can have come from, best first.

        A module is compiled from one image, or from one with those that it imports from: every
        kernel of the image is in the module. The image with the most kernels comes first.
        """
        names = set(kernels)
        found: dict[int, DeviceImage] = {}
        for name in names:
            for image in self._images_offering(name):
                if name in image.kernels and names.issuperset(image.kernels):
                    found[id(image)] = image
        return tuple(sorted(found.values(), key=lambda image: (-len(image.kernels), image.offset)))

    def _images_offering(self, name: str) -> list[DeviceImage]:
        return self._images_by_entry.get(name, [])

    @cached_property
    def _images_by_entry(self) -> dict[str, list[DeviceImage]]:
        images: dict[str, list[DeviceImage]] = {}
        for image in self.images:
            for name in image.entries:
                images.setdefault(name, []).append(image)
        return images

    def _read(self) -> Iterator[DeviceImage]:
        if self.elf is None:
            yield from images_of_container(self._whole)
        elif self.descriptors:
            for descriptor in self.descriptors:
                yield from read_images(self.elf, descriptor)
        elif self.elf.is_object_file:
            yield from self._images_of_object_file(self.elf)

    def _images_of_object_file(self, elf: HostElf) -> Iterator[DeviceImage]:
        for section in elf.sections(_OFFLOADING_SECTION):
            yield from images_of_container(
                self._whole.reader(section.offset, section.size, section.name)
            )
        symbols = self._symbols_by_bundle(elf)
        for section in elf.sections(_BUNDLE_PREFIX):
            bundle = section.name.removeprefix(_BUNDLE_PREFIX)
            kind, _, target = bundle.partition("-")
            if kind == "sycl":
                reader = self._whole.reader(section.offset, section.size, section.name)
                yield bare_image(reader, target, symbols.get(bundle, ()))

    def _symbols_by_bundle(self, elf: HostElf) -> dict[str, tuple[str, ...]]:
        """The symbols that the old model lists, zero-terminated `kind-target.symbol`."""
        found: dict[str, list[str]] = {}
        for section in elf.sections(_SYMBOLS_SECTION):
            part = self._whole.part(section.offset, section.size, section.name)
            self._whole.budget.spend(section.size, section.offset)
            for line in bytes(part).split(b"\0"):
                bundle, dot, symbol = line.decode("utf-8", "replace").partition(".")
                if dot:
                    found.setdefault(bundle, []).append(symbol)
        return {bundle: tuple(names) for bundle, names in found.items()}
