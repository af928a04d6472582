"""The notes of a native module (``.note.intelgt.compat``): for what, and by what, it was made."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from enum import IntEnum

_HEADER = struct.Struct("<III")
_OWNER = b"IntelGT\0"


class NoteType(IntEnum):
    """Note types of owner IntelGT."""

    PRODUCT_FAMILY = 1
    GFX_CORE = 2
    TARGET_METADATA = 3
    ZEBIN_VERSION = 4
    VISA_ABI = 5
    PRODUCT_CONFIG = 6
    INDIRECT_ACCESS = 7
    INDIRECT_ACCESS_BUFFER = 8


@dataclass(frozen=True)
class IpVersion:
    """A device's IP version as Level Zero packs it: ``12.55.8`` for an Arc A770."""

    packed: int

    @property
    def architecture(self) -> int:
        """Bits 31:22."""
        return self.packed >> 22

    @property
    def release(self) -> int:
        """Bits 21:14."""
        return self.packed >> 14 & 0xFF

    @property
    def revision(self) -> int:
        """Bits 5:0."""
        return self.packed & 0x3F

    def __str__(self) -> str:
        return f"{self.architecture}.{self.release}.{self.revision}"


@dataclass(frozen=True)
class Notes:
    """What the notes say; a value that the module does not give is None."""

    product_family: int | None = None
    gfx_core: int | None = None
    target_metadata: int | None = None
    zebin_version: str | None = None
    visa_abi: int | None = None
    ip_version: IpVersion | None = None
    indirect_access_version: int | None = None
    indirect_access_buffer_version: int | None = None
    unknown: dict[int, bytes] = field(default_factory=dict)

    @property
    def generator(self) -> str | None:
        """Which compiler made the module: bits 23:21 of the target metadata."""
        if self.target_metadata is None:
            return None
        return {1: "IGC", 2: "nGEN"}.get(self.target_metadata >> 21 & 7)


def parse_notes(data: bytes) -> Notes:
    """Reads a note section; stops quietly at damage, since notes only inform."""
    words: dict[int, int] = {}
    version: str | None = None
    unknown: dict[int, bytes] = {}
    position = 0
    while position + _HEADER.size <= len(data):
        name_size, size, note_type = _HEADER.unpack_from(data, position)
        name_at = position + _HEADER.size
        value_at = name_at + (name_size + 3 & ~3)
        value = data[value_at : value_at + size]
        position = value_at + (size + 3 & ~3)
        if data[name_at : name_at + name_size] != _OWNER or len(value) < size:
            continue
        if note_type == NoteType.ZEBIN_VERSION:
            version = value.rstrip(b"\0").decode("ascii", "replace")
        elif note_type in NoteType.__members__.values() and size == 4:
            words[note_type] = int.from_bytes(value, "little")
        else:
            unknown[note_type] = value
    config = words.get(NoteType.PRODUCT_CONFIG)
    return Notes(
        product_family=words.get(NoteType.PRODUCT_FAMILY),
        gfx_core=words.get(NoteType.GFX_CORE),
        target_metadata=words.get(NoteType.TARGET_METADATA),
        zebin_version=version,
        visa_abi=words.get(NoteType.VISA_ABI),
        ip_version=None if config is None else IpVersion(config),
        indirect_access_version=words.get(NoteType.INDIRECT_ACCESS),
        indirect_access_buffer_version=words.get(NoteType.INDIRECT_ACCESS_BUFFER),
        unknown=unknown,
    )
