"""Instructions of the processor as text, by Capstone: in Intel's syntax, for x86-64."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import capstone

LONGEST = 15  # bytes of an instruction (Intel SDM, volume 2, 2.3.11)
_BRANCH = re.compile(r"(?:bnd )?(?:call|j\w+|loop\w*|xbegin)$")
_RELATIVE = re.compile(r"\[rip(?: ([+-]) (0x[0-9a-f]+|\d+))?\]")
_BAD = "(bad)"  # as GDB calls bytes that are no instruction


@dataclass(frozen=True)
class HostInstruction:
    """An instruction. ``targets``: where a branch goes, as far as the instruction says it."""

    address: int
    code: bytes
    text: str
    targets: tuple[int, ...] = ()


def disassemble(
    code: bytes, address: int, name: Callable[[int], str | None] = lambda _address: None
) -> Iterator[HostInstruction]:
    """The instructions in ``code``, which lies at ``address``; what is none is a byte of its own.
    ``name`` gives the name of an address, as ``<main+4>``. The last one may be cut off: it is left
    out."""
    decoder = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
    at = 0
    while at < len(code):
        found = next(decoder.disasm_lite(code[at : at + LONGEST], address + at, 1), None)
        if found is None:
            if len(code) - at < LONGEST:
                return
            yield HostInstruction(address + at, code[at : at + 1], _BAD)
            at += 1
            continue
        here, size, mnemonic, operands = found
        yield _instruction(here, code[at : at + size], mnemonic, operands, name)
        at += size


def _instruction(
    address: int, code: bytes, mnemonic: str, operands: str, name: Callable[[int], str | None]
) -> HostInstruction:
    text = f"{mnemonic} {operands}".rstrip()
    targets: tuple[int, ...] = ()
    relative = _RELATIVE.search(operands)
    if _BRANCH.match(mnemonic) and operands.startswith("0x"):
        target = int(operands, 16)
        targets = () if "call" in mnemonic else (target,)
        text += _after(name(target), " ")
    elif relative is not None:
        distance = int(relative[2] or "0", 0) * (-1 if relative[1] == "-" else 1)
        target = address + len(code) + distance
        text += f"  # {target:#x}{_after(name(target), ' ')}"
    return HostInstruction(address, code, text, targets)


def _after(name: str | None, separator: str) -> str:
    return "" if name is None else f"{separator}{name}"
