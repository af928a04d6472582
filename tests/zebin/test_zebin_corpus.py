"""Every committed zebin, compared with readelf and a whole parse of its YAML."""

import re
import shutil
import subprocess
from dataclasses import asdict

import pytest
import yaml

from tests.support.packed_modules import ZEBINS
from zedbg.xe.devices import DEVICES
from zedbg.zebin import Module
from zedbg.zebin.products import instruction_set_of
from zedbg.zebin.zeinfo import PayloadArgument

CORPUS = sorted(ZEBINS.glob("*/*.zebin"))
NAMES = [f"{path.parent.name}/{path.stem}" for path in CORPUS]


def readelf(option, path):
    tool = shutil.which("readelf")
    if tool is None:
        pytest.skip("readelf is not installed")
    return subprocess.run(
        [tool, "-W", option, path], capture_output=True, text=True, check=False
    ).stdout


@pytest.mark.parametrize("path", CORPUS, ids=NAMES)
def test_sections_are_those_that_readelf_lists(path):
    pattern = re.compile(r"\[ *(\d+)\] (\S*) +\S+ +([0-9a-f]{16}) ([0-9a-f]+) ([0-9a-f]+) ")
    listed = [
        (int(index), name, int(offset, 16), int(size, 16))
        for index, name, _address, offset, size in pattern.findall(readelf("-S", path))
        if index != "0"
    ]
    sections = Module.open(path).sections
    assert listed == [(s.index, s.name, s.offset, s.size) for s in sections[1:]]


@pytest.mark.parametrize("path", CORPUS, ids=NAMES)
def test_function_symbols_are_those_that_readelf_lists(path):
    pattern = re.compile(
        r"\d+: ([0-9a-f]{16}) +(0x[0-9a-f]+|\d+) FUNC .* (\d+) (\S+)$", re.MULTILINE
    )
    module = Module.open(path)
    listed = {
        (name, int(value, 16) + module.sections[int(section)].address, int(size, 0))
        for value, size, section, name in pattern.findall(readelf("-s", path))
    }
    assert listed
    assert listed == {(s.name, s.address, s.size) for s in module.symbols if s.is_function}


@pytest.mark.parametrize("path", CORPUS, ids=NAMES)
def test_kernels_parsed_one_by_one_equal_a_whole_parse(path):
    module = Module.open(path)
    section = module.section(".ze_info")
    whole = yaml.load(module.section_bytes(section), Loader=yaml.BaseLoader)
    assert module.zeinfo.version == whole["version"]
    # A stub that the compiler adds to export symbols is listed as a kernel, and is none.
    kernels = [k for k in whole["kernels"] if k["name"] != "Intel_Symbol_Table_Void_Program"]
    assert module.kernel_names == [kernel["name"] for kernel in kernels]
    for expected in kernels:
        info = module.kernel(expected["name"]).info
        environment = expected["execution_env"]
        assert info.execution.simd_size == int(environment["simd_size"])
        assert info.execution.grf_count == int(environment["grf_count"])
        assert info.execution.slm_size == int(environment.get("slm_size", 0))
        assert [as_strings(argument) for argument in info.payload_arguments] == expected.get(
            "payload_arguments", []
        )
        buffers = [(b.type, b.usage, str(b.size)) for b in info.per_thread_memory_buffers]
        assert buffers == [
            (b["type"], b["usage"], b["size"])
            for b in expected.get("per_thread_memory_buffers", [])
        ]
    described = {k["name"]: k for k in whole.get("kernels_misc_info", [])}
    for misc in (described[k["name"]] for k in kernels if k["name"] in described):
        arguments = module.kernel(misc["name"]).arguments
        assert [(str(a.index), a.name, f"{a.type_name};{a.type_size}") for a in arguments] == [
            (a["index"], a.get("name"), a["type_name"]) for a in misc.get("args_info", [])
        ]


def as_strings(argument):
    """The fields of an argument that differ from their defaults, as the file writes them."""
    default = asdict(PayloadArgument())
    found = {}
    for key, value in asdict(argument).items():
        if key == "extra":
            found |= value
        elif value != default[key] or key in ("offset", "size"):
            found[key] = str(value).lower() if isinstance(value, bool) else str(value)
    return found


@pytest.mark.parametrize("path", CORPUS, ids=NAMES)
def test_nothing_that_the_compilers_write_is_unknown(path):
    for kernel in Module.open(path).kernels:
        info = kernel.info
        records = [info, info.execution, info.user_attributes, info.experimental, info.debug]
        records += [*info.payload_arguments, *info.per_thread_payload_arguments, *info.arguments]
        records += [*info.per_thread_memory_buffers, *info.inline_samplers]
        assert [record.extra for record in records if record.extra] == []


@pytest.mark.parametrize("path", CORPUS, ids=NAMES)
def test_every_address_of_the_code_finds_its_kernel_and_function(path):
    module = Module.open(path)
    for kernel in module.kernels:
        assert module.kernel_at(kernel.address).name == kernel.name
        assert module.kernel_at(kernel.end - 1).name == kernel.name
        after = module.kernel_at(kernel.end)  # there may be one, after code of whole pages
        assert after is None or after.address == kernel.end
        assert kernel.address < kernel.entry < kernel.end
    functions = [s for s in module.symbols if s.is_function and s.size and s.name != "_entry"]
    for symbol in functions:
        assert module.symbol_at(symbol.address) == symbol
        last = symbol.address + symbol.size - 1
        around = [s for s in functions if s.address <= last < s.address + s.size]
        assert module.symbol_at(last) == max(around, key=lambda s: s.address)


@pytest.mark.parametrize("path", CORPUS, ids=NAMES)
def test_notes_name_the_device_and_the_compiler(path):
    module = Module.open(path)
    device = DEVICES[path.parent.name.split("-")[1]]
    assert module.notes.product_family == device.product_family
    assert instruction_set_of(module.notes) is device.platform
    assert module.notes.generator == "IGC"
    assert module.notes.zebin_version == module.zeinfo.version
    if path.parent.name.startswith("igc2"):
        # Each device of the family has a version of its own: compiled for one or its kin.
        assert module.notes.ip_version.architecture == device.ip_version[0]
        assert module.notes.ip_version.release // 10 == device.ip_version[1] // 10
    debuggable = not path.parent.name.endswith("nodebug")
    assert module.build_options is None or ("-g" in module.build_options) == debuggable
