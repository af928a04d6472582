"""Which instruction set the code of a module has, from what its notes say."""

from __future__ import annotations

from zedbg.xe.isa.platform import Platform
from zedbg.zebin.notes import Notes
from zedbg.zebin.products import PRODUCT_FAMILIES

# Architecture of an IP version, and its releases.
_BY_VERSION = (
    (12, range(55, 60), Platform.XE_HPG),
    (12, range(60, 62), Platform.XE_HPC),
    (12, range(70, 75), Platform.XE_HPG),
    (20, range(0, 64), Platform.XE2),
)
_BY_FAMILY = {
    "dg2": Platform.XE_HPG,
    "mtl": Platform.XE_HPG,
    "arl": Platform.XE_HPG,
    "pvc": Platform.XE_HPC,
    "bmg": Platform.XE2,
    "lnl": Platform.XE2,
}


def instruction_set_of(notes: Notes) -> Platform | None:
    """The instruction set, None when it is not one that can be decoded here.

    Older compilers write no IP version but a product family; without either it is Xe-HPG.
    """
    version = notes.ip_version
    if version is not None:
        for architecture, releases, platform in _BY_VERSION:
            if version.architecture == architecture and version.release in releases:
                return platform
        return None
    if notes.product_family is None:
        return Platform.XE_HPG
    family = PRODUCT_FAMILIES.get(notes.product_family)
    return None if family is None else _BY_FAMILY.get(family.name)
