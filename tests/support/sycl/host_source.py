"""Host programs for tests: C sources that lay out device images as SYCL compilers do.

The C compiler and linker place the structures and make the relocations, so that what is read back
has been through the same tools as a real library, and none of it through the reader under test.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import BinaryIO

DECLARATIONS = """
#include <stddef.h>
#include <stdint.h>
struct entry { void *address; const char *name; size_t size; int32_t flags, reserved; };
struct property { const char *name; const void *value; uint32_t type; uint64_t size; };
struct property_set { const char *name; const struct property *begin, *end; };
struct image2 {
  uint16_t version; uint8_t kind, format; const char *target, *compile_options, *link_options;
  const char *manifest_begin, *manifest_end; const unsigned char *begin, *end;
  const struct entry *entries_begin, *entries_end;
  const struct property_set *sets_begin, *sets_end;
};
struct image3 {
  uint16_t version; uint8_t kind, format; const char *target, *compile_options, *link_options;
  const unsigned char *begin, *end; const struct entry *entries_begin, *entries_end;
  const struct property_set *sets_begin, *sets_end;
};
struct descriptor {
  uint16_t version, count; const void *images; const void *entries_begin, *entries_end;
};
#define REGISTERED __attribute__((section(".data.rel.ro"), used)) static
"""


@dataclass(frozen=True)
class SourceProperty:
    """A property: an integer, or bytes that get their bit count (of all or of ``bits``)."""

    name: str
    value: int | bytes
    bits: int | None = None


@dataclass(frozen=True)
class SourceImage:
    """A device image to be laid out."""

    data: bytes
    entries: Sequence[str] = ()
    sets: Sequence[tuple[str, Sequence[SourceProperty]]] = ()
    target: str = "spir64"
    format: int = 0
    compile_options: str = ""
    link_options: str = ""


def host_source(
    descriptors: Sequence[Sequence[SourceImage]], version: int, code: Path | None = None
) -> str:
    """C that registers ``descriptors``, with image structures of ``version`` (2 or 3).

    Code of many megabytes is written to the file ``code``, which the assembler includes.
    """
    parts = [DECLARATIONS]
    blob = None if code is None else code.open("wb")
    for number, images in enumerate(descriptors):
        initializers = [
            _image(parts, f"d{number}_{index}", image, version, blob)
            for index, image in enumerate(images)
        ]
        parts.append(
            f"REGISTERED const struct image{version} images{number}[] = {{\n"
            + ",\n".join(initializers)
            + "\n};\n"
            f"REGISTERED const struct descriptor descriptor{number} = "
            f"{{1, {len(images)}, images{number}, 0, 0}};\n"
        )
    if blob is not None:
        blob.close()
    return "".join(parts)


class Linking(Enum):
    """How the linker leaves pointers: the compiler's options for it."""

    RELOCATED = ("-shared", "-fPIC")
    PACKED = ("-shared", "-fPIC", "-Wl,-z,pack-relative-relocs")
    IN_PLACE = ("-static", "-no-pie", "-nostdlib", "-Wl,--entry=0")


def build_host(directory: Path, source: str, linking: Linking = Linking.RELOCATED) -> Path:
    """The program or shared library that the C compiler makes of ``source``."""
    directory.mkdir(parents=True, exist_ok=True)
    code = directory / "host.c"
    code.write_text(source)
    program = directory / "host"
    subprocess.run(
        ["gcc", "-O1", "-fno-toplevel-reorder", "-o", str(program), str(code), *linking.value],
        check=True,
        capture_output=True,
    )
    return program


def _image(
    parts: list[str], name: str, image: SourceImage, version: int, blob: BinaryIO | None
) -> str:
    if blob is not None:
        place = f'.incbin \\"{blob.name}\\", {blob.tell()}, {len(image.data)}'
        blob.write(image.data)
        parts.append(
            f"extern const unsigned char {name}_code[] "
            '__attribute__((visibility("hidden")));\n'
            f'__asm__(".pushsection .rodata\\n.globl {name}_code\\n.hidden {name}_code\\n'
            f'{name}_code: {place}\\n.popsection");\n'
        )
    elif image.data:
        parts.append(f"static const unsigned char {name}_code[] = {_bytes(image.data)};\n")
    else:
        parts.append(f"static const unsigned char {name}_code[1];\n")
    entries = _array(
        parts,
        f"const struct entry {name}_entries",
        [f'{{0, "{entry}", 0, 0, 0}}' for entry in image.entries],
    )
    sets = []
    for index, (set_name, properties) in enumerate(image.sets):
        items = [
            _property(parts, f"{name}_s{index}_p{position}", item)
            for position, item in enumerate(properties)
        ]
        begin, end = _array(parts, f"const struct property {name}_s{index}", items)
        sets.append(f'{{"{set_name}", {begin}, {end}}}')
    sets_range = _array(parts, f"const struct property_set {name}_sets", sets)
    manifest = "0, 0, " if version == 2 else ""
    return (
        f'{{{version}, 4, {image.format}, "{image.target}", "{image.compile_options}", '
        f'"{image.link_options}", {manifest}{name}_code, {name}_code + {len(image.data)}, '
        f"{', '.join(entries)}, {', '.join(sets_range)}}}"
    )


def _property(parts: list[str], name: str, item: SourceProperty) -> str:
    if isinstance(item.value, int):
        return f'{{"{item.name}", 0, 1, {item.value}u}}'
    bits = len(item.value) * 8 if item.bits is None else item.bits
    stored = bits.to_bytes(8, "little") + item.value
    parts.append(f"static const unsigned char {name}[] = {_bytes(stored)};\n")
    return f'{{"{item.name}", {name}, 2, {len(stored)}}}'


def _array(parts: list[str], declaration: str, items: Sequence[str]) -> tuple[str, str]:
    """Declares an array; gives what points to its begin and after its end."""
    if not items:
        return "0", "0"
    name = declaration.rpartition(" ")[2]
    parts.append(f"REGISTERED {declaration}[] = {{\n" + ",\n".join(items) + "\n};\n")
    return name, f"{name} + {len(items)}"


def _bytes(data: bytes) -> str:
    return "{" + ",".join(map(str, data)) + "}"
