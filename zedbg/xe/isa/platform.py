"""The instruction set variants that differ in their encodings."""

from enum import Enum


class Platform(Enum):
    """An instruction set. The value is the name that `iga64 -p=` takes."""

    XE_HPG = "12p71"
    XE_HPC = "12p72"
    XE2 = "2"

    @property
    def grf_bytes(self) -> int:
        """Bytes of a general register."""
        return 32 if self is Platform.XE_HPG else 64
