"""Call chains at every instruction of a thread: the frames are the calls that it made and has not
returned from, with their lanes and registers; and the same functions with either compiler."""

import json
import subprocess

import pytest

from tests.support.module_command import module_command
from tests.support.packed_modules import MODULES

SIZES = ["--global", "32", "--local", "16"]
IN_AND_OUT = ["i32[32]=random:1", "i32[32]"]
LAUNCHES = {
    # Module and kernel, arguments.
    "zebin/calls.zebin": ("calls", ["i32[32]=random:1", "f32[128]"]),
    "zebin/recursion.zebin": ("recursion", IN_AND_OUT),
    "zebin/recurse.zebin": ("rec", ["i32[32]=random:1"]),
    "zebin/called_numbers.zebin": ("called_numbers", ["u64[1152]", "i32=1"]),
    "corpus/deep_calls": ("deep_calls", IN_AND_OUT),
    "corpus/nested_structs": ("nested_structs", ["i32[64]=random:1", "i32[64]"]),
    "truth/recursive": ("recursive", ["i32[128]=random:1", "u64[2048]", "i32=3"]),
    "linked/function_pointers.zebin": ("function_pointers", ["i32[32]=iota", "i32[32]"]),
}
STEPS = 700
IGC1 = ["igc1-dg2-O0", "igc1-dg2-O2", "igc1-pvc-O0", "igc1-pvc-O2"]
# A breakpoint on this kernel is in a branch that it does not take.
NOT_STOPPED = {
    ("igc2-dg2-O0", "zebin/called_numbers.zebin"),
    ("igc2-bmg-O0", "zebin/called_numbers.zebin"),
}
WITHOUT_DEBUG_INFO = "not shown: no debug info: "
IGC2 = ["igc2-dg2-O0", "igc2-dg2-O2", "igc2-pvc-O2", "igc2-bmg-O0", "igc2-bmg-O2"]


def chains(build, name, steps=STEPS):
    """What was shown, how often; what of it was wrong; and the chains of functions."""
    folder, _, module = name.partition("/")
    path = MODULES / folder / build / module
    kernel, arguments = LAUNCHES[name]
    device = build.split("-")[1]
    command = module_command("truth.call_chains", path, kernel, device, steps, *SIZES, *arguments)
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def made_of(build):
    """The launches whose module ``build`` has."""
    return [
        name
        for name in LAUNCHES
        if (build, name) not in NOT_STOPPED
        and (MODULES / name.partition("/")[0] / build / name.partition("/")[2]).exists()
    ]


@pytest.mark.cases(4)
@pytest.mark.parametrize(
    ("build", "name"), [(build, name) for build in (*IGC1, *IGC2) for name in made_of(build)]
)
def test_frames_are_the_calls_that_are_open(build, name):
    counts, wrong, _ = chains(build, name)
    assert wrong == []
    if (build[:4], name) == ("igc1", "linked/function_pointers.zebin"):
        # Its functions have none; the kernel has some.
        (without,) = (each for each in counts if each.startswith(WITHOUT_DEBUG_INFO))
        counts.pop(without)
    assert set(counts) <= {
        *("right", "lanes right", "lanes not shown"),
        *("register right", "register not shown"),
    }
    assert counts["right"] > 100


@pytest.mark.parametrize("name", ["zebin/calls.zebin", "corpus/deep_calls"])
def test_functions_are_those_of_the_newer_compiler(name):
    # It writes call frame information, and says where functions are.
    _, _, older = chains("igc1-dg2-O2", name, 2000)
    _, _, newer = chains("igc2-dg2-O2", name, 2000)
    assert older == newer
    assert max(map(len, older)) >= 3
