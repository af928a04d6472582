"""Call frame information of committed modules: each row of it is that of readelf, each expression
that of llvm-dwarfdump."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass

import pytest

from tests.support.dwarf.dwarf_corpus import corpus_modules, zebin_files
from tests.support.dwarf.dwarf_dump import dump, same_expression
from tests.support.dwarf.relocated_elf import relocated_elf
from zedbg.dwarf import DebugInfo
from zedbg.dwarf.reading.frame_section import FrameEntry, Rule, RuleKind
from zedbg.zebin import Module

CORPUS = zebin_files()
NAMES = [f"{path.parent.name}-{path.stem}" for path in CORPUS]
_ENTRY = re.compile(r"^[0-9a-f]{8} [0-9a-f]{16} [0-9a-f]{16} (CIE|FDE) (.*)$")
_INSTRUCTION = re.compile(r"DW_CFA_(?:val_|def_cfa_)?expression: (?:reg(\d+) )?(.*)$", re.MULTILINE)
_CFA = -1  # stands for the CFA among registers


@dataclass
class PrintedEntry:
    """An FDE as readelf prints it: the code that it is for, and rows of cells by column."""

    low: int
    high: int
    rows: dict[int, dict[str, str]]


def printed_entries(relocated) -> list[PrintedEntry]:
    command = ["readelf", "--wide", "--debug-dump=frames-interp", str(relocated)]
    text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found: list[PrintedEntry] = []
    columns: list[str] = []
    is_function = False
    for line in text.splitlines():
        if entry := _ENTRY.match(line):
            is_function = entry[1] == "FDE"
            if is_function:
                low, high = (int(each, 16) for each in re.findall(r"[0-9a-f]{16}", entry[2])[-2:])
                found.append(PrintedEntry(low, high, {}))
        elif line.split()[:2] == ["LOC", "CFA"]:
            columns = line.split()[1:]
        elif is_function and line.strip():
            address, *cells = line.split()
            # Of several rows for one address the last one holds.
            found[-1].rows[int(address, 16)] = dict(zip(columns, cells, strict=True))
    return found


def cell(rule: Rule | None) -> str:
    """A rule as readelf prints it; it has no word for a register without one."""
    match rule:
        case None:
            return "u"
        case Rule(RuleKind.REGISTER, number):
            return f"r{number}"
        case Rule(RuleKind.OFFSET, offset):
            return f"c{offset:+d}"
        case Rule(RuleKind.VALUE_OFFSET, offset):
            return f"v{offset:+d}"
        case Rule(kind):
            words = {RuleKind.UNDEFINED: "u", RuleKind.SAME_VALUE: "s"}
            words |= {RuleKind.EXPRESSION: "exp", RuleKind.VALUE_EXPRESSION: "vexp"}
            return words[kind]


def hold_rows(entry: FrameEntry, printed: PrintedEntry) -> int:
    """The rows of one function are those that are printed; how many there are."""
    assert (entry.low, entry.high) == (printed.low, printed.high)
    defines_cfa = False
    for address, cells in printed.rows.items():
        row = entry.row_at(address)
        cfa = cells.pop("CFA")
        # readelf forgets that the CIE gave an expression.
        defines_cfa = defines_cfa or cfa == "exp"
        if defines_cfa:
            assert (cfa == "exp") == (row.cfa_expression is not None)
        if row.cfa_expression is None:
            assert cfa == f"r{row.cfa_register or 0}{row.cfa_offset:+d}"
        numbers = {
            name: entry.common.return_register if name == "ra" else int(name[1:]) for name in cells
        }
        assert {name: cell(row.rules.get(number)) for name, number in numbers.items()} == cells
        assert set(row.rules) <= set(numbers.values())
    return len(printed.rows)


def expressions_of(entry: FrameEntry, printed: PrintedEntry) -> set[tuple[int, bytes]]:
    """Every expression in the rows of a function, with the register that it is for."""
    found: set[tuple[int, bytes]] = set()
    for address in printed.rows:
        row = entry.row_at(address)
        found |= {(number, rule.expression) for number, rule in row.rules.items()}
        found.add((_CFA, row.cfa_expression or b""))
    return {each for each in found if each[1]}


def hold_module(module: Module, relocated) -> int:
    """How many rows there are, all of which are the other readers'."""
    relocated.write_bytes(relocated_elf(module))
    entries = DebugInfo.of(module).frames.entries
    printed = sorted(printed_entries(relocated), key=lambda each: each.low)
    assert len(entries) == len(printed)
    held = 0
    ours: set[tuple[int, bytes]] = set()
    for entry, each in zip(entries, printed, strict=True):
        held += hold_rows(entry, each)
        ours |= expressions_of(entry, each)
    theirs = {
        (int(number) if number else _CFA, text)
        for number, text in _INSTRUCTION.findall(dump(relocated, "--debug-frame"))
    }
    for number, expression in ours:
        assert any(each == number and same_expression(expression, text) for each, text in theirs)
    return held


@pytest.mark.parametrize("path", CORPUS, ids=NAMES)
def test_rows_are_those_of_other_readers(path, tmp_path):
    module = Module.open(path)
    held = hold_module(module, tmp_path / path.name)
    assert held or module.section(".debug_frame") is None


@pytest.mark.parametrize("archive", corpus_modules(), ids=str)
def test_rows_of_the_corpus_are_those_of_other_readers(archive, tmp_path):
    modules = list(archive.modules())
    assert len(modules) >= 5
    for module in modules:
        held = hold_module(module, tmp_path / "relocated")
        assert held or module.section(".debug_frame") is None
