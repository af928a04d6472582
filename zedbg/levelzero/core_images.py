"""Images and samplers."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.levelzero.core_driver import Device
from zedbg.levelzero.core_memory import Context
from zedbg.levelzero.enums import (
    ImageFlag,
    ImageFormatType,
    ImageLayout,
    ImageSwizzle,
    ImageType,
    SamplerAddressMode,
    SamplerFilterMode,
    StructureType,
)
from zedbg.levelzero.level_zero_errors import check
from zedbg.levelzero.loader import CData, ffi, library, new_structure


@dataclass(frozen=True)
class ImageFormat:
    """ze_image_format_t: ``swizzle`` says where each of red, green, blue and alpha comes from."""

    layout: ImageLayout
    type: ImageFormatType
    swizzle: tuple[ImageSwizzle, ImageSwizzle, ImageSwizzle, ImageSwizzle]


class Image:
    """An image that kernels can read and write.

    Args:
        width: in texels; of a buffer, in bytes.
        height: in texels; 1 where the type has none.
        layers: slices of a 3D image, or elements of an array; 1 for others.
    """

    def __init__(
        self,
        context: Context,
        device: Device,
        image_type: ImageType,
        image_format: ImageFormat,
        width: int,
        height: int,
        layers: int,
    ) -> None:
        description = new_structure("ze_image_desc_t", StructureType.IMAGE_DESC)
        description.flags = ImageFlag.KERNEL_WRITE
        description.type = image_type
        description.format.layout = image_format.layout
        description.format.type = image_format.type
        for channel, swizzle in zip("xyzw", image_format.swizzle, strict=True):
            setattr(description.format, channel, swizzle)
        description.width = width
        description.height = height
        description.depth = layers
        description.arraylevels = layers
        handle = ffi.new("ze_image_handle_t *")
        check(
            library().zeImageCreate(context.handle, device.handle, description, handle),
            f"create an image of {width}x{height}x{layers}",
            device.properties.name,
        )
        self.handle: CData = handle[0]

    def destroy(self) -> None:
        if self.handle is not None:
            handle, self.handle = self.handle, None
            check(library().zeImageDestroy(handle), "destroy the image")


class Sampler:
    """How a kernel reads images between and beyond their texels."""

    def __init__(
        self,
        context: Context,
        device: Device,
        address: SamplerAddressMode,
        filter_mode: SamplerFilterMode,
        *,
        normalized: bool,
    ) -> None:
        description = new_structure("ze_sampler_desc_t", StructureType.SAMPLER_DESC)
        description.addressMode = address
        description.filterMode = filter_mode
        description.isNormalized = normalized
        handle = ffi.new("ze_sampler_handle_t *")
        check(
            library().zeSamplerCreate(context.handle, device.handle, description, handle),
            "create a sampler",
            device.properties.name,
        )
        self.handle: CData = handle[0]

    def destroy(self) -> None:
        if self.handle is not None:
            handle, self.handle = self.handle, None
            check(library().zeSamplerDestroy(handle), "destroy the sampler")
