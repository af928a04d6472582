"""Exceptions are told in full: address, access, work-items, the allocation that lies nearest."""

import re

import pytest

NOWHERE = 0x4F0000000000


@pytest.fixture
def fault(debugger, kernel_command):
    """Runs a kernel whose arguments make it fault; its stop, as JSON, and as people see it."""

    def run(device, *arguments):
        program = kernel_command(
            "calls", "--global", "8", "--local", "8", *arguments, build=f"igc2-{device}-O0"
        )
        words = ["--batch", f"--sim={device}", "-ex", "run"]
        stops = debugger.run(*words, "--json", "--", *program).objects
        (stop,) = [each for each in stops if each.get("event") == "stop"]
        return stop, debugger.run(*words, "--", *program).out

    return run


@pytest.mark.parametrize("device", ["dg2", "pvc", "bmg"])
def test_a_read_through_a_wild_pointer(fault, device):
    stop, text = fault(device, "u64=16", "i32[8]")
    exception = stop["exception"]
    assert (stop["reason"], stop["kernel"], stop["line"]) == ("page-fault", "calls", 18)
    assert (exception["access"], exception["address"]) == ("read", 16)
    assert exception["lanes"] == list(range(8))
    assert exception["work_items"] == [[n, 0, 0] for n in range(8)]
    assert exception["nearest"]["argument"] == "q"
    assert "page-fault: reading 0x10 by work-items (0,0,0), (1,0,0), (2,0,0)" in text


@pytest.mark.parametrize("device", ["dg2", "pvc", "bmg"])
def test_an_access_behind_an_allocation_names_it_and_how_far(fault, device):
    stop, text = fault(device, "i32[64]=iota", f"u64={NOWHERE}")
    exception, nearest = stop["exception"], stop["exception"]["nearest"]
    address = exception["address"]
    assert NOWHERE <= address < NOWHERE + 32 and exception["access"] in ("read", "write")
    assert nearest["argument"] == "p"
    assert nearest["begin"] < nearest["end"] == address - nearest["distance"] + 1
    assert re.search(
        rf"page-fault: (reading|writing) {address:#x} by work-items .*; {nearest['distance']:#x} "
        r"bytes behind 0x[0-9a-f]+-0x[0-9a-f]+, where argument p points",
        text,
    )
