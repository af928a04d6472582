"""What a send accesses, against what Intel's disassembler says of the same descriptor."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.support.xe.intel_disassembler import sections
from zedbg.xe.data_cache_message import data_cache_message
from zedbg.xe.data_message import Access, AddressModel, AddressOrder, DataMessage, SendWords
from zedbg.xe.decoding import decode
from zedbg.xe.isa.names import SharedFunction
from zedbg.xe.isa.platform import Platform
from zedbg.xe.load_store_message import load_store_message

LINE = re.compile(r"/\* \[([0-9A-F]+)\] +\*/ *(?:\([^)]*\) *)?(\S+)(.*)")
LOAD_STORE = re.compile(
    r"(load|store|atomic)\w*\.(ugm|slm)\.d(\d+)(?:u32h?)?(?:x(\d+))?(t?)\.a(\d+)(?:\.\w\w\.\w\w)?$"
)
SURFACE = re.compile(r" (bss|ss|bti)\[(?:a0\.)?(\d+)\]\[")
DATA_CACHE = re.compile(
    r"\((?P<lanes>\d+)\|.*wr:\d+h?\+(?P<wrote>\d+), rd:(?P<got>\d+); "
    r"(?P<flat>a64 |untyped a64 )?(?:untyped )?"
    r"(?:(?P<block>[ho])word (?P<scratch>scratch )?(?:aligned )?block (?P<way>read|write)"
    r" x(?P<count>\d+)"
    r"|(?:un)?aligned (?P<a64block>[ho])word block (?P<a64way>read|write) x(?P<a64count>\d+)"
    r"|(?P<unit>byte|dword|qword) (?P<scatter>gathering read|scattering write)(?: (?P<bits>\d+)b)?"
    r"|surface (?P<surface>read|write) with (?P<components>[xyzw]+)"
    r"|(?:float )?atomic .*?(?P<width>16|32|64)b?\b"
    r"|float atomic .*\((?P<float>\d+)b\)"
    r"|(?P<image>typed surface|media block) (?P<typed>read|write))"
)
XE_HPG_REGISTER = 32  # bytes
NO_ACCESS = re.compile(r"fence|end of thread|barrier|sampl|sync")


def named_by_load_store(name: str, rest: str) -> DataMessage | None:
    """The message that the mnemonic of a message to the load/store cache stands for."""
    match = LOAD_STORE.match(name)
    if match is None:
        return None
    operation, function, bits, count, transposed, address = match.groups()
    access = {"load": Access.READ, "store": Access.WRITE, "atomic": Access.ATOMIC}[operation]
    model, surface = AddressModel.FLAT, 0
    named = SURFACE.search(rest)
    if named is not None:
        kinds = {"bss": AddressModel.HEAP_SURFACE, "ss": AddressModel.SCRATCH_SURFACE}
        model = kinds.get(named[1], AddressModel.BINDING_TABLE)
        surface = 0 if named[1] != "bti" else int(named[2])
        if surface == 255:
            model, surface = AddressModel.STATELESS, 0
    elif function == "slm":
        model = AddressModel.LOCAL
    size, elements = int(bits) // 8, int(count or 1)
    # Loads and stores of one element a lane may lie anywhere: docs/simulated-gpu.md, "Addresses
    # that messages take".
    anywhere = elements == 1 and not transposed and access is not Access.ATOMIC
    return DataMessage(
        access,
        model,
        AddressOrder.BLOCK if transposed else AddressOrder.PER_LANE,
        surface,
        address_bytes=int(address) // 8,
        extent=size * elements,
        alignment=1 if anywhere else size,
    )


def named_by_data_cache(text: str) -> tuple[Access, bool, int] | None:
    """Access, whether addresses are flat, and bytes, as the comment on a message to the data cache
    has them; no bytes of an image."""
    match = DATA_CACHE.search(text)
    if match is None:
        return None
    each = match.groupdict()
    flat = bool(each["flat"])
    way = each["way"] or each["a64way"] or each["scatter"] or each["surface"] or each["typed"]
    if way is None:
        return Access.ATOMIC, flat, int(each["width"] or each["float"]) // 8
    access = Access.WRITE if way.endswith("write") else Access.READ
    if each["image"]:
        return access, flat, 0
    if each["bits"]:
        size = int(each["bits"]) // 8
    elif each["unit"]:  # several for each lane, as many as there are registers for
        registers = int(each["wrote"]) or int(each["got"])
        size = registers * XE_HPG_REGISTER // max(int(each["lanes"]), 8)
    elif each["components"]:
        size = 4 * ("xyzw".index(each["components"][-1]) + 1)
    else:
        word = each["block"] or each["a64block"]
        count = int(each["count"] or each["a64count"])
        size = {"h": 32, "o": 16}[word] * count
    return access, flat, size


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("build", "platform", "least"),
    [
        ("igc1-dg2-O0", Platform.XE_HPG, 1000),
        ("igc1-dg2-O2", Platform.XE_HPG, 1000),
        ("igc2-dg2-O2", Platform.XE_HPG, 1000),
        ("igc1-pvc-O2", Platform.XE_HPC, 1000),
    ],
)
def test_messages_are_what_the_disassembler_calls_them(
    build: str, platform: Platform, least: int, tmp_path: Path
) -> None:
    compared = 0
    for name, code in sections(build):
        file = tmp_path / "code.krn"
        file.write_bytes(code)
        command = ["iga64", "-d", f"-p={platform.value}", "-Xprint-pc", "-Xprint-ldst", str(file)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        for line in filter(None, map(LINE.match, run.stdout.splitlines())):
            at, mnemonic, rest = int(line[1], 16), line[2], line[3]
            send = decode(platform, code[at : at + 16]).send
            if send is None or send.descriptor is None:
                continue
            words = SendWords(
                platform,
                send.function,
                send.descriptor,
                send.extended_descriptor or 0,
                send.extended_descriptor is None,
                send.extended_bindless_offset,
                send.extended_offset,
            )
            where = f"{build}/{name} {at:#x}: {mnemonic}{rest}"
            if send.function in (SharedFunction.DC0, SharedFunction.DC1):
                message = data_cache_message(words)
                expected = named_by_data_cache(rest)
                if expected is None:
                    assert message is None and NO_ACCESS.search(rest), where
                    continue
                assert message is not None, where
                flat = message.model is AddressModel.FLAT
                assert (message.access, flat, message.extent) == expected, where
            elif send.function in (SharedFunction.UGM, SharedFunction.SLM):
                named = named_by_load_store(mnemonic, rest)
                if named is None:
                    assert load_store_message(words) is None and NO_ACCESS.search(rest), where
                    continue
                assert load_store_message(words) == named, where
            compared += 1
    assert compared > least
