"""The device images in containers that no host structure describes: object files and bare files."""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.sycl import syclbin
from zedbg.sycl.byte_reader import ByteReader
from zedbg.sycl.device_image import DeviceImage, ImageDescription, KnownContents
from zedbg.sycl.offload_binary import OffloadEntry, offload_entries
from zedbg.sycl.property_sets import PropertySets
from zedbg.sycl.property_table import SetName
from zedbg.sycl.syclbin import AbstractModule, Syclbin, SyclbinImage
from zedbg.zebin.formats import IDENTIFYING_BYTES, FileFormat, identify

# Sets whose keys are the names of kernels: what a container has in place of a list of entries.
_SETS_NAMING_KERNELS = (
    SetName.KERNEL_PARAM_OPT,
    SetName.ASSERT_USED,
    SetName.IMPLICIT_LOCAL_ARG,
)
_KERNEL_TAGS = (
    "@reqd_work_group_size",
    "@work_group_num_dim",
    "@max_work_group_size",
    "@max_linear_work_group_size",
)


def images_of_container(reader: ByteReader) -> list[DeviceImage]:
    """The device images in the offload binary, SYCLBIN file or bare image ``reader`` holds.

    Raises SyclError when it is damaged, or is nothing that holds device code.
    """
    kind = identify(bytes(reader.data[:IDENTIFYING_BYTES]))
    if kind is FileFormat.OFFLOAD_BINARY:
        entries = offload_entries(reader)
        if syclbin.is_version_2(entries):
            return list(_syclbin_images(syclbin.read_version_2(entries, reader.source)))
        return [image for entry in entries for image in _images_of_entry(entry)]
    if kind is FileFormat.SYCLBIN:
        return list(_syclbin_images(syclbin.read_version_1(reader)))
    if kind in (FileFormat.UNKNOWN, FileFormat.X86_64, FileFormat.OTHER_ELF):
        raise reader.error(
            "not a file that holds device code",
            0,
            "a native module, an offload binary, SYCLBIN, SPIR-V or another known format",
        )
    return [bare_image(reader, "")]


def read_syclbin(reader: ByteReader) -> Syclbin | None:
    """The SYCLBIN file that ``reader`` holds, of either version; None when it is another file."""
    kind = identify(bytes(reader.data[:IDENTIFYING_BYTES]))
    if kind is FileFormat.SYCLBIN:
        return syclbin.read_version_1(reader)
    if kind is FileFormat.OFFLOAD_BINARY:
        entries = offload_entries(reader)
        if syclbin.is_version_2(entries):
            return syclbin.read_version_2(entries, reader.source)
        for entry in entries:
            if bytes(entry.image.data[:4]) == syclbin.SYCLBIN_MAGIC:
                return syclbin.read_version_1(entry.image)
    return None


def nested_images(image: DeviceImage) -> list[DeviceImage]:
    """The images within ``image`` when it is a container itself; empty when it is code.

    Raises SyclError when it is damaged. Offsets of a compressed one's images count within it.
    """
    if image.format not in (FileFormat.OFFLOAD_BINARY, FileFormat.SYCLBIN):
        return []
    if image.is_compressed:
        source = f"{image.source} (decompressed)"
        return images_of_container(ByteReader.whole(image.data(), source))
    return images_of_container(ByteReader.whole(image.stored, image.source, image.offset))


def bare_image(
    reader: ByteReader, target: str, entries: tuple[str, ...] = (), arch: str = ""
) -> DeviceImage:
    """An image of which nothing is known but its bytes, ``target`` and kernels."""
    return DeviceImage(
        reader.source,
        reader.data,
        reader.base,
        ImageDescription(target, arch=arch),
        KnownContents(entries),
    )


def _images_of_entry(entry: OffloadEntry) -> Iterator[DeviceImage]:
    if bytes(entry.image.data[:4]) == syclbin.SYCLBIN_MAGIC:
        yield from _syclbin_images(syclbin.read_version_1(entry.image))
        return
    strings = entry.strings
    description = ImageDescription(
        strings.get("triple", ""),
        strings.get("compile-opts", ""),
        strings.get("link-opts", ""),
        arch=strings.get("arch", ""),
    )
    yield DeviceImage(
        entry.image.source,
        entry.image.data,
        entry.image.base,
        description,
        KnownContents(),
    )


def _syclbin_images(file: Syclbin) -> Iterator[DeviceImage]:
    for module in file.modules:
        for image in module.images:
            yield _syclbin_image(module, image)


def _syclbin_image(module: AbstractModule, image: SyclbinImage) -> DeviceImage:
    name = SetName.SYCLBIN_NATIVE_IMAGE if image.is_native else SetName.SYCLBIN_IR_MODULE
    target = image.metadata.value(name, "target")
    arch = image.metadata.value(name, "arch")
    return DeviceImage(
        image.code.source,
        image.code.data,
        image.code.base,
        ImageDescription(_text(target), arch=_text(arch)),
        KnownContents(_kernels_named_in(module.metadata), module.metadata),
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _kernels_named_in(sets: PropertySets) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for set_name in _SETS_NAMING_KERNELS:
        names.update(dict.fromkeys(sets.get(set_name, ())))
    for key in sets.get(SetName.PROGRAM_METADATA, ()):
        kernel, at, tag = key.rpartition("@")
        if at and at + tag in _KERNEL_TAGS:
            names[kernel] = None
    return tuple(names)
