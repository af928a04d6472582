"""Specialization constants of a SYCL program: the values that it runs with, not only the defaults.

Both ways in which a runtime passes them: to the compiler of SPIR-V, and in a buffer to what was
compiled ahead. The kernel computes with them, so that its results show the values, too.
"""

import re
import shutil
import struct
import subprocess

import pytest

from tests.support.sycl.host_source import SourceImage, SourceProperty, build_host, host_source
from tests.support.sycl.ocloc import compiled
from zedbg.engine.process.process import HOLD_LIBRARY_NAME, HOLD_LIBRARY_OVERRIDE
from zedbg.levelzero.selection import native_file

KERNEL = "_ZTS5scale"
DEFAULTS = (4242, 0x1122334455667788)
AT_BUILD = f"""
__kernel void {KERNEL}(__global ulong* out) {{
  out[get_global_id(0)] = (ulong){DEFAULTS[0]}u * get_global_id(0) + {DEFAULTS[1]}ul;
}}
"""
IN_BUFFER = f"""
__kernel void {KERNEL}(__global ulong* out, __global char* _arg__specialization_constants_buffer) {{
  __global uint* constants = (__global uint*)_arg__specialization_constants_buffer;
  out[get_global_id(0)] = (ulong)constants[0] * get_global_id(0) + constants[1]
      + ((ulong)constants[2] << 32);
}}
"""
SETS = [
    (
        "SYCL/specialization constants",
        [
            SourceProperty("uid1____ZL6factor", struct.pack("<3I", 0, 0, 4)),
            SourceProperty("uid1____ZL5shift", struct.pack("<3I", 1, 0, 8)),
        ],
    ),
    (
        "SYCL/specialization constants default values",
        [SourceProperty("all", struct.pack("<IQ", *DEFAULTS))],
    ),
]
FACTOR, SHIFT = 31, 5_000_000_007  # what the program chooses
GIVEN = [f"{FACTOR}:4", f"{SHIFT}:8"]


def with_specialization_constants(spirv):
    """``spirv`` with its constants of DEFAULTS as specialization constants, whose ids count from 0.

    OpConstant (43) becomes OpSpecConstant (50) with OpDecorate (71) SpecId (1) before the types.
    """
    words = list(struct.unpack(f"<{len(spirv) // 4}I", spirv))
    position, types_at, results = 5, None, []
    while position < len(words):
        length, opcode = words[position] >> 16, words[position] & 0xFFFF
        if types_at is None and 19 <= opcode <= 39:
            types_at = position
        if opcode == 43:
            bits = sum(word << 32 * i for i, word in enumerate(words[position + 3 :][: length - 3]))
            if bits in DEFAULTS:
                words[position] = length << 16 | 50
                results.append((words[position + 2], DEFAULTS.index(bits)))
        position += length
    assert sorted(number for _, number in results) == [0, 1]
    decorations = [word for id_, number in results for word in (4 << 16 | 71, id_, 1, number)]
    words[types_at:types_at] = decorations
    return struct.pack(f"<{len(words)}I", *words)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    if shutil.which("ocloc") is None:
        pytest.skip("ocloc is not installed")
    return tmp_path_factory.mktemp("constants")


@pytest.fixture(scope="module")
def program(folder, host_program):
    """The command line of a program with one image, which passes its constants in some way."""

    def command(way, module, *given):
        image = SourceImage(module, [KERNEL], SETS, target="spir64")
        library = build_host(folder / way, host_source([[image]], 3))
        path = folder / way / "module"
        path.write_bytes(module)
        way = next(known for known in ("build", "program", "buffer") if way.startswith(known))
        return [str(host_program("constants")), *map(str, (library, path)), KERNEL, way, *given]

    return command


@pytest.fixture(scope="module")
def built(folder, program):
    """A program that gives the constants when it builds SPIR-V."""
    spirv = with_specialization_constants(compiled(folder, AT_BUILD, "-spv_only"))
    return program("build", spirv, *GIVEN)


@pytest.fixture(scope="module")
def buffered(folder, program):
    """A program whose kernel was compiled ahead and takes a buffer."""
    zebin = compiled(folder, IN_BUFFER, "-internal_options", "-cl-intel-allow-zebin")
    return program("buffer", zebin, *GIVEN)


def results(factor, shift):
    return " ".join(str(factor * i + shift) for i in range(3))


@pytest.mark.parametrize("way", ["built", "buffered"])
def test_the_values_of_the_program_are_shown_beside_the_defaults(debugger, way, request):
    commands = ["break kernel scale", "run", "info args", "zeinfo", "info modules", "continue"]
    done = debugger.batch(commands, request.getfixturevalue(way))
    lines = [" ".join(line.split()) for line in done.lines]
    default = f"(specialization constant, 4 bytes, by default {DEFAULTS[0]})"
    assert f"factor = {FACTOR} {default}" in lines
    assert f"shift = {SHIFT} (specialization constant, 8 bytes, by default {DEFAULTS[1]})" in lines
    assert "Id Constant Size Default Value" in lines
    assert f"0 factor 4 {DEFAULTS[0]} {FACTOR}" in lines
    assert f"1 shift 8 {DEFAULTS[1]} {SHIFT}" in lines
    assert any(f"factor={FACTOR}, shift={SHIFT} scale" in line for line in lines), done.out
    assert results(FACTOR, SHIFT) in lines


def test_a_core_file_keeps_the_values_and_the_name_of_the_image(debugger, built):
    asked = ["info modules", "info args"]
    live = debugger.json(["break kernel scale", "run", *asked, "generate-core-file core"], built)
    questions = (word for each in asked for word in ("-ex", each))
    core = debugger.run("core", "core", "--batch", "--json", *questions)
    before, after = (
        [each["rows"] for each in said.objects if each.get("command") in asked]
        for said in (live, core)
    )
    assert before[0][0]["constants"] == {"factor": FACTOR, "shift": SHIFT}
    assert before[0][0]["image"]
    assert after == before


def test_json_has_the_values_as_numbers_and_bytes(debugger, built):
    objects = debugger.json(["break kernel scale", "run", "info args"], built).objects
    rows = next(each["rows"] for each in objects if each.get("command") == "info args")
    factor, shift = rows[-2:]
    assert (factor["value_number"], factor["number"]) == (FACTOR, DEFAULTS[0])
    assert shift["value"] == struct.pack("<Q", SHIFT).hex()


def test_constants_that_the_program_gives_no_value_keep_their_default(debugger, folder, program):
    spirv = with_specialization_constants(compiled(folder, AT_BUILD, "-spv_only"))
    for number, given in enumerate(([], GIVEN[:1])):
        command = program(f"build{number}", spirv, *given)
        done = debugger.batch(["break kernel scale", "run", "info modules", "continue"], command)
        factor = FACTOR if given else DEFAULTS[0]
        assert f"factor={factor}, shift={DEFAULTS[1]}" in done.out
        assert results(factor, DEFAULTS[1]) in done.out


def test_the_buffers_values_are_known_in_its_kernel_only(debugger, buffered):
    done = debugger.batch(["catch load", "run", "info modules"], buffered)
    assert "factor=<passed to each kernel: known while a thread of it is stopped>" in done.out


def test_one_of_several_inputs_of_a_module_has_its_values(debugger, folder, program):
    spirv = with_specialization_constants(compiled(folder, AT_BUILD, "-spv_only"))
    command = program("program", spirv, *GIVEN)
    done = debugger.batch(["break kernel scale", "run", "info modules", "continue"], command)
    assert f"factor={FACTOR}, shift={SHIFT}" in done.out
    assert results(FACTOR, SHIFT) in done.out


def test_values_of_a_program_that_a_shell_starts_are_known(debugger, built):
    # The shell goes on after the program, so that it cannot become the program.
    command = ["sh", "-c", '"$@"; echo the shell goes on', "sh", *built]
    done = debugger.batch(["break kernel scale", "run", "info modules", "continue"], command)
    assert f"factor={FACTOR}, shift={SHIFT} scale" in " ".join(done.out.split()), done.out
    assert results(FACTOR, SHIFT) in done.out


@pytest.fixture
def waiting(built, simulator_environment):
    """Starts the program up to its module, without zedbg; what still runs at the end is killed."""
    started = []

    def start(**environment):
        process = subprocess.Popen(
            built,
            env=simulator_environment
            | {"ZET_ENABLE_PROGRAM_DEBUGGING": "1", "XESIM_DEVICE": "dg2", "WAIT_FOR_INPUT": "1"}
            | environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        assert process.stdout.readline() == "built\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_values_are_found_in_a_program_that_is_attached_to_later(debugger, waiting):
    program = waiting(LD_AUDIT=str(native_file(HOLD_LIBRARY_NAME, HOLD_LIBRARY_OVERRIDE)))
    done = debugger.batch([f"attach {program.pid}", "info modules", "detach"])
    assert f"factor={FACTOR}, shift={SHIFT}" in done.out, done.out
    out, _ = program.communicate("\n")
    assert results(FACTOR, SHIFT) in out


def test_of_a_program_without_the_library_it_is_said_what_would_show_the_values(debugger, waiting):
    program = waiting()
    done = debugger.batch([f"attach {program.pid}", "info modules", "detach"])
    assert "libzedbg_hold.so" in done.out, done.out
    out, _ = program.communicate("\n")
    assert results(FACTOR, SHIFT) in out


def test_a_kernel_is_found_by_the_name_that_it_has_in_the_source(debugger, buffered):
    commands = ["catch load sca*", "run", "break scale", "continue", "info symbol $pc"]
    done = debugger.batch(commands, buffered)
    assert "Catchpoint 1 (loaded module 1" in done.out, done.out
    assert "hit Breakpoint 2" in done.out, done.out
    assert re.search(r"^scale \+ \d+ in kernel scale of module 1$", done.out, re.MULTILINE), (
        done.out
    )
    assert "kernel scale" in done.out
