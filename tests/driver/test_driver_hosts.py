"""Host programs on the simulated driver, through the real loader in each of its ways of working."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

import pytest

from tests.support.devices import ALL, builds_of
from tests.support.driver.driver_loaders import NAMES, Loader, named
from tests.support.packed_modules import MODULES, ZEBINS
from tests.support.places import KERNELS, REPOSITORY
from zedbg.xe.devices import DEVICES
from zedbg.zebin.module import Module

CONFIGURATIONS = sorted(path.name for path in ZEBINS.glob("*-dg2-*"))
LINKED = MODULES / "linked"
CONFIGURATIONS_WITH_IMPORTS = sorted(path.parent.name for path in LINKED.glob("*/imports.zebin"))
VADD = ZEBINS / "igc2-dg2-O0" / "vadd.zebin"
SECONDS = 60
SYSTEM = Loader()


@pytest.fixture(params=NAMES)
def loader(request: pytest.FixtureRequest) -> Loader:
    return named(request.param)


def run(
    program: Path, environment: Mapping[str, str], *arguments: Path | str, loader: Loader = SYSTEM
) -> subprocess.CompletedProcess[str]:
    command = [*loader.prefix, str(program), *map(str, arguments)]
    return subprocess.run(
        command,
        env={**environment, **loader.environment},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


class Passes(Protocol):
    """See :func:`passes`."""

    def __call__(
        self, host: str, *arguments: Path | str, loader: Loader = SYSTEM, **changed: str
    ) -> str: ...


@pytest.fixture
def passes(host_program: Callable[[str], Path], simulator_environment: dict[str, str]) -> Passes:
    """Runs a program to its end, which it has to say is good; gives its errors. ``changed``:
    variables of the environment."""

    def run_to_end(
        host: str, *arguments: Path | str, loader: Loader = SYSTEM, **changed: str
    ) -> str:
        environment = simulator_environment | changed
        finished = run(host_program(host), environment, *arguments, loader=loader)
        assert (finished.returncode, finished.stdout) == (0, f"{host}: ok\n"), finished.stderr
        return finished.stderr

    return run_to_end


@pytest.mark.parametrize("host", ["vadd", "vadd_dlopen", "launches", "modules", "virtual_memory"])
def test_a_program_that_launches_runs_to_its_end(
    host: str,
    loader: Loader,
    passes: Passes,
) -> None:
    passes(host, VADD, loader=loader)


# Not with the validation layer, which refuses it before the driver sees it.
@pytest.mark.parametrize("way", ["plain", "newest-plain"])
def test_objects_are_released_in_any_order(way: str, passes: Passes) -> None:
    passes("released", VADD, loader=named(way))


# Not with the validation layer, which refuses some of it.
@pytest.mark.parametrize("way", ["plain", "newest-plain"])
def test_what_intels_driver_takes_is_taken(way: str, passes: Passes) -> None:
    passes("lenient", VADD, loader=named(way))


@pytest.mark.parametrize("way", ["plain", "newest-plain"])
def test_calls_that_are_newer_than_the_oldest_headers(way: str, passes: Passes) -> None:
    passes("later", VADD, loader=named(way))


@pytest.mark.parametrize("way", ["plain", "newest-plain"])
def test_counter_based_events_also_of_two_processes(way: str, passes: Passes) -> None:
    passes("counters", loader=named(way))


@pytest.mark.parametrize("way", ["plain", "newest-plain"])
def test_commands_of_a_closed_list_are_changed(way: str, passes: Passes) -> None:
    numbers = VADD.with_name("launch_numbers.zebin")
    passes("mutable", numbers, VADD, loader=named(way))


@pytest.mark.parametrize(
    ("hierarchy", "mask", "expected"),
    [
        ("COMPOSITE", "", "0x56a0:0 0xbd5:2"),  # product ids, and tiles
        ("COMPOSITE", "1", "0xbd5:2"),
        ("COMPOSITE", "1.1", "0xbd5:0"),  # one tile stands for its device
        ("COMPOSITE", "1.0,1.1,0", "0x56a0:0 0xbd5:2"),
        ("COMPOSITE", "7,x", ""),
        ("FLAT", "", "0x56a0:0 0xbd5:0 0xbd5:0"),
        ("FLAT", "0,2", "0x56a0:0 0xbd5:0"),
    ],
)
def test_the_affinity_mask_hides_devices(
    hierarchy: str,
    mask: str,
    expected: str,
    host_program: Callable[[str], Path],
    simulator_environment: dict[str, str],
) -> None:
    environment = simulator_environment | {
        "XESIM_DEVICE": "dg2,pvc",
        "ZE_FLAT_DEVICE_HIERARCHY": hierarchy,
        "ZE_AFFINITY_MASK": mask,
    }
    finished = run(host_program("devices"), environment)
    assert (finished.returncode, finished.stdout.split()) == (0, expected.split()), finished.stderr


@pytest.mark.parametrize("configuration", CONFIGURATIONS_WITH_IMPORTS)
def test_a_kernel_calls_a_function_of_a_module_that_is_linked(
    configuration: str,
    passes: Passes,
) -> None:
    modules = [LINKED / configuration / f"{name}.zebin" for name in ("imports", "exports")]
    changed = {"XESIM_DEVICE": configuration.split("-")[1]}
    passes("link", *modules, **changed)


def test_a_linked_module_does_not_keep_those_that_it_uses(
    host_program: Callable[[str], Path], simulator_environment: dict[str, str]
) -> None:
    modules = [LINKED / "igc2-dg2-O0" / f"{name}.zebin" for name in ("imports", "exports")]
    finished = run(host_program("link"), simulator_environment, *modules, "destroy")
    assert finished.returncode == 1
    assert "the device is lost: kernel imports" in finished.stderr
    assert "page fault fetching an instruction" in finished.stderr


CALLER = """
int helper(int x);
__kernel void calls(__global int* out) { int i = get_global_id(0); out[i] = helper(i) + 1; }
"""
CALLED = "int helper(int x) { return x * 3 + (x & 1) * 100; }"


@pytest.mark.skipif(shutil.which("ocloc") is None, reason="needs Intel's offline compiler")
def test_one_module_is_made_of_several_spirv_inputs(
    tmp_path: Path,
    host_program: Callable[[str], Path],
    simulator_environment: dict[str, str],
) -> None:
    inputs = []
    for name, source in (("caller", CALLER), ("called", CALLED)):
        (tmp_path / f"{name}.cl").write_text(source)
        command = ["ocloc", "compile", "-file", f"{name}.cl", "-device", "dg2", "-spv_only"]
        command += ["-output", name, "-output_no_suffix"]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
        inputs.append(tmp_path / f"{name}.spv")
    finished = run(host_program("link_spirv"), simulator_environment, *inputs, "16")
    assert finished.returncode == 0, finished.stderr
    expected = [x * 3 + (x & 1) * 100 + 1 for x in range(16)]
    assert [int(line) for line in finished.stdout.split()] == expected
    # What it is made of has to be whole: alone, the kernel lacks a function.
    alone = run(host_program("link_spirv"), simulator_environment, inputs[0], inputs[0], "16")
    assert alone.returncode == 1
    assert "could not compile the SPIR-V" in alone.stderr


@pytest.mark.parametrize("host", ["properties", "memory", "synchronization", "ipc", "external"])
def test_a_program_without_kernels_runs_to_its_end(
    host: str,
    loader: Loader,
    host_program: Callable[[str], Path],
    simulator_environment: dict[str, str],
) -> None:
    finished = run(host_program(host), simulator_environment, loader=loader)
    assert (finished.returncode, finished.stderr) == (0, "")
    assert finished.stdout.endswith(f"{host}: ok\n")


def _shared_system(
    configuration: str,
    way: str,
    host_program: Callable[[str], Path],
    environment: dict[str, str],
    loader: Loader = SYSTEM,
) -> subprocess.CompletedProcess[str]:
    modules = [ZEBINS / configuration / f"{name}.zebin" for name in ("vadd", "hist")]
    chosen = {"XESIM_DEVICE": configuration.split("-")[1], "EnableSharedSystemUsmSupport": "1"}
    return run(host_program("shared_system"), environment | chosen, *modules, way, loader=loader)


def test_kernels_use_memory_that_the_program_has_of_its_own(
    loader: Loader, host_program: Callable[[str], Path], simulator_environment: dict[str, str]
) -> None:
    finished = _shared_system(
        "igc2-dg2-O2", "all", host_program, simulator_environment, loader=loader
    )
    assert (finished.returncode, finished.stdout) == (0, "shared_system: ok\n"), finished.stderr


# Buffers are addresses in some of them, and surfaces in others.
@pytest.mark.parametrize(
    "configuration", ["igc1-dg2-O0", "igc1-dg2-O2", "igc1-pvc-O2", "igc2-bmg-O2", "igc2-pvc-O0"]
)
@pytest.mark.parametrize("debugging", ["0", "1"])
def test_kernels_of_each_device_use_memory_of_the_program(
    configuration: str,
    debugging: str,
    host_program: Callable[[str], Path],
    simulator_environment: dict[str, str],
) -> None:
    environment = simulator_environment | {"ZET_ENABLE_PROGRAM_DEBUGGING": debugging}
    finished = _shared_system(configuration, "all", host_program, environment)
    assert (finished.returncode, finished.stdout) == (0, "shared_system: ok\n"), finished.stderr


@pytest.mark.parametrize("way", ["unmapped", "unreadable", "read-only", "truncated"])
@pytest.mark.parametrize("debugging", ["0", "1"])
def test_memory_that_the_program_could_not_use_is_a_page_fault(
    way: str,
    debugging: str,
    host_program: Callable[[str], Path],
    simulator_environment: dict[str, str],
) -> None:
    environment = simulator_environment | {"ZET_ENABLE_PROGRAM_DEBUGGING": debugging}
    finished = _shared_system("igc2-dg2-O0", way, host_program, environment)
    assert finished.returncode == 0, finished.stderr
    place, end = finished.stdout.splitlines()
    assert end == "shared_system: ok"
    assert f"page fault writing global memory {place}" in finished.stderr


@pytest.mark.parametrize(
    ("way", "device"), [("plain", "dg2"), ("newest-validation", "dg2"), ("newest-plain", "pvc")]
)
def test_system_management_says_where_devices_are_and_how_much_memory_is_free(
    way: str,
    device: str,
    host_program: Callable[[str], Path],
    simulator_environment: dict[str, str],
) -> None:
    environment = simulator_environment | {"XESIM_DEVICE": device}
    finished = run(host_program("management"), environment, loader=named(way))
    assert (finished.returncode, finished.stderr) == (0, "")
    assert finished.stdout.splitlines()[-1] == "management: ok"
    assert ("tiles: 2\n" in finished.stdout) == (device == "pvc")


def _image_modules(configuration: str) -> list[Path]:
    return [ZEBINS / configuration / f"image_{name}.zebin" for name in ("dimensions", "sampling")]


def test_images_and_samplers_work_as_the_specification_says(loader: Loader, passes: Passes) -> None:
    modules = _image_modules("igc2-dg2-O2")
    errors = passes("images", *modules, loader=loader)
    assert "miplevels must be 0, not 3" in errors


@pytest.mark.parametrize("device", ALL)
def test_images_on_each_device(
    device: str,
    host_program: Callable[[str], Path],
    simulator_environment: dict[str, str],
) -> None:
    configurations = builds_of(device) if DEVICES[device].has_images else []
    environment = simulator_environment | {"XESIM_DEVICE": device}
    # Without modules the program expects a device without images.
    for modules in map(_image_modules, configurations) if configurations else [[]]:
        finished = run(host_program("images"), environment, *modules)
        assert (finished.returncode, finished.stdout) == (0, "images: ok\n"), finished.stderr


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_the_output_of_each_compiler_adds_vectors(
    configuration: str,
    passes: Passes,
) -> None:
    passes("vadd", ZEBINS / configuration / "vadd.zebin")


@pytest.mark.parametrize("name", ALL)
def test_the_device_has_the_shape_of_its_row(
    name: str, host_program: Callable[[str], Path], simulator_environment: dict[str, str]
) -> None:
    device = DEVICES[name]
    environment = simulator_environment | {"XESIM_DEVICE": name}
    lines = run(host_program("properties"), environment).stdout.splitlines()
    extensions = {line.split()[1] for line in lines if line.startswith("extension")}
    assert extensions >= {  # of which the host asks for the properties
        "ZE_extension_eu_count",
        "ZE_extension_device_ip_version",
        "ZE_extension_device_memory_properties",
        "ZE_experimental_scheduling_hints",
    }
    answers = dict(line.split(" ", 1) for line in lines if not line.startswith("extension"))
    assert answers["vendor"] == "0x8086"
    assert answers["name"] == device.name
    assert answers["device"] == hex(device.device_id)
    architecture, release, revision = device.ip_version
    assert int(answers["ip_version"], 16) == architecture << 22 | release << 14 | revision
    shape = ("slices", "subslices_per_slice", "eus_per_subslice", "threads_per_eu")
    assert {key: answers[key] for key in shape} == {key: str(getattr(device, key)) for key in shape}
    assert int(answers["threads"]) == device.thread_count
    assert int(answers["eu_count"]) == device.thread_count // device.threads_per_eu
    assert answers["simd"] == str(device.platform.native_lanes)
    sizes = [size for size in (8, 16, 32) if size >= device.least_sub_group]
    assert answers["sub_groups"] == " ".join(map(str, sizes))
    assert answers["subdevices"] == str(device.tiles if device.tiles > 1 else 0)
    assert answers["memory"] == str(device.memory_bytes)
    assert answers["fp64"] == str(int(device.has_double))


def test_the_validation_layer_does_look(
    host_program: Callable[[str], Path], simulator_environment: dict[str, str], tmp_path: Path
) -> None:
    """A call that only the layer refuses is refused, so its silence elsewhere means something."""
    source = tmp_path / "wrong.c"
    source.write_text(
        '#include "host.h"\n'
        "int main(void) {\n"
        "  const struct host host = open_device();\n"
        "  const ze_event_pool_desc_t wrong = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,\n"
        "                                      .flags = 0x40000000, .count = 1};\n"
        "  ze_event_pool_handle_t pool = NULL;\n"
        '  printf("0x%x\\n", zeEventPoolCreate(host.context, &wrong, 0, NULL, &pool));\n'
        "}\n"
    )
    program = tmp_path / "wrong"
    include = f"-I{REPOSITORY / 'tests' / 'hosts'}"
    subprocess.run(["cc", include, str(source), "-o", str(program), "-lze_loader"], check=True)
    assert run(program, simulator_environment).stdout == "0x0\n"
    layer = named("validation")
    assert run(program, simulator_environment, loader=layer).stdout == "0x7800000c\n"


@pytest.mark.parametrize("way", ["tracing", "newest-tracing"])
def test_a_tracer_sees_what_the_driver_answers(way: str, passes: Passes) -> None:
    passes("traced", VADD, loader=named(way))


@pytest.mark.parametrize("host", ["vadd", "launches", "modules", "virtual_memory", "memory"])
def test_the_newest_layers_checkers_find_no_leak_and_no_misused_event(
    host: str, passes: Passes
) -> None:
    modules = [] if host == "memory" else [VADD]
    layer = named("newest-checkers")
    errors = passes(host, *modules, loader=layer)
    assert "zeContextCreate = 1" in errors  # of its table
    assert "LEAK" not in errors and "arning" not in errors


@pytest.mark.parametrize("way", ["return", "exit", "quick"])
@pytest.mark.parametrize("debugging", ["0", "1"])
def test_a_program_may_leave_while_a_kernel_runs(
    way: str,
    debugging: str,
    host_program: Callable[[str], Path],
    simulator_environment: dict[str, str],
) -> None:
    environment = simulator_environment | {"ZET_ENABLE_PROGRAM_DEBUGGING": debugging}
    started = time.monotonic()
    finished = run(host_program("early_exit"), environment, VADD, way)
    assert finished.returncode == 0, finished.stderr
    assert "early_exit: ok\n" in finished.stdout
    assert ("exit handler: ok" in finished.stdout) == (way == "exit")
    assert time.monotonic() - started < 10


def test_a_page_fault_loses_the_device_and_says_where(
    loader: Loader,
    passes: Passes,
) -> None:
    errors = passes("device_lost", VADD, loader=loader)
    [line] = errors.splitlines()
    assert line.startswith("libze_sim_gpu: the device is lost: kernel vadd")
    assert "page fault writing global memory at 0x123456789000" in line


def test_an_instruction_that_is_refused_fails_its_launch_and_no_other(
    loader: Loader,
    passes: Passes,
    tmp_path: Path,
) -> None:
    module = Module.open(VADD)
    code = module.section(".text.vadd")
    assert code is not None
    first = module.section_bytes(code)[:64]
    broken = tmp_path / "broken.zebin"
    broken.write_bytes(VADD.read_bytes().replace(first, bytes(64)))  # no opcode is 0
    errors = passes("refused", broken, VADD, loader=loader)
    lines = errors.splitlines()
    assert len(lines) == 4  # launches that failed by themselves
    for line in lines:
        assert line.startswith(
            "libze_sim_gpu: a launch failed, and what waits for it: kernel vadd, thread "
        )
        assert "illegal" in line


def test_files_that_are_no_module_of_this_device_are_refused_in_one_line(
    host_program: Callable[[str], Path], simulator_environment: dict[str, str], tmp_path: Path
) -> None:
    whole = VADD.read_bytes()
    bad = {
        "truncated": whole[: len(whole) // 2],
        "text": b"not a module\n",
        "byte": b"\x7f",
        "other_machine": whole[:18] + b"\x3e\x00" + whole[20:],
    }
    for name, contents in bad.items():
        (tmp_path / name).write_bytes(contents)
    files = [tmp_path / name for name in bad]
    finished = run(host_program("modules"), simulator_environment, VADD, *files)
    assert finished.returncode == 0, finished.stderr
    logs = [line for line in finished.stdout.splitlines() if line.startswith("log ")]
    assert len(logs) == len(bad)
    assert len(set(logs)) == len(bad), "each says what is wrong with it"


@pytest.fixture(scope="session")
def spirv_vadd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """vadd as SPIR-V, made by the system's compiler."""
    if shutil.which("ocloc") is None:
        pytest.skip("ocloc is not installed")
    directory = tmp_path_factory.mktemp("spirv")
    source = KERNELS / "src" / "vadd.cl"
    command = ["ocloc", "compile", "-q", "-spv_only", "-file", str(source), "-device", "dg2"]
    subprocess.run(
        [*command, "-output", "vadd", "-output_no_suffix"],
        cwd=directory,
        check=True,
        capture_output=True,
    )
    return directory / "vadd.spv"


def test_a_spirv_module_is_compiled_by_the_installed_compiler(
    spirv_vadd: Path,
    passes: Passes,
    tmp_path: Path,
) -> None:
    changed = {"TMPDIR": str(tmp_path), "XESIM_CACHE": ""}
    passes("vadd", spirv_vadd, **changed)
    assert list(tmp_path.iterdir()) == [], "no file is left"


@pytest.fixture
def counted_compiler(tmp_path: Path) -> Callable[[], tuple[Path, Callable[[], int]]]:
    """A compiler that takes any SPIR-V for vadd, and how often it was run."""

    def make() -> tuple[Path, Callable[[], int]]:
        runs, compiler = tmp_path / "runs", tmp_path / "ocloc"
        compiler.write_text(
            f'#!/bin/sh\necho >>{runs}\nwhile [ "$1" != -out_dir ]; do shift; done\n'
            f'cp {VADD} "$2/module.bin"\n'
        )
        compiler.chmod(0o755)
        return compiler, lambda: len(runs.read_bytes()) if runs.exists() else 0

    return make


def test_what_was_compiled_once_is_kept_for_other_processes(
    counted_compiler: Callable[[], tuple[Path, Callable[[], int]]],
    host_program: Callable[[str], Path],
    simulator_environment: dict[str, str],
    tmp_path: Path,
) -> None:
    compiler, runs = counted_compiler()
    spirv, cache = tmp_path / "module.spv", tmp_path / "cache" / "folder"
    spirv.write_bytes(b"\x03\x02\x23\x07" + bytes(16))
    given = simulator_environment | {"XESIM_OCLOC": str(compiler), "XESIM_CACHE": str(cache)}

    def launch() -> int:
        finished = run(host_program("vadd"), given, spirv)
        assert (finished.returncode, finished.stdout) == (0, "vadd: ok\n"), finished.stderr
        return runs()

    assert [launch(), launch()] == [1, 1]
    (kept,) = cache.iterdir()
    contents = kept.read_bytes()
    for damaged in (b"", contents[:40], contents[:-1], contents[:-9] + b"x" + contents[-8:]):
        kept.write_bytes(damaged)
        before = runs()
        assert launch() == before + 1, "a damaged file is not used"
        assert kept.read_bytes() == contents
    spirv.write_bytes(b"\x03\x02\x23\x07" + bytes(20))
    before = runs()
    assert [launch(), launch()] == [before + 1] * 2, "other SPIR-V is another module"
    os.utime(compiler, (1, 1))
    assert launch() == before + 2, "another compiler may make another module"
    assert all(file.suffix == ".zebin" for file in cache.iterdir())


@pytest.mark.parametrize("folder", ["", "/proc/nowhere/cache", "/dev/null"])
def test_where_nothing_can_be_kept_modules_are_compiled_each_time(
    folder: str,
    counted_compiler: Callable[[], tuple[Path, Callable[[], int]]],
    host_program: Callable[[str], Path],
    simulator_environment: dict[str, str],
    tmp_path: Path,
) -> None:
    compiler, runs = counted_compiler()
    spirv = tmp_path / "module.spv"
    spirv.write_bytes(b"\x03\x02\x23\x07" + bytes(16))
    given = simulator_environment | {"XESIM_OCLOC": str(compiler), "XESIM_CACHE": folder}
    for _ in range(2):
        finished = run(host_program("vadd"), given, spirv)
        assert (finished.returncode, finished.stdout) == (0, "vadd: ok\n"), finished.stderr
    assert runs() == 2


@pytest.mark.parametrize(
    ("compiler", "reason"),
    [
        ("/nowhere/ocloc", "/nowhere/ocloc cannot be run (No such file or directory)"),
        ("false", "false could not compile the SPIR-V"),
        ("true", "true compiled the SPIR-V but left no module"),
    ],
)
def test_a_spirv_module_without_a_working_compiler_is_refused_with_the_reason(
    compiler: str,
    reason: str,
    host_program: Callable[[str], Path],
    simulator_environment: dict[str, str],
    tmp_path: Path,
) -> None:
    module = tmp_path / "module.spv"
    module.write_bytes(b"\x03\x02\x23\x07" + bytes(16))
    environment = simulator_environment | {"XESIM_OCLOC": compiler}
    finished = run(host_program("vadd"), environment, module)
    assert finished.returncode == 1
    assert f"zeModuleCreate = 0x70000004: {reason}" in finished.stderr


def test_an_unknown_simulated_device_is_named(
    host_program: Callable[[str], Path], simulator_environment: dict[str, str]
) -> None:
    finished = run(host_program("vadd"), simulator_environment | {"XESIM_DEVICE": "gt9"}, VADD)
    assert finished.returncode == 1
    refusal = "XESIM_DEVICE=gt9 is not a simulated device; there are: " + " ".join(ALL)
    assert f"libze_sim_gpu: {refusal}\n" in finished.stderr


def test_a_number_of_host_cores_that_makes_no_sense_is_named(
    host_program: Callable[[str], Path], simulator_environment: dict[str, str]
) -> None:
    environment = simulator_environment | {"XESIM_HOST_CORES": "many"}
    finished = run(host_program("vadd"), environment, VADD)
    assert finished.returncode == 1
    assert (
        "libze_sim_gpu: XESIM_HOST_CORES=many is not a number of cores, 1 or more\n"
        in finished.stderr
    )
