"""Reports of exceptions: the address, the access, the work-items, and the nearest allocation."""

import re
import subprocess

import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.frontends.debugger_process import LIMIT_SECONDS
from tests.support.packed_modules import MODULES
from zedbg.levelzero.selection import ALT_DRIVERS, SIM_DEVICE

FAULTS = MODULES / "faults"
NOWHERE = 0x4F0000000000
FAR = 1 << 40  # elements


def run_alone(debugger, program, driver_library, device):
    """The program without a debugger."""
    return subprocess.run(
        program,
        env=debugger.environment | {ALT_DRIVERS: str(driver_library), SIM_DEVICE: device},
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
    )


def assert_driver_says(exception, reason):
    """Its own words end the text, and name the message."""
    said = exception["driver_reason"]
    assert said.startswith("send ") and said.endswith(f": {reason}")
    assert exception["text"].endswith(f"; the driver says: {said}")


@pytest.fixture
def fault(debugger, kernel_command):
    """Runs a kernel whose arguments make it fault; its stop, as JSON, and as people see it."""

    def run(device, *arguments):
        program = kernel_command(
            "calls", "--global", "8", "--local", "8", *arguments, build=f"igc2-{device}-O0"
        )
        words = ["--batch", f"--sim={device}", "-ex", "run"]
        done = debugger.run(*words, "--json", "--", *program)
        assert done.code == 4  # a kernel faulted
        (stop,) = [each for each in done.objects if each.get("event") == "stop"]
        return stop, debugger.run(*words, "--", *program).out

    return run


@pytest.mark.cases(1)
@pytest.mark.parametrize("device", EACH_PLATFORM)
def test_a_read_through_a_wild_pointer(fault, device):
    stop, text = fault(device, "u64=16", "i32[8]")
    exception = stop["exception"]
    assert (stop["reason"], stop["kernel"], stop["line"]) == ("page-fault", "calls", 18)
    assert (exception["access"], exception["address"]) == ("read", 16)
    assert exception["lanes"] == list(range(8))
    assert exception["work_items"] == [[n, 0, 0] for n in range(8)]
    assert exception["nearest"]["argument"] == "q"
    assert "page-fault: reading 0x10 by work-items (0,0,0), (1,0,0), (2,0,0)" in text


@pytest.mark.cases(1)
@pytest.mark.parametrize("device", EACH_PLATFORM)
def test_an_access_after_an_allocation_names_it_and_how_far(fault, device):
    stop, text = fault(device, "i32[64]=iota", f"u64={NOWHERE}")
    exception, nearest = stop["exception"], stop["exception"]["nearest"]
    address = exception["address"]
    assert NOWHERE <= address < NOWHERE + 32 and exception["access"] in ("read", "write")
    assert nearest["argument"] == "p"
    assert nearest["begin"] < nearest["end"] == address - nearest["distance"] + 1
    assert re.search(
        rf"page-fault: (reading|writing) {address:#x} by work-items .*; {nearest['distance']:#x} "
        r"bytes after 0x[0-9a-f]+-0x[0-9a-f]+, where argument p points",
        text,
    )


@pytest.mark.cases(1)
@pytest.mark.parametrize("device", EACH_PLATFORM)
def test_a_null_argument_is_named(fault, device):
    stop, text = fault(device, "u64=0", "i32[8]")
    assert stop["exception"]["pointer"] == {"argument": "p", "address": 0, "distance": 0}
    assert re.search(r"page-fault: reading 0x0 by work-items .*; argument p is null; 0x", text)


def test_an_argument_that_points_to_no_memory_is_named(fault):
    stop, text = fault("dg2", "i32[64]=iota", f"u64={NOWHERE}")
    address = stop["exception"]["address"]
    reported = {"argument": "q", "address": NOWHERE, "distance": address - NOWHERE}
    assert stop["exception"]["pointer"] == reported
    assert f"; argument q points to {NOWHERE:#x}, where no memory is: freed, or never" in text


def test_an_argument_that_was_overwritten_is_named(debugger, kernel_command):
    program = kernel_command("calls", "--global", "8", "--local", "8", "i32[64]=iota", "i32[8]")
    ran = debugger.batch(["break calls.cl:18", "run", "set var p = 0", "continue"], program)
    (reported,) = (line for line in ran.lines if line.startswith("page-fault: "))
    assert "; argument p is null; " in reported


# What compilers make of each access: messages of either data port, flat and by surfaces.
BUILDS = [
    ("igc1-dg2-O0", "read"),
    ("igc1-dg2-O0", "write"),
    ("igc1-dg2-O0", "atomic"),
    ("igc2-dg2-O0", "write"),
    ("igc2-dg2-O2", "atomic"),
    ("igc2-pvc-O2", "read"),
    ("igc2-pvc-O2", "write"),
    ("igc1-pvc-O2", "atomic"),
    ("igc2-bmg-O0", "read"),
    ("igc2-bmg-O0", "write"),
    ("igc2-bmg-O0", "atomic"),
]
KINDS = {"read": 0, "write": 1, "atomic": 2}
LINES = {"read": 4, "write": 6, "atomic": 8}
WORDS = {"read": "reading", "write": "writing", "atomic": "atomic access to"}
ITEMS = 16


@pytest.mark.cases(1)
@pytest.mark.parametrize(("build", "access"), BUILDS)
def test_a_fault_is_the_one_that_the_driver_reports(debugger, driver_library, build, access):
    device = build.split("-")[1]
    sizes = ["--global", str(ITEMS), "--local", str(ITEMS)]
    program = ["zedbg", "kernel", str(FAULTS / f"{build}.zebin"), *sizes]
    program += [f"i32[{ITEMS}]", f"i64={FAR}", f"i32={KINDS[access]}"]
    ran = debugger.run("--batch", f"--sim={device}", "-ex", "run", "--json", "--", *program)
    (stop,) = [each for each in ran.objects if each.get("event") == "stop"]
    exception = stop["exception"]
    assert (stop["kernel"], stop["line"]) == ("faults", LINES[access])
    assert exception["access"] == access
    assert exception["work_items"][0] == [0, 0, 0]
    assert exception["nearest"]["argument"] == "data"
    alone = run_alone(debugger, program, driver_library, device)
    reported = re.search(r"page fault (.*) global memory at (0x[0-9a-f]+)", alone.stderr)
    assert reported is not None, alone.stderr
    assert (WORDS[exception["access"]], hex(exception["address"])) == reported.groups()


@pytest.mark.cases(1)
@pytest.mark.parametrize("build", ["igc1-dg2-O0", "igc2-dg2-O2", "igc2-pvc-O0", "igc2-bmg-O2"])
def test_an_atomic_between_two_elements_is_refused_at_its_line(
    debugger, driver_library, kernel_command, build
):
    device = build.split("-")[1]
    sizes = ["--global", str(ITEMS), "--local", str(ITEMS)]
    program = kernel_command("unaligned", *sizes, "u8[128]", "i32=2", build=build)
    ran = debugger.run("--batch", f"--sim={device}", "-ex", "run", "--json", "--", *program)
    (stop,) = [each for each in ran.objects if each.get("event") == "stop"]
    exception = stop["exception"]
    assert (stop["reason"], stop["kernel"], stop["line"]) == ("illegal-instruction", "unaligned", 3)
    assert exception["kind"] == "illegal-opcode"
    assert exception["access"] == "atomic" and exception["address"] % 4 == 2
    items = exception["work_items"]  # of one message, which may be for eight lanes only
    assert len(items) in (8, ITEMS) and items == [[item, 0, 0] for item in range(len(items))]
    place = f"{exception['address']:#x}, not a multiple of 4, by work-items (0,0,0)"
    assert f"atomic access to 4 bytes at {place}" in exception["text"]
    assert_driver_says(exception, "atomic at an address that is not a multiple of its size")
    alone = run_alone(debugger, program, driver_library, device)
    assert alone.returncode == 1
    place = stop["pc"] & 0xFFFFFFFF
    assert f"kernel unaligned, thread 0.0.0.0, work-group (0,0,0), ip {place:#x}" in alone.stderr
    assert exception["driver_reason"] in alone.stderr


@pytest.mark.cases(1)
@pytest.mark.parametrize("build", ["igc1-dg2-O2", "igc2-dg2-O0", "igc2-pvc-O2", "igc2-bmg-O2"])
def test_a_vector_between_two_elements_is_refused_at_its_line(
    debugger, driver_library, kernel_command, build
):
    device = build.split("-")[1]
    sizes = ["--global", str(ITEMS), "--local", str(ITEMS)]
    arguments = ["u8[512]", f"i32[{4 * ITEMS}]", "i32=2", "i32=0"]
    program = kernel_command("misaligned", *sizes, *arguments, build=build)
    ran = debugger.run("--batch", f"--sim={device}", "-ex", "run", "--json", "--", *program)
    (stop,) = [each for each in ran.objects if each.get("event") == "stop"]
    exception = stop["exception"]
    assert (stop["reason"], stop["kernel"]) == ("illegal-instruction", "misaligned")
    assert stop["line"] == 8
    assert exception["access"] == "read" and exception["address"] % 16 == 2
    assert exception["work_items"][0] == [0, 0, 0]
    place = f"{exception['address']:#x}, not a multiple of 4, by work-items (0,0,0)"
    assert f"reading 16 bytes at {place}" in exception["text"]
    assert_driver_says(exception, "address that is not a multiple of 4 bytes")
    alone = run_alone(debugger, program, driver_library, device)
    assert exception["driver_reason"] in alone.stderr


def test_a_driver_that_says_nothing_leaves_what_zedbg_sees(debugger, kernel_command):
    """The loader's own handles stand between zedbg and the driver: it does not know the session."""
    program = kernel_command("unaligned", "--global", "16", "--local", "16", "u8[128]", "i32=2")
    words = ["--batch", "--sim", "-ex", "run", "--json", "--", *program]
    ran = debugger.run(*words, ZE_ENABLE_LOADER_INTERCEPT="1")
    (stop,) = [each for each in ran.objects if each.get("event") == "stop"]
    exception = stop["exception"]
    assert exception["driver_reason"] is None and "driver" not in exception["text"]
    assert f"atomic access to 4 bytes at {exception['address']:#x}, not a" in exception["text"]


CHANGED_SEND = """
import json, sys
from zedbg.engine.sessions import opening
from zedbg.commands.rows.exception_rows import exception_row
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.xe.isa.names import SharedFunction

OPERATION_BIT = 81  # in an instruction whose descriptor is a constant

with opening.launch(sys.argv[2:], sim=sys.argv[1], output=lambda stream, text: None) as session:
    session.break_at("vadd")
    thread = session.continue_().focus.thread
    address = thread.pc
    while True:
        instruction = thread.device.code.instruction(address)
        send = instruction.decoded.send
        if send and send.function is SharedFunction.UGM and send.descriptor is not None:
            break
        address += len(instruction.data)
    word = int.from_bytes(instruction.data, "little") | 0b100001 << OPERATION_BIT
    thread.write_memory(MemorySpace.GLOBAL, address, word.to_bytes(16, "little"))
    row = exception_row(session.continue_())
    thread = session.selected.thread
    reasons = [thread.driver_reason()]
    thread.pc = thread.pc + 16
    reasons.append(thread.driver_reason())
    thread.pc = address
    thread.write_memory(MemorySpace.GLOBAL, address, instruction.data)
    session.step_instruction()
    reasons.append(thread.driver_reason())
    print(json.dumps([row.text, row.driver_reason, reasons]))
"""


@pytest.mark.cases(1)
@pytest.mark.parametrize("device", EACH_PLATFORM)
def test_what_the_simulated_gpu_does_not_execute_is_said_by_its_driver(debugger, vadd, device):
    """And only up to the next resume, or while the thread is at that instruction."""
    command = [each.replace("dg2", device) for each in vadd]
    text, reason, reasons = debugger.run_script(CHANGED_SEND, device, *command)
    assert reason.startswith("send ") and reason.endswith(": reserved operation")
    assert re.search(
        rf"^instruction [0-9a-f ]+: the device does not execute it; active: work-items .*; "
        rf"the driver says: {re.escape(reason)}$",
        text,
    )
    assert reasons == [reason, None, None]


MOVED_SURFACE = """
import json, struct, sys
from zedbg.engine.sessions import opening
from zedbg.commands.rows.exception_rows import exception_row
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.xe.registers import BINDLESS_BASE_INDEX, RegisterKind

with opening.launch(sys.argv[2:], sim="dg2", output=lambda stream, text: None) as session:
    session.break_at("vadd")
    thread = session.continue_().focus.thread
    kernel = thread.kernel
    handle = {
        each.arg_index: thread.work.payload_bytes(each.offset, each.size)
        for each in kernel.info.payload_arguments
        if each.addrmode == "bindless"
    }[int(sys.argv[1])]
    bases = struct.unpack("<9Q", thread.read_registers(RegisterKind.SBA))
    base = bases[BINDLESS_BASE_INDEX] + int.from_bytes(handle, "little") + 32
    thread.write_memory(MemorySpace.GLOBAL, base, struct.pack("<Q", %d))
    row = exception_row(session.continue_())
    print(json.dumps([row.kind, row.access, row.address, list(row.lanes)]))
"""


BOUND_SURFACES = """
import json, struct, sys
from zedbg.engine.sessions import opening
from zedbg.commands.rows.exception_rows import exception_row
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.engine.memory.argument_values import argument_value
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.engine.memory.argument_values import argument_value
from zedbg.engine.threads.surfaces import bound_surface
from zedbg.xe.registers import BINDING_TABLE_BASE_INDEX, SURFACE_BASE_INDEX, RegisterKind
from zedbg.zebin.arguments import kernel_arguments

with opening.launch(sys.argv[1:], sim="dg2", output=lambda stream, text: None) as session:
    session.break_at("vadd")
    thread = session.continue_().focus.thread
    reported = []
    for argument in kernel_arguments(thread.kernel.info):
        if argument.binding_table_index is not None:
            surface = bound_surface(thread, argument.binding_table_index)
            reported.append([argument_value(thread, argument), surface.base, surface.size])
    bases = struct.unpack("<9Q", thread.read_registers(RegisterKind.SBA))
    (first,) = struct.unpack("<I", thread.read_memory(
        MemorySpace.GLOBAL, bases[BINDING_TABLE_BASE_INDEX], 4))
    state = bases[SURFACE_BASE_INDEX] + first + 32
    thread.write_memory(MemorySpace.GLOBAL, state, struct.pack("<Q", %d))
    row = exception_row(session.continue_())
    print(json.dumps([reported, row.kind, row.access, row.address, list(row.lanes)]))
"""


def test_bound_surfaces_are_where_the_binding_table_says(debugger, vadd):
    """And so are faults through them: the first state is damaged."""
    command = [each.replace("igc2-dg2-O0", "igc1-dg2-O2") for each in vadd]
    reported, kind, access, address, lanes = debugger.run_script(BOUND_SURFACES % NOWHERE, *command)
    assert len(reported) == 3
    for passed, base, size in reported:
        assert (base, size) == (passed, 64 * 4)
    assert (kind, access) == ("page-fault", "read")
    assert NOWHERE <= address < NOWHERE + 4 * 64 and lanes


@pytest.mark.parametrize(("argument", "access"), [(0, "read"), (2, "write")])
def test_a_fault_through_a_surface_is_where_its_state_says(debugger, vadd, argument, access):
    """Nothing that a program may do makes a surface fault, so its state is damaged."""
    command = [each.replace("dg2-O0", "dg2-O2") for each in vadd]
    kind, found, address, lanes = debugger.run_script(
        MOVED_SURFACE % NOWHERE, str(argument), *command
    )
    assert (kind, found) == ("page-fault", access)
    assert NOWHERE <= address < NOWHERE + 4 * 64 and lanes


@pytest.mark.cases(1)
@pytest.mark.parametrize(("device", "last"), [("dg2", 103), ("pvc", 111), ("bmg", 111)])
def test_a_failed_assertion_names_the_work_items_that_failed_it(
    debugger, kernel_command, device, last
):
    sizes = ["--global", "128", "--local", "128"]
    program = kernel_command(
        "assertions", *sizes, "i32[128]=iota", "i32[128]", build=f"igc2-{device}-O0"
    )
    words = ["--batch", f"--sim={device}", "-ex", "catch assert", "-ex", "run", "--json", "--"]
    ran = debugger.run(*words, *program)
    stop = next(each for each in ran.objects if each.get("event") == "stop")
    exception = stop["exception"]
    assert (stop["kernel"], stop["line"], exception["kind"]) == ("assertions", 8, "assert")
    assert exception["work_items"] == [[item, 0, 0] for item in range(101, last + 1)]
    assert exception["text"].endswith(
        "active: work-items (101,0,0), (102,0,0), (103,0,0)"
        + ("" if last == 103 else ", (104,0,0) and 7 more")
    )


ONCE = """
kernel void once(global int *p, ulong wild) {
  if (get_global_id(0) == 5) *(global int *)wild = 1;
  p[get_global_id(0)] = 2;
}
"""


def test_what_the_compiler_does_once_is_of_the_lanes_that_are_active(debugger, tmp_path):
    """The address is the same in all lanes: a send of one lane, of lane 0, stores there."""
    source = tmp_path / "once.cl"
    source.write_text(ONCE)
    program = ["zedbg", "kernel", source, "--global", "16", "--local", "16", "i32[16]", "u64=16"]
    done = debugger.run("--batch", "--sim=dg2", "-ex", "run", "--json", "--", *program)
    (stop,) = [each for each in done.objects if each.get("event") == "stop"]
    assert stop["exception"]["lanes"] == stop["threads"][0]["lanes"] == [5]
    assert stop["exception"]["work_items"] == [[5, 0, 0]]
