"""Several calls of a function on one line: what is shown in each of them is what is shown where the
same machine code comes from a source that has them on lines of their own."""

import sys
from collections import defaultdict

import pytest

from tests.support.sycl.ocloc import compiled
from zedbg.engine.process.exited import Exited
from zedbg.engine.sessions import opening
from zedbg.values.expressions import api
from zedbg.xe.coordinates import lanes_of
from zedbg.zebin import Module

# At an @ a line ends in one of the sources.
INTERPOLATION = """static float at(global const float *p, int w, int h, float x, float y)
{
    int left = clamp((int)floor(x), 0, w - 1);
    int top = clamp((int)floor(y), 0, h - 1);
    int right = min(left + 1, w - 1);
    float part = x - floor(x);
    float a = p[top * w + left];
    float b = p[top * w + right];
    return a + (b - a) * part;
}
kernel void k(global const float *p, global float *out, int w, int h, float by)
{
    int x = get_global_id(0), y = get_global_id(1);
    float gx = at(p, w, h, x + 1 + by, y) -@ at(p, w, h, x - 1 + by, y);
    float gy = at(p, w, h, x, y + 1) -@ at(p, w, h, x, y - 1);
    out[y * w + x] = gx * gx + gy * gy;
}"""
HASHES = """static uint mixed(uint a, uint key)
{
    uint low = a * 0x9E3779B1u + key;
    uint turned = low << 13 | low >> 19;
    uint high = turned ^ (turned >> 7) ^ key;
    return high * 0x85EBCA6Bu;
}
kernel void k(global const uint *in, global uint *out, uint key)
{
    uint i = get_global_id(0);
    uint number = in[i];
    uint both = mixed(number, key) ^@ mixed(key, i + 7) ^@ mixed(number + i, number);
    out[i] = both;
}"""
LOOP = """static float smooth(float from, float to, float at)
{
    float part = clamp((at - from) * to, 0.0f, 1.0f);
    float square = part * part;
    float slope = 3.0f - 2.0f * part;
    return square * slope;
}
kernel void k(global const float *in, global float *out, int n, float step)
{
    int i = get_global_id(0);
    float sum = 0.0f;
    for (int j = 0; j < n; ++j) {
        float value = in[i + j];
        sum += smooth(step, 2.0f + j, value) -@ smooth(0.3f, value, step * j);
    }
    out[i] = sum;
}"""
NOISE = """static uint corner(global const uchar *table, int x, int y)
{
    uint inner = table[x & 63];
    return table[inner + y & 63];
}
static float gradient(uint hash, float x, float y)
{
    uint h = hash & 7;
    float u = h < 4 ? x : y;
    float v = h < 4 ? y : x;
    float first = h & 1 ? -u : u;
    float second = h & 2 ? -2.0f * v : 2.0f * v;
    return first + second;
}
kernel void k(global const uchar *table, global float *out, int octaves, float by)
{
    int i = get_global_id(0);
    float px = i * by, py = i * 0.21f, sum = 0.0f;
    for (int octave = 0; octave < octaves; octave++) {
        int x = (int)px, y = (int)py;
        float fx = px - x, fy = py - y;
        uint left = corner(table, x, y);
        uint right = corner(table, x + 1, y);
        sum += gradient(left, fx, fy) *@ gradient(right, fx - 1.0f, fy);
        px = px * 1.6f + py;
        py = py * 1.7f;
    }
    out[i] = sum;
}"""
KERNELS = {
    "interpolation": (INTERPOLATION, "16,2 16,1 f32[64]=random:1 f32[32] i32=16 i32=2 f32=0.3"),
    "hashes": (HASHES, "32 16 u32[32]=random:2 u32[32] u32=77"),
    "noise": (NOISE, "32 16 u8[64]=random:4 f32[32] i32=3 f32=0.37"),
    "loop": (LOOP, "32 16 f32[40]=random:3 f32[32] i32=7 f32=0.2"),
}
OPTIONS = ("-options", "-cl-std=CL2.0 -g", "-internal_options", "-cl-intel-allow-zebin")


def shown_at_stops(folder, source, launch):
    """The machine code, and by its offset in the function, the work-item and the name of a
    variable: what is shown at each stop there; None for nothing, or what is doubtful."""
    folder.mkdir()
    (folder / "k.zebin").write_bytes(compiled(folder, source, *OPTIONS))
    module = Module.from_bytes((folder / "k.zebin").read_bytes(), "k.zebin")
    command = [sys.executable, "-m", "zedbg.frontends.main", "kernel", "--device", "dg2"]
    sizes = ["--global", launch[0], "--local", launch[1]]
    command += [f"{folder / 'k.zebin'}:k", *sizes, *launch[2:]]
    found = defaultdict(list)
    with opening.launch(command, sim="dg2", output=lambda stream, text: None) as session:
        for line in range(3, source[: source.index("kernel void")].count("\n")):
            session.break_at(f"kernel.cl:{line}")
        while not isinstance(stop := session.continue_(timeout=60), Exited):
            for hit in stop.threads:
                lanes, ids = lanes_of(hit.lanes), hit.thread.global_ids()
                for each in api.variables(hit.thread, lanes):
                    values = each.values
                    for lane, data, mark in zip(lanes, values.data, values.doubts, strict=True):
                        is_known = isinstance(data, bytes) and mark is None
                        key = hit.thread.pc, ids[lane], each.variable.name
                        found[key].append(data if is_known else None)
    return module.section_bytes(module.section(".text.k")), found


@pytest.mark.parametrize("name", KERNELS)
def test_each_shows_what_it_shows_on_a_line_of_its_own(tmp_path, name):
    source, launch = KERNELS[name]
    code, found = shown_at_stops(tmp_path / "one", source.replace("@", ""), launch.split())
    same, apart = shown_at_stops(tmp_path / "apart", source.replace("@", "\n"), launch.split())
    assert code == same
    pairs = [
        (one, other)
        for key in found.keys() & apart.keys()
        if len(found[key]) == len(apart[key])
        for one, other in zip(found[key], apart[key], strict=True)
    ]
    both = [pair for pair in pairs if None not in pair]
    assert [pair for pair in both if pair[0] != pair[1]] == []
    there = [other for _, other in pairs if other is not None]
    assert len(both) > 0.8 * len(there) > 100
