"""Image and sampler arguments on the command line of `zedbg kernel`."""

import re
import struct

import pytest

from zedbg.levelzero.enums import (
    ImageFormatType,
    ImageLayout,
    ImageSwizzle,
    ImageType,
    SamplerAddressMode,
    SamplerFilterMode,
)
from zedbg.tools.kernel.arguments import parse_argument
from zedbg.tools.kernel.elements import ArgumentError
from zedbg.tools.kernel.images import FORMATS, ImageArgument, SamplerArgument


def test_an_image_has_its_shape_its_format_and_its_content(tmp_path):
    file = tmp_path / "texels.bin"
    file.write_bytes(struct.pack("<24f", *range(24)))
    image = parse_argument(f"image2d_array[3x2x2,rg32f]=@{file}>{tmp_path}/out.bin")
    assert isinstance(image, ImageArgument)
    assert (image.shape, image.width, image.height, image.layers) == (
        ImageType.TYPE_2DARRAY,
        3,
        2,
        2,
    )
    assert image.format.layout is ImageLayout.LAYOUT_32_32
    assert image.format.type is ImageFormatType.FLOAT
    assert image.format.swizzle[2:] == (ImageSwizzle.SWIZZLE_0, ImageSwizzle.SWIZZLE_1)
    assert image.type.unpack(image.data) == list(range(24))
    assert image.output == tmp_path / "out.bin"


@pytest.mark.parametrize(
    ("text", "shape", "sizes"),
    [
        ("image1d[7,r8]", ImageType.TYPE_1D, (7, 1, 1)),
        ("image1d_buffer[7,r8]", ImageType.TYPE_BUFFER, (7, 1, 1)),
        ("image1d_array[7x5,r8]", ImageType.TYPE_1DARRAY, (7, 1, 5)),
        ("image2d[7x5,r8]", ImageType.TYPE_2D, (7, 5, 1)),
        ("image3d[7x5x3,r8]", ImageType.TYPE_3D, (7, 5, 3)),
    ],
)
def test_layers_are_the_last_size_of_arrays_and_volumes(text, shape, sizes):
    image = parse_argument(text)
    assert (image.shape, (image.width, image.height, image.layers)) == (shape, sizes)
    assert len(image.data) == image.count == sizes[0] * sizes[1] * sizes[2]


def test_every_format_has_texels_of_its_size():
    for name in FORMATS:
        image = parse_argument(f"image2d[2x3,{name}]=iota")
        bits = int(re.search(r"\d+", name)[0])
        channels = len(re.match("[a-z]+", name)[0])
        assert len(image.data) == 6 * channels * bits // 8, name
        assert image.format.layout.name == "LAYOUT_" + "_".join([str(bits)] * channels)


def test_the_words_of_a_sampler_stand_in_any_order():
    edge, linear = SamplerAddressMode.CLAMP, SamplerFilterMode.LINEAR
    nearest = SamplerFilterMode.NEAREST
    assert parse_argument("sampler") == SamplerArgument(edge, nearest, True)
    assert parse_argument("sampler[unnormalized,linear]") == SamplerArgument(edge, linear, False)
    assert parse_argument("sampler[mirror,linear]").address is SamplerAddressMode.MIRROR
    assert parse_argument("sampler[clamp]").address is SamplerAddressMode.CLAMP_TO_BORDER


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("image2d[4x4]", "image2d[WIDTHxHEIGHT,FORMAT]"),
        ("image4d[4x4,r8]", "unknown image 'image4d'"),
        ("image2d[4,r8]", "image2d has 2 sizes, as in 64x8"),
        ("image2d[4x0,r8]", "a size from 1"),
        ("image2d[4x4,rgb8]", "unknown format 'rgb8'"),
        ("image2d[4x4,r32]", "unknown format 'r32'"),
        ("image2d[4x4,r8]=256", "not a number that fits u8"),
        ("image2d[4x4,r8]=@/nowhere", "/nowhere: No such file"),
        ("sampler[bicubic]", "a sampler is sampler[FILTER,ADDRESS,COORDINATES]"),
        ("sampler[linear,nearest]", "a sampler is sampler[FILTER,ADDRESS,COORDINATES]"),
        ("sampler{linear}", "a sampler is sampler[FILTER,ADDRESS,COORDINATES]"),
        ("struct{sampler}", "'sampler' cannot be a member"),
    ],
)
def test_what_is_no_image_is_refused_in_one_line(text, says):
    with pytest.raises(ArgumentError) as caught:
        parse_argument(text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
