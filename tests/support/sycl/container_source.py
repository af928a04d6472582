"""Offload binaries and SYCLBIN files for tests, written from their published layouts."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import zstandard

_ALIGNMENT = 8
_SYCL = 8


@dataclass(frozen=True)
class SourceEntry:
    """One image of an offload binary."""

    image: bytes
    strings: Mapping[str, str]
    kind: int = 0


def offload_binary(
    entries: Sequence[SourceEntry], version: int, compression: str | None = None
) -> bytes:
    """An offload binary; ``compression`` (from version 3) is zstd or zlib."""
    header_size = 40 if version >= 3 else 32
    string_size = 16 if version == 1 else 24
    strings_start = header_size + 40 * len(entries)
    text_start = strings_start + string_size * sum(len(entry.strings) for entry in entries)
    text = b"\0"
    pairs = []
    for entry in entries:
        for key, value in entry.strings.items():
            key_offset, value_offset = (
                text_start + len(text),
                text_start + len(text) + len(key.encode()) + 1,
            )
            text += key.encode() + b"\0" + value.encode() + b"\0"
            pairs.append((key_offset, value_offset, len(value.encode())))
    images_start = _aligned(text_start + len(text))
    body = b""
    strings_offset, image_offset = strings_start, images_start
    for entry in entries:
        body += struct.pack(
            "<HHIQQQQ",
            entry.kind,
            _SYCL,
            0,
            strings_offset,
            len(entry.strings),
            image_offset,
            len(entry.image),
        )
        strings_offset += string_size * len(entry.strings)
        image_offset += len(entry.image)
    for pair in pairs:
        body += struct.pack("<QQ", *pair[:2]) if version == 1 else struct.pack("<QQQ", *pair)
    body += text
    body += bytes(images_start - header_size - len(body))
    body += b"".join(entry.image for entry in entries)
    size = _aligned(header_size + len(body))
    body += bytes(size - header_size - len(body))
    inflated = 0
    if compression is not None:
        inflated = size
        body = zstandard.compress(body) if compression == "zstd" else zlib.compress(body)
        size = header_size + len(body)
    third = 40 if version == 1 else len(entries)  # size of the one entry, or the number of entries
    header = struct.pack("<4sIQQQ", b"\x10\xff\x10\xad", version, size, header_size, third)
    if version >= 3:
        header += struct.pack("<Q", inflated)
    return header + body + bytes(_aligned(size) - size)


@dataclass(frozen=True)
class SourceModule:
    """An abstract module of a SYCLBIN file: its properties, and (properties, code) of images."""

    properties: bytes
    ir: Sequence[tuple[bytes, bytes]] = ()
    native: Sequence[tuple[bytes, bytes]] = ()


def syclbin_1(properties: bytes, modules: Sequence[SourceModule]) -> bytes:
    """A SYCLBIN file of version 1."""
    metadata, code = properties, b""
    module_headers = ir_headers = native_headers = b""
    ir_count = native_count = 0
    for module in modules:
        module_headers += struct.pack(
            "<QQIIII",
            len(metadata),
            len(module.properties),
            len(module.ir),
            ir_count,
            len(module.native),
            native_count,
        )
        metadata += module.properties
        for image_properties, image in module.ir:
            ir_headers += struct.pack(
                "<QQQQ", len(metadata), len(image_properties), len(code), len(image)
            )
            metadata, code = metadata + image_properties, code + image
        for image_properties, image in module.native:
            native_headers += struct.pack(
                "<QQQQ", len(metadata), len(image_properties), len(code), len(image)
            )
            metadata, code = metadata + image_properties, code + image
        ir_count += len(module.ir)
        native_count += len(module.native)
    header = struct.pack(
        "<IIIII4xQQQQ",
        0x53594249,
        1,
        len(modules),
        ir_count,
        native_count,
        len(metadata),
        len(code),
        0,
        len(properties),
    )
    headers = header + module_headers + ir_headers + native_headers
    return headers + metadata + bytes(_aligned(len(metadata)) - len(metadata)) + code


def syclbin_2(properties: bytes, modules: Sequence[SourceModule]) -> bytes:
    """A SYCLBIN file of version 2: an offload binary of its parts."""
    entries = [_part("global_metadata", properties)]
    for index, module in enumerate(modules):
        entries.append(_part("am_metadata", module.properties, am_index=str(index)))
        for role, images in (("ir", module.ir), ("native", module.native)):
            for image_properties, image in images:
                payload = struct.pack("<Q", len(image_properties)) + image_properties + image
                entries.append(_part(role, payload, am_index=str(index)))
    return offload_binary(entries, 2)


def _part(role: str, image: bytes, **strings: str) -> SourceEntry:
    return SourceEntry(image, {"sycl_format_version": "2", "role": role, **strings}, 7)


def _aligned(size: int) -> int:
    return size + -size % _ALIGNMENT
