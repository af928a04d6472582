"""The calls that a compiler inlined into the code of the host (DWARF 5, 3.3.8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.die import DIE
from elftools.dwarf.dwarfinfo import DWARFInfo

from zedbg.host.code_ranges import code_ranges

_SUBPROGRAM = "DW_TAG_subprogram"
_INLINED = "DW_TAG_inlined_subroutine"
_BLOCK = "DW_TAG_lexical_block"
_NAMESPACE = "DW_TAG_namespace"
# What functions are declared in.
_SURROUNDINGS = (
    _NAMESPACE,
    "DW_TAG_class_type",
    "DW_TAG_structure_type",
    "DW_TAG_union_type",
)
_ORIGINS = ("DW_AT_abstract_origin", "DW_AT_specification")
_NAMES = ("DW_AT_linkage_name", "DW_AT_name")
_MOST_ORIGINS = 8
# Larger units take pyelftools seconds to read.
_LARGEST_UNIT = 4 << 20


@dataclass(frozen=True)
class InlinedCall:
    """``function`` (the linker's name, where it has one) was inlined where ``line`` of file number
    ``file`` of the unit calls it."""

    function: str | None
    file: int
    line: int


@dataclass(frozen=True)
class _Function:
    ranges: tuple[tuple[int, int], ...]
    entry: DIE


class InlinedCalls:
    """Those of one file; each unit is read when an address in it is asked for.

    Methods raise what pyelftools does on damage.
    """

    def __init__(self, information: DWARFInfo) -> None:
        self._information = information
        self._functions: dict[int, list[_Function]] = {}  # by the unit's offset

    def at(self, unit_offset: int, address: int) -> list[InlinedCall]:
        """The calls that the instruction at ``address`` of the file is inside of, innermost first;
        none in a unit that is very large."""
        unit = self._information.get_CU_at(unit_offset)
        if unit["unit_length"] > _LARGEST_UNIT:
            return []
        functions = self._functions.get(unit_offset)
        if functions is None:
            top = unit.get_top_DIE()
            functions = list(self._with_code(unit, top))
            self._functions[unit_offset] = functions
        holding = (each.entry for each in functions if _holds(each.ranges, address))
        entry, found = next(holding, None), []
        while entry is not None:
            if entry.tag == _INLINED:
                found.append(_call(entry))
            blocks = (
                each for each in unit.iter_DIE_children(entry) if each.tag in (_INLINED, _BLOCK)
            )
            inside = (
                each
                for each in blocks
                if _holds(code_ranges(self._information, unit, each), address)
            )
            entry = next(inside, None)
        return found[::-1]

    def _with_code(self, unit: CompileUnit, parent: DIE) -> Iterator[_Function]:
        for each in unit.iter_DIE_children(parent):
            if each.tag == _SUBPROGRAM:
                ranges = code_ranges(self._information, unit, each)
                if ranges:
                    yield _Function(ranges, each)
            elif each.tag == _NAMESPACE and each.has_children:
                # What is in classes is declared there, and has its code outside of them.
                yield from self._with_code(unit, each)


def _holds(ranges: tuple[tuple[int, int], ...], address: int) -> bool:
    return any(begin <= address < end for begin, end in ranges)


def _call(entry: DIE) -> InlinedCall:
    file, line = entry.attributes.get("DW_AT_call_file"), entry.attributes.get("DW_AT_call_line")
    return InlinedCall(
        _name(entry), 0 if file is None else file.value, 0 if line is None else line.value
    )


def _name(entry: DIE) -> str | None:
    """The name of the function that ``entry`` is of, by what it refers to."""
    for _ in range(_MOST_ORIGINS):
        linked, plain = (entry.attributes.get(each) for each in _NAMES)
        if linked is not None:
            return _text(linked.value)
        if plain is not None:
            return "::".join([*_surroundings(entry), _text(plain.value)])
        origin = next((each for each in _ORIGINS if each in entry.attributes), None)
        if origin is None:
            return None
        entry = entry.get_DIE_from_attribute(origin)
    return None


def _surroundings(entry: DIE) -> list[str]:
    """The names of what ``entry`` is declared in, the outermost first."""
    found = []
    parent = entry.get_parent()
    while parent is not None and parent.tag in _SURROUNDINGS:
        name = parent.attributes.get("DW_AT_name")
        found.append("(anonymous namespace)" if name is None else _text(name.value))
        parent = parent.get_parent()
    return found[::-1]


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
