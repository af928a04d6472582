"""Whole kernels that use images, as people write them: against a model, and against PoCL."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.support.kernels import image_model as model
from tests.support.kernels.image_launch import CONFIGURATIONS, Launch, random_texels
from tests.support.kernels.image_model import FORMATS, Sampler

each_configuration = pytest.mark.parametrize("configuration", CONFIGURATIONS)
TOLERANCE = 2e-5


def test_the_kernel_with_every_kind_of_argument(tmp_path: Path) -> None:
    """img: a sampler in the program, one as argument, an array, a size, and a write."""
    plane, layers = FORMATS["rgba8"], FORMATS["r32f"]
    memory = random_texels(plane, 1, 4, 16)
    array = random_texels(layers, 2, 4, 16)
    how = Sampler("edge", True, True)
    y, x = (each.reshape(-1) for each in np.mgrid[0:4, 0:16])
    image = model.decode(plane, memory)
    tenths = np.stack([x, y], -1).astype(np.float32) * np.float32(0.1)
    expected = model.sample(plane, image, how, tenths, 2, False) + image[0][y, x]
    places = np.stack([x, y, np.ones_like(x)], -1).astype(np.float32)
    expected += model.sample(layers, model.decode(layers, array), how, places, 2, True)
    expected[:, 0] += 16
    for configuration in CONFIGURATIONS:
        launch = Launch(tmp_path)
        launch.image("2d", plane, memory)
        launch.image("2d", FORMATS["rgba32f"], np.zeros((1, 4, 16, 4), np.float32))
        launch.sampler(how)
        launch.image("2d_array", layers, array)
        report, outputs = launch.run(configuration, "image.img", "1,4", "16,1")
        assert report == ""
        np.testing.assert_allclose(
            outputs[1].reshape(-1, 4), expected, atol=TOLERANCE, err_msg=configuration
        )


@each_configuration
def test_a_picture_is_blurred(configuration: str, tmp_path: Path) -> None:
    form = FORMATS["rgba32f"]
    memory = random_texels(form, 1, 8, 16)
    weights = np.array([[4, 2], [2, 1]], np.float32) / 16
    launch = Launch(tmp_path)
    launch.image("2d", form, memory)
    launch.image("2d", form, np.zeros_like(memory))
    launch.buffer(weights)
    launch.value(np.int32(1))
    report, outputs = launch.run(configuration, "image_blur.blur", "1,8", "16,1")
    assert report == ""
    padded = np.pad(memory[0], ((1, 1), (1, 1), (0, 0)), mode="edge").astype(np.float64)
    expected = sum(
        weights[abs(dy), abs(dx)] * padded[1 + dy : 9 + dy, 1 + dx : 17 + dx]
        for dy in (-1, 0, 1)
        for dx in (-1, 0, 1)
    )
    np.testing.assert_allclose(outputs[1][0], expected, rtol=1e-5, atol=1e-5)


@each_configuration
def test_a_histogram_of_a_picture(configuration: str, tmp_path: Path) -> None:
    form = FORMATS["rgba8u"]
    memory = random_texels(form, 1, 7, 30)
    launch = Launch(tmp_path)
    launch.image("2d", form, memory)
    launch.buffer(np.zeros(256, np.uint32))
    report, outputs = launch.run(configuration, "image_blur.luminance", "2,8", "16,1")
    assert report == ""
    colours = memory[0].astype(np.int64)
    bright = (colours[..., 0] * 2 + colours[..., 1] * 5 + colours[..., 2]) >> 3
    np.testing.assert_array_equal(outputs[1], np.bincount(bright.reshape(-1), minlength=256))


@each_configuration
def test_a_picture_gets_another_size(configuration: str, tmp_path: Path) -> None:
    form = FORMATS["rgba8"]
    memory = random_texels(form, 1, 5, 7)
    how = Sampler("edge", True, True)
    launch = Launch(tmp_path)
    launch.image("2d", form, memory)
    launch.sampler(how)
    launch.image("2d", FORMATS["rgba32f"], np.zeros((1, 8, 16, 4), np.float32))
    report, outputs = launch.run(configuration, "image_blur.resize", "1,8", "16,1")
    assert report == ""
    y, x = np.mgrid[0:8, 0:16]
    places = np.stack([(x + 0.5) / 16, (y + 0.5) / 8], -1).reshape(-1, 2).astype(np.float32)
    expected = model.sample(form, model.decode(form, memory), how, places, 2, False)
    np.testing.assert_allclose(outputs[1].reshape(-1, 4), expected, atol=TOLERANCE)


@each_configuration
def test_lines_of_an_array_are_copied(configuration: str, tmp_path: Path) -> None:
    form = FORMATS["rgba32f"]
    memory = random_texels(form, 3, 1, 32)
    launch = Launch(tmp_path)
    launch.image("1d_array", form, memory)
    launch.image("1d_array", form, np.zeros_like(memory))
    report, outputs = launch.run(configuration, "image_dimensions.copy_1d_array", "2,3", "16,1")
    assert report == ""
    np.testing.assert_array_equal(outputs[1], memory * np.float32(0.5))


@each_configuration
def test_images_change_in_place(configuration: str, tmp_path: Path) -> None:
    form = FORMATS["rgba16f"]
    plane = random_texels(form, 1, 4, 16)
    launch = Launch(tmp_path)
    launch.image("2d", form, plane)
    launch.value(np.float32(-2))
    report, outputs = launch.run(configuration, "image_read_write.scale_in_place", "1,4", "16,1")
    assert report == ""
    np.testing.assert_array_equal(outputs[0], plane * np.float16(-2))
    form = FORMATS["rgba32i"]
    volume = random_texels(form, 3, 4, 16) // 4
    launch = Launch(tmp_path)
    launch.image("3d", form, volume)
    report, outputs = launch.run(
        configuration, "image_read_write.volume_in_place", "1,4,3", "16,1,1"
    )
    assert report == ""
    z, y, x = np.meshgrid(np.arange(3), np.arange(4), np.arange(16), indexing="ij")
    at = np.stack([x, y, z, np.zeros_like(x)], -1)
    np.testing.assert_array_equal(outputs[0], volume * 3 - at)
    line = random_texels(form, 1, 1, 16) // 2
    rows = random_texels(form, 2, 1, 16)
    launch = Launch(tmp_path)
    launch.image("1d", form, line)
    launch.image("1d_array", form, rows)
    report, outputs = launch.run(configuration, "image_read_write.line_in_place", "1", "16")
    assert report == ""
    np.testing.assert_array_equal(outputs[0], -line)
    np.testing.assert_array_equal(outputs[1], np.stack([rows[0], rows[0]]))
