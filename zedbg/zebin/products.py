"""Device families: what the notes of a module call them, and what of them matters for payloads.

Numbers as ocloc writes them for each device that it knows (Debian 12's, and IGC 2.40's).
"""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.zebin.notes import IpVersion, Notes

_SHORT_GRF = 32  # bytes of a register
_LONG_GRF = 64
_FIRST_LONG_GRF = (12, 60)  # Xe-HPC; the Xe-LPG parts that follow in number are short again
_LAST_XE_HPC = (12, 61)
_FIRST_XE2 = (20, 0)


@dataclass(frozen=True)
class ProductFamily:
    """A family of devices: ocloc's name for it (of one of its devices), bytes of a register."""

    name: str
    grf_bytes: int


PRODUCT_FAMILIES: dict[int, ProductFamily] = {
    16: ProductFamily("bdw", _SHORT_GRF),
    18: ProductFamily("skl", _SHORT_GRF),
    19: ProductFamily("kbl", _SHORT_GRF),
    20: ProductFamily("cfl", _SHORT_GRF),
    22: ProductFamily("apl", _SHORT_GRF),
    23: ProductFamily("glk", _SHORT_GRF),
    26: ProductFamily("icllp", _SHORT_GRF),
    27: ProductFamily("lkf", _SHORT_GRF),
    28: ProductFamily("ehl", _SHORT_GRF),
    29: ProductFamily("tgllp", _SHORT_GRF),
    30: ProductFamily("rkl", _SHORT_GRF),
    31: ProductFamily("adl-s", _SHORT_GRF),
    32: ProductFamily("adl-p", _SHORT_GRF),
    33: ProductFamily("adl-n", _SHORT_GRF),
    1210: ProductFamily("dg1", _SHORT_GRF),
    1270: ProductFamily("dg2", _SHORT_GRF),
    1271: ProductFamily("pvc", _LONG_GRF),
    1272: ProductFamily("mtl", _SHORT_GRF),
    1273: ProductFamily("arl", _SHORT_GRF),
    1274: ProductFamily("bmg", _LONG_GRF),
    1275: ProductFamily("lnl", _LONG_GRF),
    1300: ProductFamily("ptl", _LONG_GRF),
    1340: ProductFamily("nvl", _LONG_GRF),
    1360: ProductFamily("nvl-p", _LONG_GRF),
    1380: ProductFamily("cri", _LONG_GRF),
}


def device_name(notes: Notes) -> str | None:
    """The family that a module is for, with its IP version; None when it does not say."""
    if notes.product_family is None:
        return None if notes.ip_version is None else f"IP version {notes.ip_version}"
    family = PRODUCT_FAMILIES.get(notes.product_family)
    name = f"product family {notes.product_family}" if family is None else family.name
    return name if notes.ip_version is None else f"{name} ({notes.ip_version})"


def grf_bytes(notes: Notes) -> int | None:
    """Bytes of a general register of the device, None when the module does not tell it."""
    if notes.ip_version is not None:
        return _grf_bytes_of(notes.ip_version)
    family = PRODUCT_FAMILIES.get(notes.product_family or 0)
    return None if family is None else family.grf_bytes


def _grf_bytes_of(version: IpVersion) -> int:
    place = (version.architecture, version.release)
    is_long = _FIRST_LONG_GRF <= place <= _LAST_XE_HPC or place >= _FIRST_XE2
    return _LONG_GRF if is_long else _SHORT_GRF
