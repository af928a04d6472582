"""Structures that a function on the stack is passed by value: igc 1 gives the register of another
argument for where they are, and uses it again later on."""

import pytest

from tests.support.sycl.ocloc import compiled

SOURCE = """typedef struct { float3 centre, extent; } Box;
typedef struct { float3 origin, direction, inverse; } Ray;
float enter(const Ray *ray, Box box, float farthest)
{
    float3 near = (box.centre - box.extent - ray->origin) * ray->inverse;
    float3 far = (box.centre + box.extent - ray->origin) * ray->inverse;
    float3 least = fmin(near, far), most = fmax(near, far);
    float first = fmax(fmax(least.x, least.y), fmax(least.z, 0.0f));
    float last = fmin(fmin(most.x, most.y), fmin(most.z, farthest));
    return first <= last ? first : INFINITY;
}
bool turns(const Ray *ray, float3 by)
{
    if (fabs(by.x) < 1e-6f)
        return false;
    float3 about = cross(ray->direction, by);
    return dot(about, ray->origin) > 0.0f;
}
kernel void k(global const Box *boxes, global float *out)
{
    int i = get_global_id(0);
    Ray ray;
    ray.origin = (float3)(100.0f, 200.0f, 300.0f);
    ray.direction = (float3)(0.0f, 0.0f, 1.0f);
    ray.inverse = (float3)(400.0f, 500.0f, 600.0f);
    float found = 0.0f;
    if (turns(&ray, boxes[i].extent))
        found = enter(&ray, boxes[i], 700.0f);
    else
        found = enter(&ray, boxes[i], 800.0f);
    out[i] = found;
}
"""
OPTIONS = ("-options", "-cl-std=CL2.0 -g -cl-opt-disable")
OPTIONS += ("-internal_options", "-cl-intel-allow-zebin")


@pytest.mark.parametrize("line", [5, 6])
def test_the_argument_before_it_is_not_shown_for_it(debugger, tmp_path, line):
    (tmp_path / "k.zebin").write_bytes(compiled(tmp_path, SOURCE, *OPTIONS))
    program = ["zedbg", "kernel", f"{tmp_path / 'k.zebin'}:k", "--global", "8", "--local", "8"]
    commands = [f"break kernel.cl:{line}", "run", "print/l box.centre.x", "print/l farthest"]
    finished = debugger.json(commands, [*program, "f32[64]=iota", "f32[8]"], "--sim=dg2")
    box, farthest = [each["rows"] for each in finished.objects if each.get("command") == "print"]
    assert [each["value"] for each in farthest] == [700.0] * 8
    for lane, row in enumerate(box):
        assert row["value"] == 8.0 * lane or isinstance(row["value"], dict)
