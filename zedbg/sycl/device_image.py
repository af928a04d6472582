"""One device image: device code for a target, the kernels in it, and its properties."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Protocol

from zedbg.sycl import compression
from zedbg.sycl.property_sets import PropertySets
from zedbg.zebin.file_errors import ZebinError
from zedbg.zebin.formats import IDENTIFYING_BYTES, FileFormat, identify
from zedbg.zebin.kernel_list import kernels_in_code


class DeclaredFormat(IntEnum):
    """What the host program's structure calls the image; most compilers leave it at NONE."""

    NONE = 0
    NATIVE = 1
    SPIRV = 2
    LLVM_BITCODE = 3
    COMPRESSED = 4


class ImageContents(Protocol):
    """What a host program or container holds of an image besides its code."""

    def entries(self) -> tuple[str, ...]:
        """The names that it offers; raises SyclError when they are damaged."""

    def property_sets(self) -> PropertySets:
        """Its properties; raises SyclError when they are damaged."""


@dataclass(frozen=True, slots=True)
class KnownContents:
    """Contents that are known already."""

    names: tuple[str, ...] = ()
    properties: PropertySets = field(default_factory=lambda: PropertySets(()))

    def entries(self) -> tuple[str, ...]:
        return self.names

    def property_sets(self) -> PropertySets:
        return self.properties


@dataclass(frozen=True, slots=True)
class ImageDescription:
    """What a host program or container says of an image."""

    target: str  # the triple or short name of the target, such as spir64
    compile_options: str = ""
    link_options: str = ""
    declared_format: int = DeclaredFormat.NONE  # may be a number that the enumeration lacks
    version: int = 0  # of the structure that holds it; 0 for containers
    arch: str = ""  # the device, where it is compiled for one


class DeviceImage:
    """Device code as it lies in its file. Everything but its place is read when asked for."""

    def __init__(
        self,
        source: str,
        stored: memoryview,
        offset: int,
        description: ImageDescription,
        contents: ImageContents,
    ) -> None:
        """``stored`` are the image's bytes, at ``offset`` of the file ``source``."""
        self.source = source
        self.stored = stored
        self.offset = offset
        self.description = description
        self._contents = contents

    @property
    def target(self) -> str:
        """What it is for, as the command line of the compiler says."""
        return self.description.target

    @property
    def size(self) -> int:
        """Bytes that it takes in its file, compressed if it is."""
        return len(self.stored)

    @property
    def is_compressed(self) -> bool:
        """Whether it is a Zstandard frame."""
        return compression.is_compressed(self.stored)

    @cached_property
    def format(self) -> FileFormat:
        """What the code is, after decompression; raises SyclError for a damaged frame."""
        if self.is_compressed:
            start = compression.first_bytes(
                self.stored, IDENTIFYING_BYTES, self.source, self.offset
            )
        else:
            start = bytes(self.stored[:IDENTIFYING_BYTES])
        return identify(start)

    def data(self) -> bytes:
        """The code, decompressed if need be; raises SyclError when that fails."""
        if not self.is_compressed:
            return bytes(self.stored)
        whole = self.stored.obj
        size = len(whole) if isinstance(whole, bytes) else len(self.stored)
        bound = compression.size_bound(size)
        return compression.decompress(self.stored, bound, self.source, self.offset)

    @cached_property
    def entries(self) -> tuple[str, ...]:
        """The names that it offers, mangled, in stored order; empty when they are not listed.

        These are its kernels, and functions that it exports to other images.
        """
        return self._contents.entries()

    @cached_property
    def kernels(self) -> tuple[str, ...]:
        """The names of its kernels, mangled: the entries that are not exported functions.

        Of an image that lists no entries, those that its code has. None when the code is damaged;
        :attr:`damage` then says how.
        """
        if not self.entries:
            return self._code[0]
        exported = set(self.property_sets.exported_symbols)
        return tuple(name for name in self.entries if name not in exported)

    @property
    def damage(self) -> str | None:
        """What is wrong with the code, where that is read for its kernels; None for nothing."""
        return None if self.entries else self._code[1]

    @cached_property
    def _code(self) -> tuple[tuple[str, ...], str | None]:
        """The kernels in the code, and what is wrong with it."""
        try:
            return kernels_in_code(self.data(), self.source), None
        except ZebinError as error:
            return (), error.explanation

    @cached_property
    def property_sets(self) -> PropertySets:
        """Its properties; raises SyclError when the structures that hold them are damaged."""
        return self._contents.property_sets()

    def __repr__(self) -> str:
        return f"<DeviceImage {self.target} at {self.offset:#x}, {self.size} bytes>"
