"""Launches of kernels that use images: on the bare simulated device, and on PoCL."""

from __future__ import annotations

import functools
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.support.kernels import image_model as model
from tests.support.kernels.image_model import Format, Sampler
from tests.support.kernels.pocl import cl
from tests.support.native_programs import native_program
from tests.support.packed_modules import ZEBINS
from tests.support.places import KERNELS

os.environ.setdefault("PYOPENCL_NO_CACHE", "1")

CONFIGURATIONS = tuple(
    f"{compiler}-{device}-{level}"
    for compiler, device in (("igc1", "dg2"), ("igc2", "dg2"), ("igc2", "bmg"))
    for level in ("O0", "O2")
)
OPTIMISED = [each for each in CONFIGURATIONS if each.endswith("O2")]


@dataclass(frozen=True)
class ImageContent:
    """An image: its shape as OpenCL C names it without "image", and [depth, height, width, c]."""

    shape: str
    format: Format
    memory: model.Array


Content = ImageContent | Sampler | model.Array | np.generic


class Launch:
    """One launch; arguments are added in order."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.contents: list[Content] = []
        self.arguments: list[str] = []
        self.outputs: list[tuple[Path, model.Array]] = []

    def _file(self, content: model.Array) -> Path:
        path = self.directory / f"{len(self.arguments)}.bin"
        content.tofile(path)
        self.outputs.append((path, content))
        return path

    def image(self, shape: str, form: Format, memory: model.Array) -> None:
        """An image of [depth, height, width, channels]."""
        depth, height, width, _ = memory.shape
        self.contents.append(ImageContent(shape, form, memory))
        self.arguments.append(
            f"image:{shape}:{width}x{height}x{depth}:{form.code:X}:{form.select}"
            f":{form.channel_type:X}:{form.channel_order:X}:{self._file(memory)}"
        )

    def buffer(self, content: model.Array) -> None:
        self.contents.append(content)
        self.arguments.append(f"buf:{self._file(content)}")

    def value(self, value: np.generic) -> None:
        self.contents.append(value)
        self.arguments.append(f"val:{value.tobytes().hex()}")

    def sampler(self, sampler: Sampler) -> None:
        self.contents.append(sampler)
        self.arguments.append(sampler.argument)

    def run(
        self, configuration: str, kernel: str, groups: str, size: str
    ) -> tuple[str, list[model.Array]]:
        """What went wrong, and the contents of images and buffers afterwards."""
        source, name = kernel.split(".")
        module = ZEBINS / configuration / f"{source}.zebin"
        done = subprocess.run(
            [
                *(native_program("xesim_device_run_kernel"), module, name),
                *("--groups", groups, "--size", size, *self.arguments),
            ],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return done.stderr, [
            np.fromfile(path, content.dtype).reshape(content.shape)
            for path, content in self.outputs
        ]

    def run_pocl(self, kernel: str, groups: str, size: str) -> list[model.Array]:
        """The contents of images and buffers after PoCL ran the kernel."""
        source, name = kernel.split(".")
        program = _program(source)
        context = _context()
        queue = cl.CommandQueue(context)
        objects = [_pocl_object(context, content) for content in self.contents]
        local = [int(each) for each in size.split(",")]
        count = [int(each) for each in groups.split(",")]
        handle = cl.Kernel(program, name)
        handle.set_args(*objects)
        items = [g * n for g, n in zip(count, local, strict=True)]
        cl.enqueue_nd_range_kernel(queue, handle, items, local)
        results = []
        for content, held in zip(self.contents, objects, strict=True):
            if isinstance(content, ImageContent):
                result = np.empty_like(content.memory)
                _read_image(queue, held, _region(content), result)
                results.append(result)
            elif isinstance(content, np.ndarray):
                result = np.empty_like(content)
                cl.enqueue_copy(queue, result, held)
                results.append(result)
        return results


@functools.cache
def _context() -> object:
    return cl.create_some_context(interactive=False)


@functools.cache
def _program(source: str) -> object:
    """PoCL takes seconds to build a program."""
    text = (KERNELS / "src" / f"{source}.cl").read_text()
    return cl.Program(_context(), text).build(["-cl-std=CL2.0"])


def _region(image: ImageContent) -> tuple[int, ...]:
    depth, height, width, _ = image.memory.shape
    return {
        "1d": (width,),
        "1d_array": (width, depth),
        "2d": (width, height),
        "2d_array": (width, height, depth),
        "3d": (width, height, depth),
    }[image.shape]


def _read_image(queue: object, image: object, region: tuple[int, ...], result: model.Array) -> None:
    """PyOpenCL's copies know no images of one dimension; OpenCL reads them as the others."""
    cl._enqueue_read_image(
        queue, image, (0, 0, 0), (*region, 1, 1)[:3], result, 0, 0, is_blocking=True
    )


def _pocl_object(context: object, content: Content) -> object:
    if isinstance(content, ImageContent):
        form = cl.ImageFormat(content.format.channel_order, content.format.channel_type)
        region = _region(content)
        return cl.create_image(
            context,
            cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR,
            form,
            shape=region,
            is_array=content.shape.endswith("array"),
            hostbuf=content.memory,
        )
    if isinstance(content, Sampler):
        modes = {
            "none": cl.addressing_mode.NONE,
            "edge": cl.addressing_mode.CLAMP_TO_EDGE,
            "clamp": cl.addressing_mode.CLAMP,
            "repeat": cl.addressing_mode.REPEAT,
            "mirror": cl.addressing_mode.MIRRORED_REPEAT,
        }
        filtering = cl.filter_mode.LINEAR if content.linear else cl.filter_mode.NEAREST
        return cl.Sampler(context, content.normalized, modes[content.address], filtering)
    if isinstance(content, np.ndarray):
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        return cl.Buffer(context, flags, hostbuf=content)
    return content


def random_texels(form: Format, depth: int, height: int, width: int, seed: int = 3) -> model.Array:
    """The memory of an image, [depth, height, width, channels], over the format's whole range."""
    random = np.random.default_rng(seed)
    shape = (depth, height, width, form.channels)
    if form.kind == "float":
        return random.uniform(-4, 4, shape).astype(form.element)
    limits = np.iinfo(form.element)
    return random.integers(limits.min, limits.max, shape, dtype=form.element, endpoint=True)
