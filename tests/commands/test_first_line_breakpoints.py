"""Breakpoints at a kernel whose first line is code of a built-in function that chooses."""

import pytest

_KERNEL = "called_numbers"  # get_global_linear_id looks at how many dimensions there are


@pytest.mark.parametrize("build", ["igc2-dg2-O0", "igc2-dg2-O2"])
@pytest.mark.parametrize("size", ["8", "4,2", "2,2,2"])
@pytest.mark.parametrize(
    ("place", "line"), [(_KERNEL, None), (f"{_KERNEL}.cl:27", 27), (f"{_KERNEL}.cl:26", None)]
)
def test_they_are_hit_once_whatever_it_chooses(debugger, kernel_command, build, size, place, line):
    command = kernel_command(
        _KERNEL, "--global", size, "--local", size, "u64[288]", "i32=0", build=build
    )
    done = debugger.batch([f"break {place}", "run", "print asked", "continue"], command)
    assert done.out.count("hit Breakpoint 1") == 1, done.out
    assert "Process exited normally" in done.out
    if line is not None:
        assert f"at {_KERNEL}.cl:{line}" in done.out
