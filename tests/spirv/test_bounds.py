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
    case = Case("compares", "compares", (ITEMS,), (16,), arguments)
    path = tmp_path / "compares.zebin"
    source = SOURCE.format(count=COUNT, lines="\n".join(lines))
    path.write_bytes(compiled(tmp_path, source, *OPTIONS))
    info = DebugInfo(Module.from_bytes(path.read_bytes(), path.name))
    known, wrong = compared(case, path, tmp_path, info.spirv)
    assert not wrong
    assert known > 0.5 * ITEMS * COUNT
