"""Scopes, variables, their locations and types in modules, compared with llvm-dwarfdump."""

import pytest

from tests.support.dwarf.dwarf_corpus import corpus_modules, zebin_files
from tests.support.dwarf.dwarf_dump import dies_of, dump
from tests.support.dwarf.dwarf_reading import hold_against_dump
from tests.support.dwarf.relocated_elf import relocated_elf
from zedbg.dwarf import DebugInfo
from zedbg.zebin import Module

CORPUS = zebin_files()
NAMES = [f"{path.parent.name}-{path.stem}" for path in CORPUS]


def hold_module(module, path):
    """Compares everything; gives what was compared, by kind."""
    path.write_bytes(relocated_elf(module))
    info = DebugInfo.of(module)
    counts = hold_against_dump(info, path)
    hold_types(info, path, module.name)
    return counts


def hold_types(info, path, name):
    """The named structures are the dumped ones, whether a variable has such a type or not."""
    dies = dies_of(dump(path, "--debug-info"))
    dumped = {
        (
            die.text("DW_AT_name"),
            die.number("DW_AT_byte_size"),
            tuple(
                (member.text("DW_AT_name"), member.number("DW_AT_data_member_location"))
                for member in die.children
                if member.tag == "DW_TAG_member"
            ),
        )
        for die in dies
        if die.tag in ("DW_TAG_structure_type", "DW_TAG_union_type") and die.children
    }
    ours = {
        (kind.name.split(" ")[-1], kind.size, tuple((m.name, m.offset) for m in kind.members))
        for kind in info.named_types.values()
        if hasattr(kind, "members") and kind.members
    }
    assert ours == {each for each in dumped if each[0]}, name


@pytest.mark.parametrize("path", CORPUS, ids=NAMES)
def test_scopes_variables_locations_and_types_are_the_dumped_ones(path, tmp_path):
    counts = hold_module(Module.open(path), tmp_path / path.name)
    assert counts["DW_TAG_subprogram"] >= 1


@pytest.mark.parametrize("archive", corpus_modules(), ids=str)
def test_those_of_the_corpus_are_the_dumped_ones(archive, tmp_path):
    held = [hold_module(module, tmp_path / "relocated") for module in archive.modules()]
    assert len(held) >= 5
    assert all(counts["DW_TAG_subprogram"] >= 1 for counts in held)
