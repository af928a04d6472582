"""Modules that ocloc makes here, for every device that it knows, against readelf and ourselves.

The default run takes a few devices; with ZEDBG_FULL_CORPUS=1 it takes all. Beside the installed
compiler it takes the one that ZEDBG_NEWEST_OCLOC names.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.places import KERNELS
from zedbg.zebin import Module
from zedbg.zebin.arguments import kernel_arguments
from zedbg.zebin.fat_binary import FatBinary
from zedbg.zebin.formats import FileFormat, identify
from zedbg.zebin.patch_tokens import read_patch_tokens
from zedbg.zebin.payload import payload_map
from zedbg.zebin.products import PRODUCT_FAMILIES, grf_bytes
from zedbg.zebin.spirv import read_spirv
from zedbg.zebin.zeinfo_check import check

SOURCES = KERNELS / "src"
# ocloc lists names of families beside those of devices; these take several devices at once.
FAMILY = re.compile(r"gen\d+(lp)?|xe\d*p?(-.*)?|version|ip")
SAMPLE = ("skl", "tgllp", "dg2-g10", "pvc")
ZEBIN = ("-internal_options", "-cl-intel-allow-zebin")

pytestmark = pytest.mark.skipif(shutil.which("ocloc") is None, reason="ocloc is not installed")
COMPILERS = [each for each in ("ocloc", os.environ.get("ZEDBG_NEWEST_OCLOC")) if each]


def known_devices():
    """Compilers, and the devices that each says it knows."""
    return [
        pytest.param(compiler, device, id=f"{Path(compiler).name}{number}-{device}")
        for number, compiler in enumerate(COMPILERS)
        if shutil.which(compiler) is not None
        for device in _devices_of(compiler)
    ]


def _devices_of(compiler):
    done = subprocess.run([compiler, "compile", "--help"], capture_output=True, text=True)
    listed = re.search(r"<device_type> can be: (.*)", done.stdout + done.stderr)
    names = [] if listed is None else re.findall(r"[a-z][a-z0-9-]*", listed[1].split(" or ")[0])
    devices = [name for name in names if not FAMILY.fullmatch(name)]
    if os.environ.get("ZEDBG_FULL_CORPUS") == "1":
        return devices
    return [name for name in SAMPLE if name in devices] or devices[:4]


def compile_kernel(directory, source, device, *options, compiler="ocloc"):
    """The file that ocloc makes of ``source``."""
    shutil.copy(SOURCES / source, directory / source)
    command = [compiler, "compile", "-file", source, "-device", device, *options]
    done = subprocess.run(
        [*command, "-output", "out", "-output_no_suffix"],
        cwd=directory,
        capture_output=True,
        text=True,
    )
    made = [path for path in (directory / "out", directory / "out.bin") if path.exists()]
    assert made, done.stdout + done.stderr
    return made[0]


@pytest.mark.parametrize(("compiler", "device"), known_devices())
def test_a_module_for_every_device_is_understood(compiler, device, tmp_path):
    module = Module.open(compile_kernel(tmp_path, "vadd.cl", device, *ZEBIN, compiler=compiler))
    text = module.section_bytes(module.section(".ze_info")).decode()
    assert check(text) == []
    assert module.notes.product_family in PRODUCT_FAMILIES
    (kernel,) = module.kernels
    assert kernel.info.unknown == []
    assert [argument.name for argument in kernel_arguments(kernel.info)] == ["a", "b", "c", "n"]
    payload = payload_map(kernel.info, grf_bytes(module.notes))
    assert {field.argument_index for field in payload.fields} >= {0, 1, 2, 3}


def test_a_32_bit_module_has_the_sections_and_symbols_that_readelf_lists(tmp_path):
    path = compile_kernel(tmp_path, "printf.cl", "dg2-g10", "-32", *ZEBIN)
    module = Module.open(path)
    assert module.address_bits == 32
    readelf = shutil.which("readelf") or pytest.skip("readelf is not installed")
    listed = subprocess.run([readelf, "-WSs", path], capture_output=True, text=True).stdout
    sections = re.findall(r"\[ *\d+\] (\S+) +\S+ +[0-9a-f]{8} ([0-9a-f]+) ([0-9a-f]+) ", listed)
    assert [(name, int(offset, 16), int(size, 16)) for name, offset, size in sections] == [
        (s.name, s.offset, s.size) for s in module.sections[1:]
    ]
    symbols = re.findall(r"\d+: [0-9a-f]{8} +(\d+) FUNC .* (\S+)$", listed, re.MULTILINE)
    assert sorted((name, int(size)) for size, name in symbols) == sorted(
        (s.name, s.size) for s in module.symbols if s.is_function
    )
    assert module.relocations
    assert {entry.symbol for entry in module.relocations} >= {".str"}


def test_fat_binaries_open_member_by_member(tmp_path):
    path = compile_kernel(tmp_path, "vadd.cl", "dg2-g10,dg2-g11", *ZEBIN)
    fat = FatBinary(path.read_bytes(), "fat")
    assert [member.target for member in fat.members] == ["12.55.8", "12.56.5"]
    for member in fat.members:
        module = Module.from_bytes(fat.member_bytes(member), member.name)
        assert module.kernel_names == ["vadd"]
    command = [sys.executable, "-m", "zedbg.frontends.main", "inspect", path]
    done = subprocess.run(
        [*command, "--device", "12.56", "--kernel", "vadd", "--json"],
        capture_output=True,
        text=True,
    )
    rows = json.loads(done.stdout)["rows"]
    assert [(row["kind"], row["name"]) for row in rows] == [("kernel", "vadd")]


def test_patch_token_binaries_and_their_debug_data_name_their_kernels(tmp_path):
    path = compile_kernel(tmp_path, "private.cl", "skl", "-options", "-g -cl-std=CL2.0")
    data = path.read_bytes()
    assert identify(data) is FileFormat.PATCH_TOKEN_PROGRAM
    names = {kernel.name for kernel in read_patch_tokens(data, "old").kernels}
    assert names == {"priv", "privsmall"}
    debug_data = next(tmp_path.glob("*.dbg")).read_bytes()
    assert identify(debug_data) is FileFormat.PATCH_TOKEN_DEBUG
    debugged = read_patch_tokens(debug_data, "old.dbg").kernels
    assert {kernel.name for kernel in debugged} >= names
    for kernel in debugged:
        elf = debug_data[kernel.offset : kernel.offset + kernel.size]
        assert identify(elf) is FileFormat.GEN_ELF
    spirv = next(tmp_path.glob("*.spv")).read_bytes()
    assert set(read_spirv(spirv, "spirv").kernels) == names
