"""SYCLBIN files: device code compiled apart from any host program, with its properties.

A file is a list of abstract modules; each has properties, and images of the same kernels as
intermediate code and as native code. Version 1 is a format of its own, alone or as an image of an
offload binary; version 2 is an offload binary with an entry for each part. Source: the design
document "SYCLBIN" of the DPC++ compiler, and for version 2 the roles that its writer gives.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zedbg.sycl.aspects import AspectNumbering
from zedbg.sycl.byte_reader import ByteReader
from zedbg.sycl.offload_binary import OffloadEntry
from zedbg.sycl.property_sets import PropertySets
from zedbg.sycl.property_text import parse_property_text

SYCLBIN_MAGIC = b"IBYS"  # 0x53594249, little-endian
# Magic, version; numbers of abstract modules, IR modules and native images; padding; sizes of the
# two byte tables; offset and size of the global metadata.
_HEADER = struct.Struct("<4sIIII4xQQQQ")
# Offset and size of the metadata; number and first index of IR modules, and of native images.
_ABSTRACT_MODULE = struct.Struct("<QQIIII")
_IMAGE = struct.Struct("<QQQQ")  # offset and size of the metadata, and of the code
_ALIGNMENT = 8
_METADATA_SIZE = struct.Struct("<Q")  # in front of an image of version 2


@dataclass(frozen=True)
class SyclbinImage:
    """One module's code in one form."""

    is_native: bool
    metadata: PropertySets
    code: ByteReader


@dataclass(frozen=True)
class AbstractModule:
    """Kernels with their properties, and the images that hold their code."""

    metadata: PropertySets
    images: tuple[SyclbinImage, ...]


@dataclass(frozen=True)
class Syclbin:
    """A SYCLBIN file."""

    version: int
    metadata: PropertySets
    modules: tuple[AbstractModule, ...]


def read_version_1(reader: ByteReader) -> Syclbin:
    """The SYCLBIN file of version 1 that ``reader`` holds; raises SyclError if it is damaged."""
    fields = _HEADER.unpack(reader.part(0, _HEADER.size, "SYCLBIN header"))
    magic, version, modules, ir_modules, natives = fields[:5]
    metadata_size, code_size, global_offset, global_size = fields[5:]
    if magic != SYCLBIN_MAGIC:
        raise reader.error(f"found {magic.hex()}", 0, f"the magic {SYCLBIN_MAGIC.hex()}")
    if version != 1:
        raise reader.error(f"SYCLBIN of version {version}", 4, "1 after this magic")
    ir_table = _HEADER.size + modules * _ABSTRACT_MODULE.size
    native_table = ir_table + ir_modules * _IMAGE.size
    metadata_start = native_table + natives * _IMAGE.size
    reader.part(0, metadata_start, "SYCLBIN headers")
    tables = _Tables(
        reader,
        reader.reader(metadata_start, metadata_size, "SYCLBIN metadata"),
        reader.reader(
            metadata_start + metadata_size + -metadata_size % _ALIGNMENT, code_size, "SYCLBIN code"
        ),
    )
    found = []
    for index in range(modules):
        header = reader.unpack(
            _ABSTRACT_MODULE, _HEADER.size + index * _ABSTRACT_MODULE.size, "abstract module"
        )
        offset, size, ir_count, ir_first, native_count, native_first = header
        if ir_first + ir_count > ir_modules or native_first + native_count > natives:
            raise reader.error(
                f"abstract module {index} names images that are not there",
                _HEADER.size + index * _ABSTRACT_MODULE.size,
                f"numbers below {ir_modules} and {natives}",
            )
        images = [
            *tables.images(ir_table, range(ir_first, ir_first + ir_count), False),
            *tables.images(native_table, range(native_first, native_first + native_count), True),
        ]
        found.append(AbstractModule(tables.properties(offset, size), tuple(images)))
    return Syclbin(1, tables.properties(global_offset, global_size), tuple(found))


@dataclass(frozen=True)
class _Tables:
    """The headers and the two byte tables of a file of version 1."""

    headers: ByteReader
    metadata: ByteReader
    code: ByteReader

    def properties(self, offset: int, size: int) -> PropertySets:
        return _properties(
            self.metadata.reader(offset, size, "SYCLBIN metadata"), AspectNumbering.LIBSYCL_8
        )

    def images(self, table: int, indices: range, is_native: bool) -> Iterator[SyclbinImage]:
        for index in indices:
            offset, size, code, code_size = self.headers.unpack(
                _IMAGE, table + index * _IMAGE.size, "SYCLBIN image"
            )
            yield SyclbinImage(
                is_native,
                self.properties(offset, size),
                self.code.reader(code, code_size, "SYCLBIN code"),
            )


def is_version_2(entries: Sequence[OffloadEntry]) -> bool:
    """Whether the entries of an offload binary are the parts of a SYCLBIN file."""
    return any("sycl_format_version" in entry.strings for entry in entries)


def read_version_2(entries: Sequence[OffloadEntry], source: str) -> Syclbin:
    """The SYCLBIN file that ``entries`` make up; raises SyclError for parts that do not fit."""
    metadata = PropertySets((), AspectNumbering.LIBSYCL_9)
    modules: dict[int, PropertySets] = {}
    images: dict[int, list[SyclbinImage]] = {}
    for entry in entries:
        version = entry.strings.get("sycl_format_version", "2")
        if version != "2":
            raise entry.image.error(f"SYCLBIN of version {version!r}", 0, "version 2")
        role = entry.strings.get("role", "")
        if role == "global_metadata":
            metadata = _properties(entry.image, AspectNumbering.LIBSYCL_9)
        elif role == "am_metadata":
            modules[_module_index(entry)] = _properties(entry.image, AspectNumbering.LIBSYCL_9)
        elif role in ("ir", "native"):
            images.setdefault(_module_index(entry), []).append(
                _image_of_version_2(entry.image, role == "native")
            )
        else:
            raise entry.image.error(
                f"found the role {role!r}", 0, "global_metadata, am_metadata, ir or native"
            )
    empty = PropertySets((), AspectNumbering.LIBSYCL_9)
    return Syclbin(
        2,
        metadata,
        tuple(
            AbstractModule(modules.get(index, empty), tuple(images.get(index, ())))
            for index in sorted({*modules, *images})
        ),
    )


def _image_of_version_2(image: ByteReader, is_native: bool) -> SyclbinImage:
    (size,) = image.unpack(_METADATA_SIZE, 0, "size of an image's metadata")
    metadata = image.reader(_METADATA_SIZE.size, size, "metadata of an image")
    start = _METADATA_SIZE.size + size
    code = image.reader(start, len(image.data) - start, "code of an image")
    return SyclbinImage(is_native, _properties(metadata, AspectNumbering.LIBSYCL_9), code)


def _module_index(entry: OffloadEntry) -> int:
    index = entry.strings.get("am_index", "")
    if not (index.isascii() and index.isdigit() and len(index) < 10):
        raise entry.image.error(f"found {index!r}", 0, "the number of a module")
    return int(index)


def _properties(part: ByteReader, numbering: AspectNumbering) -> PropertySets:
    part.budget.spend(len(part.data), part.base)
    return PropertySets(parse_property_text(bytes(part.data), part.source, part.base), numbering)
