"""Kernels that use images compute what OpenCL C says, by every compiler and device for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.support.kernels import image_model as model
from tests.support.kernels.image_launch import CONFIGURATIONS, OPTIMISED, Launch
from tests.support.kernels.image_launch import random_texels as _texels
from tests.support.kernels.image_model import FORMATS, Sampler

each_configuration = pytest.mark.parametrize("configuration", CONFIGURATIONS)

# Coordinates and weights are floats of 24 bits.
TOLERANCE = 2e-5


SHAPES = {  # shape: spatial dimensions, whether an array, [depth, height, width]
    "1d": (1, False, (1, 1, 24)),
    "1d_array": (1, True, (4, 1, 24)),
    "2d": (2, False, (1, 12, 24)),
    "2d_array": (2, True, (4, 12, 24)),
    "3d": (3, False, (6, 12, 24)),
}
SAMPLERS = [
    Sampler(address, linear, normalized)
    for address in ("edge", "clamp", "repeat", "mirror")
    for linear in (False, True)
    for normalized in (False, True)
    if normalized or address in ("edge", "clamp")
]


def _coordinates(shape: str, sampler: Sampler, count: int) -> model.Array:
    """Places inside and around the image, away from the seams between two texels."""
    spatial, is_array, extent = SHAPES[shape]
    columns = {1: 1, 2: 2, 3: 4}[spatial + is_array]
    random = np.random.default_rng(9)
    places = np.zeros((count, columns), np.float32)
    for dimension in range(spatial):
        size = extent[2 - dimension]
        texel = random.integers(-size, 2 * size, count) + random.uniform(0.05, 0.95, count)
        places[:, dimension] = texel / size if sampler.normalized else texel
    if is_array:
        places[:, spatial] = random.integers(-1, extent[0] + 1, count)
    return places


@each_configuration
@pytest.mark.parametrize("shape", SHAPES)
def test_sampling_follows_address_mode_and_filter(
    configuration: str, shape: str, tmp_path: Path
) -> None:
    spatial, is_array, extent = SHAPES[shape]
    form = FORMATS["rg8"]
    memory = _texels(form, *extent)
    # What differs between optimised and not is the code around the messages, not the messages.
    for sampler in SAMPLERS if configuration in OPTIMISED else SAMPLERS[::4]:
        places = _coordinates(shape, sampler, 64)
        launch = Launch(tmp_path)
        launch.image(shape, form, memory)
        launch.sampler(sampler)
        launch.buffer(places)
        launch.buffer(np.zeros((64, 4), np.float32))
        report, outputs = launch.run(configuration, f"image_sampling.sample_{shape}", "1", "64")
        assert report == ""
        expected = model.sample(
            form, model.decode(form, memory), sampler, places, spatial, is_array
        )
        np.testing.assert_allclose(outputs[-1], expected, atol=TOLERANCE, err_msg=str(sampler))


@each_configuration
@pytest.mark.parametrize(
    "kernel",
    [*(f"level_{shape}" for shape in SHAPES), "gradients_1d", "gradients_2d", "gradients_3d"],
)
def test_images_have_one_level_of_detail(configuration: str, kernel: str, tmp_path: Path) -> None:
    """Which is read whatever the kernel asks for, as all that Level Zero makes images with."""
    shape = kernel.partition("_")[2]
    spatial, is_array, extent = SHAPES[shape]
    form = FORMATS["rg8"]
    memory = _texels(form, *extent)
    levels = np.random.default_rng(11).uniform(-2, 6, 64).astype(np.float32)
    for sampler in (Sampler("clamp", False, True), Sampler("edge", True, False)):
        places = _coordinates(shape, sampler, 64)
        launch = Launch(tmp_path)
        launch.image(shape, form, memory)
        launch.sampler(sampler)
        for buffer in (places, levels, np.zeros((64, 4), np.float32)):
            launch.buffer(buffer)
        report, outputs = launch.run(configuration, f"image_levels.{kernel}", "1", "64")
        assert report == ""
        expected = model.sample(
            form, model.decode(form, memory), sampler, places, spatial, is_array
        )
        np.testing.assert_allclose(outputs[-1], expected, atol=TOLERANCE, err_msg=str(sampler))


@pytest.mark.parametrize("configuration", OPTIMISED)
@pytest.mark.parametrize("name", [name for name, form in FORMATS.items() if form.kind != "int"])
def test_every_format_of_numbers_is_read(configuration: str, name: str, tmp_path: Path) -> None:
    form = FORMATS[name]
    memory = _texels(form, 1, 12, 24)
    sampler = Sampler("clamp", False, False)
    places = _coordinates("2d", sampler, 64)
    launch = Launch(tmp_path)
    launch.image("2d", form, memory)
    launch.sampler(sampler)
    launch.buffer(places)
    launch.buffer(np.zeros((64, 4), np.float32))
    report, outputs = launch.run(configuration, "image_sampling.sample_2d", "1", "64")
    assert report == ""
    expected = model.sample(form, model.decode(form, memory), sampler, places, 2, False)
    np.testing.assert_allclose(outputs[-1], expected, rtol=1e-6, atol=1e-7)


@each_configuration
@pytest.mark.parametrize("name", ["rgba8u", "rgba16u", "rgba32u", "r16u"])
def test_integers_are_copied_exactly(configuration: str, name: str, tmp_path: Path) -> None:
    form = FORMATS[name]
    memory = _texels(form, 1, 16, 32)
    launch = Launch(tmp_path)
    launch.image("2d", form, memory)
    launch.image("2d", form, np.zeros((1, 32, 16, form.channels), form.element))
    report, outputs = launch.run(configuration, "image_dimensions.copy_2d", "2,2", "16,8")
    assert report == ""
    np.testing.assert_array_equal(outputs[1], memory.transpose(0, 2, 1, 3))


@pytest.mark.parametrize("configuration", OPTIMISED)
@pytest.mark.parametrize(
    "name", ["rgba8", "bgra8", "rgba8s", "luminance8", "intensity8", "rgba16", "rgba16f", "r32f"]
)
def test_every_format_of_numbers_is_written(configuration: str, name: str, tmp_path: Path) -> None:
    """Halves what is read and adds the coordinates: beyond [-1, 1], which the formats clamp."""
    form = FORMATS[name]
    memory = _texels(form, 3, 4, 32)
    launch = Launch(tmp_path)
    launch.image("3d", form, memory)
    launch.image("3d", form, np.zeros_like(memory))
    report, outputs = launch.run(configuration, "image_dimensions.copy_3d", "2,2,3", "16,2,1")
    assert report == ""
    z, y, x = np.meshgrid(np.arange(3), np.arange(4), np.arange(32), indexing="ij")
    colours = model.decode(form, memory).astype(np.float32)
    colours += np.stack([x, y, z, np.ones_like(x)], axis=-1).astype(np.float32)
    np.testing.assert_array_equal(outputs[1], model.encode(form, colours))


@each_configuration
@pytest.mark.parametrize("name", ["rgba8i", "rgba16i", "rgba32i", "r32i"])
def test_integers_saturate_in_lines_and_arrays(
    configuration: str, name: str, tmp_path: Path
) -> None:
    form = FORMATS[name]
    line = np.clip(_texels(form, 1, 1, 64).astype(np.int64), -(2**30), 2**30).astype(form.element)
    launch = Launch(tmp_path)
    launch.image("1d", form, line)
    launch.image("1d", form, np.zeros_like(line))
    report, outputs = launch.run(configuration, "image_dimensions.copy_1d", "2", "32")
    assert report == ""
    expected = model.decode(form, line) + np.array([1, 2, 3, 4])
    np.testing.assert_array_equal(outputs[1], model.encode(form, expected))
    layers = _texels(form, 3, 4, 32) // 2
    launch = Launch(tmp_path)
    launch.image("2d_array", form, layers)
    launch.image("2d_array", form, np.zeros_like(layers))
    report, outputs = launch.run(configuration, "image_dimensions.copy_2d_array", "2,2,3", "16,2,1")
    assert report == ""
    z, y, x = np.meshgrid(np.arange(3), np.arange(4), np.arange(32), indexing="ij")
    expected = model.decode(form, layers) - np.stack([x, y, z, np.zeros_like(x)], axis=-1)
    np.testing.assert_array_equal(outputs[1], model.encode(form, expected))


@each_configuration
def test_an_image_made_of_a_buffer(configuration: str, tmp_path: Path) -> None:
    form = FORMATS["rgba32u"]
    memory = _texels(form, 1, 1, 64)
    launch = Launch(tmp_path)
    launch.image("1d_buffer", form, memory)
    launch.image("1d_buffer", form, np.zeros_like(memory))
    report, outputs = launch.run(configuration, "image_dimensions.copy_1d_buffer", "2", "32")
    assert report == ""
    expected = memory ^ np.arange(64, dtype=np.uint32)[None, None, :, None]
    np.testing.assert_array_equal(outputs[1], expected)


@each_configuration
def test_samplers_in_the_program(configuration: str, tmp_path: Path) -> None:
    form = FORMATS["rgba8"]
    memory = _texels(form, 1, 8, 8)
    image = model.decode(form, memory)
    random = np.random.default_rng(2)
    for kernel, samplers, scale in (
        ("inline_unnormalized", ["edge", "clamp"], 8),
        ("inline_normalized", ["clamp", "repeat", "repeat", "mirror", "mirror"], 1),
    ):
        places = (random.integers(-8, 16, (32, 2)) + random.uniform(0.05, 0.95, (32, 2))) / 8
        places = (places * scale).astype(np.float32)
        results = 3 if scale == 8 else 5
        launch = Launch(tmp_path)
        launch.image("2d", form, memory)
        launch.buffer(places)
        launch.buffer(np.zeros((results, 32, 4), np.float32))
        report, outputs = launch.run(configuration, f"image_inline_sampler.{kernel}", "1", "32")
        assert report == ""
        linear = [True, True] if scale == 8 else [False, True, False, True, False]
        found = outputs[-1][1:] if scale == 8 else outputs[-1]
        for address, filtering, result in zip(samplers, linear, found, strict=True):
            sampler = Sampler(address, filtering, scale == 1)
            expected = model.sample(form, image, sampler, places, 2, False)
            np.testing.assert_allclose(result, expected, atol=TOLERANCE, err_msg=str(sampler))


@each_configuration
def test_kernels_learn_size_and_format(configuration: str, tmp_path: Path) -> None:
    launch = Launch(tmp_path)
    form = FORMATS["bgra8"]
    for shape, (depth, height, width) in (
        ("1d", (1, 1, 5)),
        ("1d_buffer", (1, 1, 70)),
        ("1d_array", (3, 1, 6)),
        ("2d", (1, 7, 9)),
        ("2d_array", (2, 10, 11)),
        ("3d", (4, 12, 13)),
    ):
        launch.image(shape, form, _texels(form, depth, height, width))
    launch.buffer(np.zeros((16, 16), np.int32))
    report, outputs = launch.run(configuration, "image_queries.ask_sizes", "1", "16")
    assert report == ""
    assert outputs[-1][3][:12].tolist() == [5, 70, 6, 3, 9, 7, 11, 10, 2, 13, 12, 4]
    launch = Launch(tmp_path)
    launch.image("2d", FORMATS["rgba16f"], _texels(FORMATS["rgba16f"], 1, 2, 2))
    launch.image("2d", form, _texels(form, 1, 3, 17))
    launch.image("3d", FORMATS["r32i"], _texels(FORMATS["r32i"], 2, 2, 2))
    launch.buffer(np.zeros((16, 8), np.int32))
    report, outputs = launch.run(configuration, "image_queries.ask_formats", "1", "16")
    assert report == ""
    assert outputs[-1][5][:7].tolist() == [
        *(0x10DD, model.RGBA),
        *(0x10D2, model.BGRA),
        *(0x10D9, model.R, 17),
    ]


@each_configuration
def test_halves(configuration: str, tmp_path: Path) -> None:
    form = FORMATS["rgba16f"]
    memory = _texels(form, 1, 8, 32)
    launch = Launch(tmp_path)
    launch.image("2d", form, memory)
    launch.image("2d", form, np.zeros_like(memory))
    report, outputs = launch.run(configuration, "image_half.halve", "2,8", "16,1")
    assert report == ""
    np.testing.assert_array_equal(outputs[1], memory * np.float16(0.5))
    sampler = Sampler("repeat", True, True)
    places = _coordinates("2d", sampler, 64)
    launch = Launch(tmp_path)
    launch.image("2d", form, memory)
    launch.sampler(sampler)
    launch.buffer(places)
    launch.buffer(np.zeros((64, 4), np.float16))
    report, outputs = launch.run(configuration, "image_half.sample_half", "1", "64")
    assert report == ""
    expected = model.sample(form, model.decode(form, memory), sampler, places, 2, False)
    np.testing.assert_allclose(outputs[-1], expected, rtol=2e-3, atol=2e-3)


@each_configuration
def test_lanes_that_disagree(configuration: str, tmp_path: Path) -> None:
    form = FORMATS["rgba8u"]
    memory = _texels(form, 1, 8, 64)
    before = np.full((1, 8, 64, 4), 7, np.uint32)
    y, x = np.mgrid[0:8, 0:64]
    total = np.zeros((8, 64, 4), np.int64)
    for i in range(4):
        at = np.clip(x + i, 0, 63)
        counts = (i <= (x & 3)) & ((x + i) % 3 != 0) & (x + i < 64)
        total += np.where(counts[..., None], memory[0][y, at].astype(np.int64), 0)
    # The texel beyond the edge gives 0 and, in a format with alpha, alpha 0.
    expected = np.where(((x ^ y) & 1)[..., None] != 0, total, before[0])
    for width in (16, 32):
        launch = Launch(tmp_path)
        launch.image("2d", form, memory)
        launch.image("2d", FORMATS["rgba32u"], before)
        report, outputs = launch.run(
            configuration, f"image_divergent.divergent{width}", "2,8", "32,1"
        )
        assert report == ""
        np.testing.assert_array_equal(outputs[1][0], expected)


@each_configuration
def test_one_kernel_reads_and_writes_an_image(configuration: str, tmp_path: Path) -> None:
    form = FORMATS["rgba32u"]
    memory = _texels(form, 1, 8, 8) >> 4
    launch = Launch(tmp_path)
    launch.image("2d", form, memory)
    report, outputs = launch.run(configuration, "image_read_write.smooth_in_place", "1,1", "8,8")
    assert report == ""
    expected = memory + np.roll(memory, -1, axis=2) + np.roll(memory, -1, axis=1)
    np.testing.assert_array_equal(outputs[0], expected)


@each_configuration
@pytest.mark.parametrize("kernel", ["copy_blocks", "copy_short_blocks"])
def test_blocks_of_a_sub_group(configuration: str, kernel: str, tmp_path: Path) -> None:
    form = FORMATS["r32i"]
    rows = 4 if kernel == "copy_blocks" else 2
    width = 16 if kernel == "copy_blocks" else 8
    memory = _texels(form, 1, rows, width)
    launch = Launch(tmp_path)
    launch.image("2d", form, memory)
    launch.image("2d", form, np.zeros_like(memory))
    report, outputs = launch.run(configuration, f"image_block.{kernel}", "1,1", "16,1")
    assert report == ""
    np.testing.assert_array_equal(outputs[1], memory[:, ::-1])


@each_configuration
def test_outside_an_image_nothing_is_read_or_written(configuration: str, tmp_path: Path) -> None:
    form = FORMATS["r32f"]
    memory = _texels(form, 1, 2, 8)
    volume = _texels(form, 3, 2, 8)
    launch = Launch(tmp_path)
    launch.image("2d", form, memory)
    launch.image("3d", form, volume)
    launch.image("2d", form, np.full((1, 2, 8, 1), -1, np.float32))
    launch.image("2d_array", form, np.full((3, 2, 8, 1), -1, np.float32))
    launch.buffer(np.zeros((2, 32, 4), np.float32))
    report, outputs = launch.run(configuration, "image_outside.outside", "1", "32")
    assert report == ""
    i = np.arange(32)
    x, y, z = i - 8, i % 5 - 2, i - 4
    clamp = Sampler("clamp", False, False)
    flat = np.stack([x, y], axis=-1)
    deep = np.stack([x, y, z], axis=-1)
    expected = [
        model.sample(form, model.decode(form, memory), clamp, flat, 2, False),
        model.sample(form, model.decode(form, volume), clamp, deep, 3, False),
    ]
    np.testing.assert_array_equal(outputs[4], np.array(expected, np.float32))
    kept = np.full((2, 8), -1.0)
    inside = (x >= 0) & (x < 8) & (y >= 0) & (y < 2)
    kept[y[inside], x[inside]] = i[inside]
    np.testing.assert_array_equal(outputs[2][0, ..., 0], kept)
