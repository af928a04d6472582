"""Code of the processor: compared with objdump over ranges of programs, and at a stop in zedbg."""

import re
import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from hypothesis import given
from hypothesis import strategies as st

from zedbg.host.disassembly import disassemble

LINE = re.compile(r"^\s*([0-9a-f]+):\t(.*)$", re.MULTILINE)
BRANCH = re.compile(r"((?:call|j\w+|loop\w*|xbegin) +)(?:0x)?([0-9a-f]+)$")
# Prefixes and operands that are implied are written by one of both only.
PREFIXES = re.compile(r"((data16|cs|rep\w*|bnd|notrack|lock|rex\S*)( +|$))*")
NOT_COMPARED = re.compile(r"nop|xchg|f\w|(stos|movs|scas|cmps|lods)\b|\.byte|$")
TOKEN = re.compile(r"[-+] ?(?=\d)|[a-z]\w*|\d\w*")


def meaning(text):
    """Mnemonic, registers, sizes and numbers of an instruction in their order; without the zeros
    and ones that Intel's syntax leaves out or not, and with numbers as signed ones."""
    text = re.sub(r"\s*[<#].*", "", text.lower()).strip()
    text = PREFIXES.sub("", text, count=1)
    text = BRANCH.sub(lambda found: f"{found[1]}0x{found[2]}", text)
    found, sign = [], 1
    for token in TOKEN.findall(text):
        if token[0] in "+-":
            sign = -1 if token[0] == "-" else 1
        elif token[0].isdigit():
            number = int(token, 0) * sign
            for bits in (64, 32, 16, 8):
                if (1 << bits) - (1 << bits - 1) <= number < 1 << bits:
                    number -= 1 << bits
            found += [number] if number not in (0, 1) else []
            sign = 1
        elif token not in ("ptr", "ds"):
            found.append({"movabs": "mov"}.get(token, token))
    return found


def instructions(path, size):
    """Of each instruction in the first bytes of the code: what zedbg says, and what objdump."""
    with Path(path).open("rb") as file:
        section = ELFFile(file).get_section_by_name(".text")
        code, base = section.data()[:size], section["sh_addr"]
    ours = {each.address: each.text for each in disassemble(code, base)}
    until = f"--stop-address={base + len(code) - 32:#x}"
    words = ["objdump", "-d", "-M", "intel", "-j", ".text", "--no-show-raw-insn", until, path]
    text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return [(ours.get(int(found[1], 16), ""), found[2]) for found in LINE.finditer(text)]


@pytest.mark.cases(0)
@pytest.mark.parametrize(
    ("path", "size"),
    [("/lib/x86_64-linux-gnu/libc.so.6", size) for size in (1 << 15, 1 << 21)]
    + [("/usr/bin/gdb", 1 << 19)],
)
def test_instructions_are_those_of_objdump(path, size):
    found = [
        (ours, theirs)
        for ours, theirs in instructions(path, size)
        if not NOT_COMPARED.match(PREFIXES.sub("", theirs, count=1))
    ]
    assert len(found) > size / 10
    assert [pair for pair in found if meaning(pair[0]) != meaning(pair[1])] == []


@given(st.binary(max_size=80))
def test_any_bytes_are_instructions_or_bad(code):
    at = 0x1000
    for each in disassemble(code, at):
        assert each.address == at
        at += len(each.code)
    assert 0x1000 + len(code) - at < 15
