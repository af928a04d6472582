"""Comparisons that the bounds of their operands decide are what the device computes."""

import numpy as np

from tests.support.kernels.kernel_case import Case
from tests.support.sycl.ocloc import compiled
from tests.support.truth.stored_numbers import compared
from zedbg.dwarf import DebugInfo
from zedbg.zebin import Module

# What is compared, and nearly the same by numpy; x, y and z are from 1 to 9.
NUMBERS = {
    "x / y": lambda x, y, z: x / y,
    "x / y - z": lambda x, y, z: x / y - z,
    "x / y * z + x / z": lambda x, y, z: x / y * z + x / z,
    "(x / y - x / z) * 1000.0f": lambda x, y, z: (x / y - x / z) * 1000,
    "sqrt(x * y + z)": lambda x, y, z: np.sqrt(x * y + z),
    "rsqrt(x) - y": lambda x, y, z: 1 / np.sqrt(x) - y,
    "exp(x - y) + z": lambda x, y, z: np.exp(x - y) + z,
    "exp2(x - y)": lambda x, y, z: np.exp2(x - y),
    "log(x / y)": lambda x, y, z: np.log(x / y),
    "log2(x) * z": lambda x, y, z: np.log2(x) * z,
    "sin(x * y)": lambda x, y, z: np.sin(x * y),
    "cos(x) + sin(y)": lambda x, y, z: np.cos(x) + np.sin(y),
    "atan(x - y)": lambda x, y, z: np.arctan(x - y),
    "tanh(x - y)": lambda x, y, z: np.tanh(x - y),
    "pow(x, y / z)": lambda x, y, z: x ** (y / z),
    "fabs(x / y - z)": lambda x, y, z: abs(x / y - z),
    "mix(x, y, 1.0f / z)": lambda x, y, z: x + (y - x) / z,
    "fmax(x / y, z / 3.0f)": lambda x, y, z: max(x / y, z / 3),
    "clamp(x / y, 0.5f, 2.0f)": lambda x, y, z: min(max(x / y, 0.5), 2),
    "mad(x, y / z, -y)": lambda x, y, z: x * y / z - y,
    "dot((float3)(x, y, z), (float3)(y / x, -z, x))": lambda x, y, z: y - y * z + z * x,
    "length((float2)(x / y, z))": lambda x, y, z: np.hypot(x / y, z),
    "distance((float3)(x, y, z), (float3)(y, z, x))": lambda x, y, z: np.hypot(
        np.hypot(x - y, y - z), z - x
    ),
    "normalize((float3)(x, y, z)).y": lambda x, y, z: y / np.hypot(np.hypot(x, y), z),
    "floor(x / y * 3.0f) / y": lambda x, y, z: np.floor(x / y * 3) / y,
}
COUNT = len(NUMBERS)
SOURCE = """kernel void compares(
    global const float *in, global const float *limits, global int *found) {{
  int i = get_global_id(0);
  float x = in[3 * i], y = in[3 * i + 1], z = in[3 * i + 2];
  limits += i * {count};
  found += i * {count};
{lines}
}}"""
OPTIONS = ("-options", "-g", "-internal_options", "-cl-intel-allow-zebin")
ITEMS = 64


# Numbers of which memory has something else than what was stored: their lower half is cleared, or
# their bytes come in another order, or they are those of other work-items.
CHANGED = """kernel void compares(
    global const float *in, global const float *limits, global int *found) {
  local float others[16];
  int i = get_global_id(0), l = get_local_id(0);
  float v = in[2 * i] / in[2 * i + 1], w = v;
  found[4 * i] = v < limits[3 * i];
  ((ushort *)&v)[0] = 0;
  found[4 * i + 1] = v < limits[3 * i + 1];
  uchar *bytes = (uchar *)&w;
  uchar first = bytes[0], second = bytes[1];
  bytes[0] = bytes[3]; bytes[1] = bytes[2]; bytes[2] = second; bytes[3] = first;
  found[4 * i + 2] = w < 1.0f;
  others[l] = in[2 * i] / in[2 * i + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  found[4 * i + 3] = others[15 - l] < limits[3 * i + 2];
}"""


def known(folder, source, arguments):
    """How many numbers are known that the kernel of ``source`` stores, all of which must be what
    the device has stored."""
    case = Case("compares", "compares", (ITEMS,), (16,), arguments)
    path = folder / "compares.zebin"
    path.write_bytes(compiled(folder, source, *OPTIONS))
    info = DebugInfo(Module.from_bytes(path.read_bytes(), path.name))
    count, wrong = compared(case, path, folder, info.spirv)
    assert not wrong
    return count


def test_what_is_loaded_otherwise_than_it_was_stored_is_not_decided(tmp_path):
    given = np.random.default_rng(9).uniform(1, 9, (ITEMS, 2)).astype(np.float32)
    exact = given[:, 0] / given[:, 1]
    cleared = (exact.view(np.uint32) & 0xFFFF0000).view(np.float32)
    others = exact.reshape(-1, 16)[:, ::-1].ravel()
    limits = np.stack([exact * 0.9, (exact + cleared) / 2, others * 1.001], 1)
    arguments = [given.ravel(), limits.ravel(), np.zeros(4 * ITEMS, np.int32)]
    assert known(tmp_path, CHANGED, arguments) >= 2 * ITEMS


def test_comparisons_and_whole_numbers_are_what_the_device_computes(tmp_path):
    lines = [
        f"  float v{j} = {each}; found[{j}] = (v{j} < limits[{j}]) | ((int)(v{j} * 16.0f) << 1);"
        for j, each in enumerate(NUMBERS)
    ]
    random = np.random.default_rng(7)
    given = random.uniform(1, 9, (ITEMS, 3)).astype(np.float32)
    values = np.array([[each(*map(float, row)) for each in NUMBERS.values()] for row in given])
    distances = 2.0 ** random.uniform(-26, -2, values.shape) * random.choice([-1, 1], values.shape)
    limits = (values * (1 + distances)).astype(np.float32)
    arguments = [given.ravel(), limits.ravel(), np.zeros(ITEMS * COUNT, np.int32)]
    source = SOURCE.format(count=COUNT, lines="\n".join(lines))
    assert known(tmp_path, source, arguments) > 0.5 * ITEMS * COUNT
