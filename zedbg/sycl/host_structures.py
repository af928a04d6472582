"""The structures through which a host program registers its device images with the SYCL runtime.

The compiler passes a descriptor to `__sycl_register_lib`: a version and a count, and a pointer to
that many image structures. Version 2 of these is made for libsycl.so.8, version 3, which has no
manifest, for libsycl.so.9. No symbol marks descriptors; they are found by their shape.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zedbg.sycl.aspects import AspectNumbering
from zedbg.sycl.device_image import DeviceImage, ImageDescription
from zedbg.sycl.host_elf import HostElf
from zedbg.sycl.property_sets import PropertySets, RawSet
from zedbg.sycl.raw_property import PropertyType, RawProperty
from zedbg.sycl.read_budget import ReadBudget
from zedbg.sycl.sycl_errors import SyclError
from zedbg.zebin.elf import Segment

_DESCRIPTOR_SIZE = 32
# Its first eight bytes: version 1, a count, four bytes of padding; a pointer follows.
_DESCRIPTOR_START = re.compile(rb"\x01\x00(?!\x00\x00)([\x00-\xff]{2})\x00{4}")
_DESCRIPTOR_PREFIX = 8  # bytes in front of its first pointer
_KIND_SYCL = 4
_IMAGE_START = struct.Struct("<HBB4x")
_POINTER_SIZE = 8
_ENTRY_SIZE = 32
_SET_SIZE = 24
_PROPERTY_SIZE = 32


@dataclass(frozen=True)
class ImageLayout:
    """Where the pointers of one version of the image structure lie, counted in pointers."""

    pointers: int
    image: int
    entries: int
    properties: int
    numbering: AspectNumbering

    @property
    def size(self) -> int:
        """Bytes of the structure."""
        return _IMAGE_START.size + self.pointers * _POINTER_SIZE


_TARGET, _COMPILE_OPTIONS, _LINK_OPTIONS = 0, 1, 2
# Each of image, entries and properties is a pointer to the begin and one after the end.
LAYOUTS: dict[int, ImageLayout] = {
    2: ImageLayout(11, 5, 7, 9, AspectNumbering.LIBSYCL_8),
    3: ImageLayout(9, 3, 5, 7, AspectNumbering.LIBSYCL_9),
}


@dataclass(frozen=True)
class Descriptor:
    """One registration: ``count`` image structures at address ``images``."""

    address: int
    count: int
    images: int
    version: int  # of the image structures
    layout: ImageLayout


def find_descriptors(elf: HostElf) -> list[Descriptor]:
    """The descriptors in the writable data of ``elf``, in the order of their addresses.

    Raises SyclError for images of a version that is not known.
    """
    found = []
    search = ReadBudget(elf.source, len(elf.data))
    for segment in elf.segments:
        if not segment.is_writable:
            continue
        search.spend(segment.size, segment.offset)
        for address, count in _possible_descriptors(elf, segment):
            descriptor = _descriptor_at(elf, address, count)
            if descriptor is not None:
                found.append(descriptor)
    return found


def _possible_descriptors(elf: HostElf, segment: Segment) -> Iterator[tuple[int, int]]:
    """The addresses in ``segment`` that could be a descriptor's, and its number of images."""
    position, end = segment.offset, segment.offset + segment.size
    while match := _DESCRIPTOR_START.search(elf.data, position, end):
        position = match.start() + 1
        address = segment.address + match.start() - segment.offset
        if address % _POINTER_SIZE == 0:
            yield address, int.from_bytes(match[1], "little")


def _descriptor_at(elf: HostElf, address: int, count: int) -> Descriptor | None:
    if count == 0 or elf.file_offset(address, _DESCRIPTOR_SIZE) is None:
        return None
    images = elf.pointer_at(address + _DESCRIPTOR_PREFIX)
    start = elf.file_offset(images, _IMAGE_START.size + _POINTER_SIZE)
    if images == 0 or images % _POINTER_SIZE or start is None:
        return None
    version, kind, _format = _IMAGE_START.unpack_from(elf.data, start)
    if kind != _KIND_SYCL or not _is_target(elf, images):
        return None
    layout = LAYOUTS.get(version)
    if layout is None:
        known = " or ".join(map(str, LAYOUTS))
        raise SyclError(
            elf.source, f"device images of version {version}", start, expected=f"version {known}"
        )
    return Descriptor(address, count, images, version, layout)


def _is_target(elf: HostElf, image: int) -> bool:
    """Whether the image structure at ``image`` names a target, as every real one does."""
    try:
        target = elf.shared_string_at(elf.pointer_at(image + _IMAGE_START.size), "target")
    except SyclError:
        return False
    return bool(target) and target.isascii() and target.isprintable()


def read_images(elf: HostElf, descriptor: Descriptor) -> Iterator[DeviceImage]:
    """The images of ``descriptor``; raises SyclError, which names the one that is damaged."""
    size = descriptor.count * descriptor.layout.size
    elf.budget.spend(size, elf.require(descriptor.images, 1, "device images"))
    descriptions: dict[tuple[int, ...], ImageDescription] = {}
    home = f"descriptor at {descriptor.address:#x}"
    for index in range(descriptor.count):
        structure = ImageStructure(elf, descriptor, index, f"device image {index} of the {home}")
        declared = structure.declared_format
        pointers = structure.pointers()
        key = (declared, *pointers[_TARGET : _LINK_OPTIONS + 1])
        if key not in descriptions:
            descriptions[key] = structure.description(declared, pointers)
        begin, size = _range(elf, pointers, descriptor.layout.image, f"{structure.name}: code")
        offset = elf.require(begin, size, f"{structure.name}: code") if size else 0
        stored = memoryview(elf.data)[offset : offset + size]
        yield DeviceImage(elf.source, stored, offset, descriptions[key], structure)


@dataclass(frozen=True, slots=True)
class ImageStructure:
    """The structure of one image, which errors call ``name``; it is read when it is asked."""

    elf: HostElf
    descriptor: Descriptor
    index: int
    name: str

    @property
    def address(self) -> int:
        """Where the structure lies."""
        return self.descriptor.images + self.index * self.descriptor.layout.size

    @property
    def declared_format(self) -> int:
        """The format that it gives; raises SyclError when it is no structure of its version."""
        start = self.elf.require(self.address, self.descriptor.layout.size, self.name)
        version, kind, declared = _IMAGE_START.unpack_from(self.elf.data, start)
        if version != self.descriptor.version or kind != _KIND_SYCL:
            raise SyclError(
                self.elf.source,
                f"{self.name}: version {version} and kind {kind}",
                start,
                expected=f"version {self.descriptor.version} and kind {_KIND_SYCL}",
            )
        return int(declared)

    def pointers(self) -> list[int]:
        """All its pointers."""
        layout = self.descriptor.layout
        return self.elf.pointers_in(self.address + _IMAGE_START.size, layout.pointers, self.name)

    def description(self, declared: int, pointers: Sequence[int]) -> ImageDescription:
        """What its strings say."""
        texts = [
            self.elf.shared_string_at(pointers[index], f"{self.name}: {name}")
            for index, name in (
                (_TARGET, "target"),
                (_COMPILE_OPTIONS, "compile options"),
                (_LINK_OPTIONS, "link options"),
            )
        ]
        return ImageDescription(texts[0], texts[1], texts[2], declared, self.descriptor.version)

    def entries(self) -> tuple[str, ...]:
        """The names that the image offers."""
        elf, first = self.elf, self.descriptor.layout.entries
        begin = self.address + _IMAGE_START.size + first * _POINTER_SIZE
        begin_and_end = elf.pointers_in(begin, 2, self.name)
        entries = _items(elf, begin_and_end, 0, _ENTRY_SIZE, f"{self.name}: entries")
        return tuple(
            elf.string_at(elf.pointer_at(entry + _POINTER_SIZE), f"{self.name}: name of an entry")
            for entry in entries
        )

    def property_sets(self) -> PropertySets:
        """The image's properties."""
        elf, layout, where = self.elf, self.descriptor.layout, f"{self.name}: property sets"
        sets = []
        for address in _items(elf, self.pointers(), layout.properties, _SET_SIZE, where):
            name_and_range = elf.pointers_in(address, _SET_SIZE // _POINTER_SIZE, where)
            name = elf.shared_string_at(name_and_range[0], f"{self.name}: name of a property set")
            what = f"{self.name}: [{name}]"
            items = _items(elf, name_and_range, 1, _PROPERTY_SIZE, what)
            sets.append(RawSet(name, [_read_property(elf, item, what) for item in items]))
        return PropertySets(sets, layout.numbering)


def _range(elf: HostElf, pointers: Sequence[int], index: int, what: str) -> tuple[int, int]:
    """The address and the bytes of what the pointers ``index`` and the next one enclose."""
    begin, end = pointers[index], pointers[index + 1]
    if end < begin:
        raise SyclError(
            elf.source,
            f"it ends at address {end:#x}",
            part=what,
            expected=f"an end after its begin {begin:#x}",
        )
    return begin, end - begin


def _items(elf: HostElf, pointers: Sequence[int], index: int, size: int, what: str) -> range:
    """The addresses of the items of ``size`` bytes in a range of pointers."""
    begin, length = _range(elf, pointers, index, what)
    if length % size:
        raise SyclError(
            elf.source, f"it has {length} bytes", part=what, expected=f"a multiple of {size}"
        )
    if length:
        elf.budget.spend(length, elf.require(begin, length, what))
    return range(begin, begin + length, size)


def _read_property(elf: HostElf, address: int, what: str) -> RawProperty:
    name = elf.shared_string_at(elf.pointer_at(address), f"{what}: name of a property")
    value = elf.pointer_at(address + 8)
    offset = elf.require(address, _PROPERTY_SIZE, what)
    kind = int.from_bytes(elf.data[offset + 16 : offset + 20], "little")
    size = int.from_bytes(elf.data[offset + 24 : offset + 32], "little")
    if kind == PropertyType.UINT32 or value == 0:
        return RawProperty(name, kind, size & 0xFFFFFFFF, b"", offset)
    elf.budget.spend(size, offset)
    stored = bytes(elf.bytes_at(value, size, f"{what} {name}"))
    return RawProperty(name, kind, size, stored, offset)
