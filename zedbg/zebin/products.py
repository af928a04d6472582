"""Device families: what the notes of a module call them, and what of them matters for payloads.

Numbers as ocloc writes them for each device that it knows (Debian 12's, and IGC 2.40's).
"""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.xe.devices import DEVICES
from zedbg.xe.isa.platform import Platform
from zedbg.zebin.notes import IpVersion, Notes

# Bytes of a register where the instruction set is not one of ours.
_SHORT_GRF, _LONG_GRF = 32, 64
_FIRST_LONG_ARCHITECTURE = 20


@dataclass(frozen=True)
class ProductFamily:
    """A family of devices: ocloc's name for it (of one of its devices), bytes of a register.

    ``platform`` is its instruction set, None when it is not one that can be decoded here.
    """

    name: str
    grf_bytes: int
    platform: Platform | None = None


def _of_platform(name: str, platform: Platform) -> ProductFamily:
    return ProductFamily(name, platform.grf_bytes, platform)


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
    1272: _of_platform("mtl", Platform.XE_HPG),
    1273: _of_platform("arl", Platform.XE_HPG),
    1300: ProductFamily("ptl", _LONG_GRF),
    1340: ProductFamily("nvl", _LONG_GRF),
    1360: ProductFamily("nvl-p", _LONG_GRF),
    1380: ProductFamily("cri", _LONG_GRF),
    **{each.product_family: _of_platform(each.key, each.platform) for each in DEVICES.values()},
}


def device_name(notes: Notes) -> str | None:
    """The family that a module is for, with its IP version; None when it does not say."""
    if notes.product_family is None:
        return None if notes.ip_version is None else f"IP version {notes.ip_version}"
    family = PRODUCT_FAMILIES.get(notes.product_family)
    name = f"product family {notes.product_family}" if family is None else family.name
    return name if notes.ip_version is None else f"{name} ({notes.ip_version})"


def grf_bytes(notes: Notes) -> int | None:
    """Bytes of a general register of the device, None when the module does not say."""
    if notes.ip_version is not None:
        return _grf_bytes_of(notes.ip_version)
    family = PRODUCT_FAMILIES.get(notes.product_family or 0)
    return None if family is None else family.grf_bytes


def instruction_set_of(notes: Notes) -> Platform | None:
    """The instruction set of a module's code, None when it is not one that can be decoded here.

    Older compilers write no IP version but a product family; without either it is Xe-HPG.
    """
    version = notes.ip_version
    if version is not None:
        return Platform.of_ip_version(version.architecture, version.release)
    if notes.product_family is None:
        return Platform.XE_HPG
    family = PRODUCT_FAMILIES.get(notes.product_family)
    return None if family is None else family.platform


def _grf_bytes_of(version: IpVersion) -> int:
    platform = Platform.of_ip_version(version.architecture, version.release)
    if platform is not None:
        return platform.grf_bytes
    return _LONG_GRF if version.architecture >= _FIRST_LONG_ARCHITECTURE else _SHORT_GRF
