"""Small readings of one DIE: attributes that other parts ask for again and again."""

from __future__ import annotations

from typing import Any, cast

from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.die import DIE, AttributeValue

from zedbg.dwarf.reading.debug_info_error import DebugInfoError

# Lanes of the code, on units and subprograms (Intel graphics compiler, DW_AT_INTEL_simd_width).
_SIMD_WIDTH: tuple[Any, ...] = (0x2400, "DW_AT_INTEL_simd_width")
_REFERENCE_IN_UNIT = frozenset(
    {"DW_FORM_ref1", "DW_FORM_ref2", "DW_FORM_ref4", "DW_FORM_ref8", "DW_FORM_ref_udata"}
)

_BLOCK_FORMS = frozenset(
    {
        "DW_FORM_exprloc",
        "DW_FORM_block",
        "DW_FORM_block1",
        "DW_FORM_block2",
        "DW_FORM_block4",
    }
)


def attribute(die: DIE, name: str) -> AttributeValue | None:
    """The attribute called ``name``, None when the DIE has none."""
    return cast(AttributeValue | None, die.attributes.get(name))


def text(die: DIE, name: str) -> str | None:
    """A string attribute."""
    found = attribute(die, name)
    if found is None or not isinstance(found.value, bytes):
        return None
    return found.value.decode("utf-8", "replace")


def number(die: DIE, name: str, default: int = 0) -> int:
    """An attribute that is a number; ``default`` when it is absent or is no constant."""
    found = attribute(die, name)
    return found.value if found is not None and isinstance(found.value, int) else default


def reference(die: DIE, name: str) -> int | None:
    """Offset in ``.debug_info`` of the DIE that an attribute refers to.

    Raises DebugInfoError when that is in a type unit, which no graphics compiler makes.
    """
    found = attribute(die, name)
    if found is None or not isinstance(found.value, int):
        return None
    if found.form == "DW_FORM_ref_sig8":
        raise DebugInfoError("type", f"type units are not read (signature {found.value:#018x})")
    if found.form in _REFERENCE_IN_UNIT:
        return found.value + cast(CompileUnit, die.cu).cu_offset
    return found.value


def block(die: DIE, name: str) -> bytes | None:
    """An attribute that is an expression; None when it is absent, or something else."""
    found = attribute(die, name)
    return None if found is None or found.form not in _BLOCK_FORMS else bytes(found.value)


def simd_width(die: DIE) -> int:
    """Lanes of the DIE's code, 0 when the DIE does not say."""
    for name in _SIMD_WIDTH:
        found = die.attributes.get(name)
        if found is not None:
            return cast(int, found.value)
    return 0


def low_high(die: DIE) -> tuple[int, int] | None:
    """The code of a DIE with one range: first address, and after the last."""
    low, high = attribute(die, "DW_AT_low_pc"), attribute(die, "DW_AT_high_pc")
    if low is None or high is None:
        return None
    end = high.value if high.form.startswith("DW_FORM_addr") else low.value + high.value
    return low.value, end
