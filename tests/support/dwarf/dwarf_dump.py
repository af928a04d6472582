"""What llvm-dwarfdump says of debug information, as data to compare zedbg's reading with."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from zedbg.dwarf.expressions.operations import decode

_DIE = re.compile(r"^0x([0-9a-f]{8,16}):( +)(DW_TAG_\w+|NULL)", re.MULTILINE)
# Ranges end with a bracket, too: an attribute's end is in front of the next one, or of a gap.
_ATTRIBUTE = re.compile(r"^ +(DW_AT_\w+)\t\((.*?)\)(?=\n *DW_AT|\n\n|\n?\Z)", re.M | re.S)
_ENTRY = re.compile(r"(?:\[0x([0-9a-f]+), 0x([0-9a-f]+)\)|<default>): (.*)$", re.MULTILINE)
_RANGE = re.compile(r"\[0x([0-9a-f]+), 0x([0-9a-f]+)\)")
_ROW = re.compile(r"^0x([0-9a-f]{16}) +(\d+) +(\d+) +\d+ +\d+ +\d+ +(.*)$", re.MULTILINE)
_UNDECODED = "<decoding error> "
EVERYWHERE = (0, 0xFFFFFFFFFFFFFFFF)


def dump(path: Path, what: str) -> str:
    """The output of llvm-dwarfdump for ``path``; ``what`` is an option of it."""
    tool = shutil.which("llvm-dwarfdump")
    assert tool is not None, "llvm-dwarfdump is not installed"
    command = [tool, what, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def dumped_rows(path: Path) -> list[tuple[int, int, int, bool, bool, bool]]:
    """Every row of the line tables: address, line, column, whether it begins a statement, whether
    it is after a prologue, and whether it ends a sequence."""
    return [
        (
            int(address, 16),
            int(line),
            int(column),
            # The end of a sequence is no statement, whatever the dump shows for it.
            "is_stmt" in flags and "end_sequence" not in flags,
            "prologue_end" in flags,
            "end_sequence" in flags,
        )
        for address, line, column, flags in _ROW.findall(dump(path, "--debug-line"))
    ]


@dataclass
class DumpedDie:
    """One DIE of the dump; attributes are the text in their brackets."""

    offset: int
    tag: str
    attributes: dict[str, str]
    parent: DumpedDie | None = None
    children: list[DumpedDie] = field(default_factory=list)

    def text(self, name: str) -> str:
        """The quoted part of an attribute; empty when there is none."""
        match = re.search(r'"(.*)"', self.attributes.get(name, ""), re.DOTALL)
        return match[1] if match else ""

    def number(self, name: str) -> int:
        """An attribute that is a number, or begins with one; 0 when it is absent."""
        match = re.match(r"(?:0x)?[0-9a-f]+", self.attributes.get(name, ""))
        return int(match[0], 0) if match else 0

    def ranges(self) -> tuple[tuple[int, int], ...]:
        """The code that the DIE says is its."""
        if "DW_AT_low_pc" in self.attributes and "DW_AT_high_pc" in self.attributes:
            pairs = [(self._address("DW_AT_low_pc"), self._address("DW_AT_high_pc"))]
        else:
            found = _RANGE.findall(self.attributes.get("DW_AT_ranges", ""))
            pairs = [(int(low, 16), int(high, 16)) for low, high in found]
        return tuple(sorted(pair for pair in pairs if pair[0] < pair[1]))

    def _address(self, name: str) -> int:
        # An index comes before the address: "indexed (00000001) address = 0x0000000000001130".
        return int(re.findall(r"0x([0-9a-f]+)", self.attributes[name])[-1], 16)

    def locations(self) -> tuple[tuple[int, int, str], ...]:
        """The location list: first address, that after the last, expression as the dump has it."""
        text = self.attributes.get("DW_AT_location", "")
        found = [
            (*((int(low, 16), int(high, 16)) if low else EVERYWHERE), expression)
            for low, high, expression in _ENTRY.findall(text)
        ]
        return tuple(each for each in found if each[0] < each[1])

    def expression(self) -> str | None:
        """The location, when it is one expression for everywhere."""
        text = self.attributes.get("DW_AT_location")
        return None if text is None or "\n" in text or text.startswith("0x") else text


def dies_of(text: str) -> list[DumpedDie]:
    """Every DIE of a dump by ``--debug-info``, with its children."""
    starts = list(_DIE.finditer(text))
    ends = [match.start() for match in starts[1:]] + [len(text)]
    found: list[DumpedDie] = []
    around: list[tuple[int, DumpedDie]] = []
    for match, end in zip(starts, ends, strict=True):
        if match[3] == "NULL":
            continue
        depth = len(match[2])
        attributes = dict(_ATTRIBUTE.findall(text[match.end() : end]))
        while around and around[-1][0] >= depth:
            around.pop()
        parent = around[-1][1] if around else None
        die = DumpedDie(int(match[1], 16), match[3], attributes, parent)
        if parent is not None:
            parent.children.append(die)
        around.append((depth, die))
        found.append(die)
    return found


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(each, 0) for each in re.findall(r"[+-]?(?:0x[0-9a-f]+|\d+)", text))


def dumped_operations(text: str) -> Iterator[tuple[object, ...]]:
    """The operators of an expression in the dump, as :func:`operations` writes them."""
    known, _, rest = text.partition(_UNDECODED)
    while nested := re.search(r"DW_OP_(?:GNU_)?entry_value\(([^()]*)\)", known):
        inner = " ".join(repr(each) for each in dumped_operations(nested[1]))
        known = known[: nested.start()] + f"ENTRY<{inner}>" + known[nested.end() :]
    for part in re.split(r", (?=DW_OP|ENTRY|$)", known):
        if part.startswith("ENTRY"):
            yield "entry_value", part[6:-1]
            continue
        match = re.fullmatch(r"DW_OP_(?:GNU_)?([a-z_]+?)(\d*[us]?)(?: (.*))?", part.strip())
        if match is None:
            assert not part.strip(), f"unread: {part}"
            continue
        name, suffix, operands = match[1], match[2], match[3] or ""
        if name == "lit":
            yield "constu", int(suffix)
        elif name == "reg" and suffix:
            yield "regx", int(suffix)
        elif name == "breg" and suffix:
            yield "bregx", int(suffix), int(re.findall(r"[+-]\d+", operands)[-1])
        elif name == "implicit_value":
            yield name, bytes(_numbers(operands)[1:])
        elif name in ("convert", "reinterpret"):
            yield (name,)  # the dump has the type's place in the file here
        else:
            yield name + suffix, *_numbers(operands)
    if rest:
        yield "undecoded", bytes.fromhex(rest)


def operations(expression: bytes, undecoded: int | None = None) -> Iterator[tuple[object, ...]]:
    """The operators of ``expression`` as zedbg reads them; ``undecoded``: how many bytes at its end
    the dump leaves as they are."""
    end = len(expression) - (undecoded or 0)
    for each in decode(expression[:end]):
        if each.name == "entry_value":
            yield each.name, " ".join(repr(one) for one in operations(each.block))
        elif each.name == "implicit_value":
            yield each.name, each.block
        elif each.name in ("convert", "reinterpret"):
            yield (each.name,)
        else:
            yield each.name, *each.operands
    if undecoded:
        yield "undecoded", expression[end:]


def same_expression(expression: bytes, dumped: str) -> bool:
    """Whether the dump has the same operators as zedbg reads."""
    theirs = list(dumped_operations(dumped))
    undecoded = theirs[-1][1] if theirs and theirs[-1][0] == "undecoded" else b""
    assert isinstance(undecoded, bytes)
    if not expression.endswith(undecoded):
        return False
    return list(operations(expression, len(undecoded))) == theirs
