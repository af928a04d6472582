"""Images as OpenCL C describes them (sections 6.12.14 and 8), in NumPy: formats and sampling.

An image is an array of texels as floats or integers, [depth, height, width, 4], with channels that
its format lacks filled in.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.generic]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Format:
    """A format: Intel's code, OpenCL's channel type and order, and its elements in memory."""

    code: int
    channel_type: int
    channel_order: int
    element: str  # NumPy's type of one channel
    channels: int
    kind: str  # unorm, snorm, float or int
    select: str = "rgba"  # what red, green, blue and alpha are, of r, g, b, a, 0 and 1


RGBA, BGRA, R, RG = 0x10B5, 0x10B6, 0x10B0, 0x10B2
INTENSITY, LUMINANCE, A = 0x10B8, 0x10B9, 0x10B1
FORMATS = {
    "rgba8": Format(0x0C7, 0x10D2, RGBA, "u1", 4, "unorm"),
    "bgra8": Format(0x0C7, 0x10D2, BGRA, "u1", 4, "unorm", "bgra"),
    "rgba8s": Format(0x0C9, 0x10D0, RGBA, "i1", 4, "snorm"),
    "rg8": Format(0x106, 0x10D2, RG, "u1", 2, "unorm"),
    "r8": Format(0x140, 0x10D2, R, "u1", 1, "unorm"),
    "a8": Format(0x140, 0x10D2, A, "u1", 1, "unorm", "000r"),
    "intensity8": Format(0x140, 0x10D2, INTENSITY, "u1", 1, "unorm", "rrrr"),
    "luminance8": Format(0x140, 0x10D2, LUMINANCE, "u1", 1, "unorm", "rrr1"),
    "rgba16": Format(0x080, 0x10D3, RGBA, "u2", 4, "unorm"),
    "rg16s": Format(0x0CD, 0x10D1, RG, "i2", 2, "snorm"),
    "rgba16f": Format(0x084, 0x10DD, RGBA, "f2", 4, "float"),
    "r16f": Format(0x10E, 0x10DD, R, "f2", 1, "float"),
    "rgba32f": Format(0x000, 0x10DE, RGBA, "f4", 4, "float"),
    "rg32f": Format(0x085, 0x10DE, RG, "f4", 2, "float"),
    "r32f": Format(0x0D8, 0x10DE, R, "f4", 1, "float"),
    "rgba8i": Format(0x0CA, 0x10D7, RGBA, "i1", 4, "int"),
    "rgba16i": Format(0x082, 0x10D8, RGBA, "i2", 4, "int"),
    "rgba32i": Format(0x001, 0x10D9, RGBA, "i4", 4, "int"),
    "rg32i": Format(0x086, 0x10D9, RG, "i4", 2, "int"),
    "r32i": Format(0x0D6, 0x10D9, R, "i4", 1, "int"),
    "rgba8u": Format(0x0CB, 0x10DA, RGBA, "u1", 4, "int"),
    "rgba16u": Format(0x083, 0x10DB, RGBA, "u2", 4, "int"),
    "r16u": Format(0x10D, 0x10DB, R, "u2", 1, "int"),
    "rgba32u": Format(0x002, 0x10DC, RGBA, "u4", 4, "int"),
}


def _largest(form: Format) -> int:
    return int(np.iinfo(form.element).max)


def decode(form: Format, memory: Array) -> Array:
    """What kernels see of ``memory``, [depth, height, width, channels]: float64 or int64."""
    if form.kind == "int":
        stored = memory.astype(np.int64)
    elif form.kind == "float":
        stored = memory.astype(np.float64)
    else:
        stored = np.maximum(memory.astype(np.float64) / _largest(form), -1.0)
    full = np.zeros((*memory.shape[:-1], 4), stored.dtype)
    full[..., 3] = 1
    full[..., : form.channels] = stored
    planes = {"r": full[..., 0], "g": full[..., 1], "b": full[..., 2], "a": full[..., 3]}
    planes |= {"0": np.zeros_like(full[..., 0]), "1": np.ones_like(full[..., 0])}
    return np.stack([planes[letter] for letter in form.select], axis=-1)


def encode(form: Format, colours: Array) -> Array:
    """What ``write_image`` stores of colours, [..., 4]: [..., channels]."""
    stored = np.stack(
        [colours[..., form.select.index("rgba"[c])] for c in range(form.channels)], axis=-1
    )
    if form.kind == "float":
        return stored.astype(np.float32).astype(form.element)
    if form.kind == "int":
        limits = np.iinfo(form.element)
        return np.clip(stored, limits.min, limits.max).astype(form.element)
    low = 0.0 if form.kind == "unorm" else -1.0
    return np.rint(np.clip(stored, low, 1.0) * _largest(form)).astype(form.element)


@dataclass(frozen=True)
class Sampler:
    """A sampler: address is none, clamp, edge, repeat or mirror."""

    address: str
    linear: bool
    normalized: bool

    @property
    def argument(self) -> str:
        """As the test program takes it."""
        filtering = "linear" if self.linear else "nearest"
        return f"sampler:{self.address}:{filtering}:{'normalized' if self.normalized else 'texels'}"


def _along(sampler: Sampler, s: Floats, size: int) -> tuple[Floats, Floats, Floats]:
    """Both neighbours' positions in one dimension, and the weight of the second."""
    if sampler.address == "repeat":
        u = (s - np.floor(s)) * size
    elif sampler.address == "mirror":
        u = np.abs(s - 2 * np.rint(s / 2)) * size
    else:
        u = s * size if sampler.normalized else s
    if not sampler.linear:
        first = np.floor(u)
        second, weight = first, np.zeros_like(u)
    else:
        first = np.floor(u - 0.5)
        second, weight = first + 1, u - 0.5 - first
    if sampler.address == "repeat":
        first = np.where(first < 0, first + size, first)
        second = np.where(second > size - 1, second - size, second)
    if sampler.address != "clamp":
        first, second = np.clip(first, 0, size - 1), np.clip(second, 0, size - 1)
    return first, second, weight


def border(form: Format) -> Array:
    """The colour outside an image with address mode clamp."""
    return decode(form, np.zeros((1, 1, 1, form.channels), form.element))[0, 0, 0]


def _fetch(form: Format, image: Array, x: Floats, y: Floats, z: Floats) -> Array:
    depth, height, width, _ = image.shape
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height) & (z >= 0) & (z < depth)
    at = [np.where(inside, c, 0).astype(np.int64) for c in (z, y, x)]
    return np.where(inside[:, None], image[at[0], at[1], at[2]], border(form)[None])


def sample(
    form: Format, image: Array, sampler: Sampler, coordinates: Array, spatial: int, is_array: bool
) -> Array:
    """Colours at coordinates, [n, k], of which the first ``spatial`` are places."""
    depth, height, width, _ = image.shape
    sizes = (width, height, depth)
    n = coordinates.shape[0]
    zero = np.zeros(n)
    along = [(zero, zero, zero)] * 3
    for dimension in range(spatial):
        place = coordinates[:, dimension].astype(np.float64)
        along[dimension] = _along(sampler, place, sizes[dimension])
    if is_array:
        layer = np.clip(np.rint(coordinates[:, spatial].astype(np.float64)), 0, depth - 1)
        along[2] = (layer, layer, zero)
    if not sampler.linear:
        return _fetch(form, image, along[0][0], along[1][0], along[2][0])
    total = np.zeros((n, 4))
    for corner in range(8):
        picks = [corner >> d & 1 for d in range(3)]
        weight = np.ones(n)
        for d in range(3):
            weight = weight * (along[d][2] if picks[d] else 1 - along[d][2])
        place = [along[d][picks[d]] for d in range(3)]
        total += weight[:, None] * _fetch(form, image, place[0], place[1], place[2])
    return total
