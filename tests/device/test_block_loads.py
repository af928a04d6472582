"""Blocks that compilers load for all lanes at once, at addresses that are multiples of 4 only."""

import pytest

from tests.support.sycl.ocloc import compiled

SOURCE = """kernel void k(global float *out, float base, float power)
{
    int i = get_global_id(0);
    out[i] = i + pow(base, power);
}
"""
OPTIONS = ("-options", "-cl-std=CL2.0", "-internal_options", "-cl-intel-allow-zebin")


@pytest.mark.parametrize("base, power", [(0.25, 1.5), (1.75, 3.25), (6.5, -2.1), (1e-3, 0.7)])
def test_rows_of_a_table_of_constants(debugger, tmp_path, base, power):
    """Of pow, of numbers that all work-items have: rows of 12 bytes."""
    (tmp_path / "k.zebin").write_bytes(compiled(tmp_path, SOURCE, *OPTIONS))
    words = ["--json", "--device", "dg2", f"{tmp_path / 'k.zebin'}:k", "--global", "16"]
    done = debugger.run("kernel", *words, "f32[16]", f"f32={base}", f"f32={power}")
    out, *_ = done.objects[0]["rows"]
    assert out["values"] == pytest.approx([i + base**power for i in range(len(out["values"]))])
