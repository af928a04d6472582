"""Kernels that use images leave what PoCL leaves: lines, planes and volumes.

Not compared, as PoCL differs from OpenCL C there: images of halves, the border's alpha of formats
without alpha, elements of arrays with normalized coordinates, arrays of lines.
"""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

import numpy as np
import pytest

from tests.support.kernels.image_launch import CONFIGURATIONS, OPTIMISED, Launch, random_texels
from tests.support.kernels.image_model import FORMATS, Array, Sampler

TOLERANCE = 2e-5
SIZES = {"1d": (1, 1, 24), "2d": (1, 12, 24), "3d": (6, 12, 24)}  # [depth, height, width]
SAMPLERS = [
    Sampler(address, linear, normalized)
    for address in ("edge", "clamp", "repeat", "mirror")
    for linear in (False, True)
    for normalized in (False, True)
    if normalized or address in ("edge", "clamp")
]


def _sampling(shape: str, form: str, sampler: Sampler, directory: Path) -> Launch:
    """64 places in and around an image, away from the seams between two texels."""
    random = np.random.default_rng(17)
    extent = SIZES[shape]
    columns = {"1d": 1, "2d": 2, "3d": 4}[shape]
    places = np.zeros((64, columns), np.float32)
    for dimension in range(min(columns, 3)):
        size = extent[2 - dimension]
        texel = random.integers(-size, 2 * size, 64) + random.uniform(0.05, 0.95, 64)
        places[:, dimension] = texel / size if sampler.normalized else texel
    launch = Launch(directory)
    launch.image(shape, FORMATS[form], random_texels(FORMATS[form], *extent))
    launch.sampler(sampler)
    launch.buffer(places)
    launch.buffer(np.zeros((64, 4), np.float32))
    return launch


@functools.cache
def _sampled_by_pocl(shape: str, form: str, sampler: Sampler) -> Array:
    with tempfile.TemporaryDirectory() as directory:
        launch = _sampling(shape, form, sampler, Path(directory))
        return launch.run_pocl(f"image_sampling.sample_{shape}", "1", "64")[-1]


@pytest.mark.parametrize("configuration", OPTIMISED)
@pytest.mark.parametrize("shape", SIZES)
@pytest.mark.parametrize("form", ["rgba8", "rgba32f"])
def test_sampled_colours_are_those_of_pocl(
    configuration: str, shape: str, form: str, tmp_path: Path
) -> None:
    for sampler in SAMPLERS:
        launch = _sampling(shape, form, sampler, tmp_path)
        report, outputs = launch.run(configuration, f"image_sampling.sample_{shape}", "1", "64")
        assert report == ""
        expected = _sampled_by_pocl(shape, form, sampler)
        np.testing.assert_allclose(
            outputs[-1], expected, rtol=1e-5, atol=TOLERANCE, err_msg=str(sampler)
        )


# Kernel, groups, work-group size, and how its arguments are added.
def _copy_1d(launch: Launch) -> None:
    line = random_texels(FORMATS["rgba32i"], 1, 1, 32) // 2
    launch.image("1d", FORMATS["rgba32i"], line)
    launch.image("1d", FORMATS["rgba32i"], np.zeros_like(line))


def _copy_2d(launch: Launch) -> None:
    form = FORMATS["rgba16u"]
    launch.image("2d", form, random_texels(form, 1, 8, 16))
    launch.image("2d", form, np.zeros((1, 16, 8, 4), np.uint16))


def _copy_3d(launch: Launch) -> None:
    form = FORMATS["rgba32f"]
    volume = random_texels(form, 3, 4, 16)
    launch.image("3d", form, volume)
    launch.image("3d", form, np.zeros_like(volume))


def _blur(launch: Launch) -> None:
    form = FORMATS["rgba32f"]
    picture = random_texels(form, 1, 8, 16)
    launch.image("2d", form, picture)
    launch.image("2d", form, np.zeros_like(picture))
    launch.buffer(np.array([4, 2, 2, 1], np.float32) / 16)
    launch.value(np.int32(1))


def _luminance(launch: Launch) -> None:
    form = FORMATS["rgba8u"]
    launch.image("2d", form, random_texels(form, 1, 7, 30))
    launch.buffer(np.zeros(256, np.uint32))


def _resize(launch: Launch) -> None:
    launch.image("2d", FORMATS["rgba8"], random_texels(FORMATS["rgba8"], 1, 5, 7))
    launch.sampler(Sampler("edge", True, True))
    launch.image("2d", FORMATS["rgba32f"], np.zeros((1, 8, 16, 4), np.float32))


def _scale(launch: Launch) -> None:
    form = FORMATS["rgba32f"]
    launch.image("2d", form, random_texels(form, 1, 4, 16))
    launch.value(np.float32(-2))


def _volume(launch: Launch) -> None:
    form = FORMATS["rgba32i"]
    launch.image("3d", form, random_texels(form, 3, 4, 16) // 4)


PROGRAMS = {
    "image_dimensions.copy_1d": ("2", "16", _copy_1d),
    "image_dimensions.copy_2d": ("1,8", "16,1", _copy_2d),
    "image_dimensions.copy_3d": ("1,4,3", "16,1,1", _copy_3d),
    "image_blur.blur": ("1,8", "16,1", _blur),
    "image_blur.luminance": ("2,8", "16,1", _luminance),
    "image_blur.resize": ("1,8", "16,1", _resize),
    "image_read_write.scale_in_place": ("1,4", "16,1", _scale),
    "image_read_write.volume_in_place": ("1,4,3", "16,1,1", _volume),
}


@pytest.mark.parametrize("kernel", PROGRAMS)
def test_programs_leave_what_pocl_leaves(kernel: str, tmp_path: Path) -> None:
    groups, size, add_arguments = PROGRAMS[kernel]
    launch = Launch(tmp_path)
    add_arguments(launch)
    expected = launch.run_pocl(kernel, groups, size)
    for configuration in CONFIGURATIONS:
        launch = Launch(tmp_path)
        add_arguments(launch)
        report, outputs = launch.run(configuration, kernel, groups, size)
        assert report == ""
        for found, wanted in zip(outputs, expected, strict=True):
            exact = np.issubdtype(wanted.dtype, np.integer)
            tolerance = 0 if exact else TOLERANCE
            np.testing.assert_allclose(
                found, wanted, rtol=tolerance, atol=tolerance, err_msg=configuration
            )
