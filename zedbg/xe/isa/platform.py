"""The instruction set variants that differ in their encodings."""

from enum import Enum


class Platform(Enum):
    """An instruction set. The value is the name that `iga64 -p=` takes.

    The build of the simulated GPU takes the members and their numbers from here.
    """

    grf_bytes: int  # of a general register
    native_lanes: int  # of the arithmetic units: the fewest that a message's payload has room for
    flag_registers: int
    releases: tuple[tuple[int, range], ...]  # of its IP versions: architecture, and releases
    _value_: str

    def __new__(
        cls,
        assembler: str,
        grf_bytes: int,
        native_lanes: int,
        flag_registers: int,
        releases: tuple[tuple[int, range], ...],
    ) -> "Platform":
        """One row of the table below."""
        row = object.__new__(cls)
        row._value_ = assembler
        row.grf_bytes = grf_bytes
        row.native_lanes = native_lanes
        row.flag_registers = flag_registers
        row.releases = releases
        return row

    XE_HPG = "12p71", 32, 8, 2, ((12, range(55, 60)), (12, range(70, 75)))
    XE_HPC = "12p72", 64, 16, 4, ((12, range(60, 62)),)
    XE2 = "2", 64, 16, 4, ((20, range(0, 64)),)

    @staticmethod
    def of_ip_version(architecture: int, release: int) -> "Platform | None":
        """The instruction set of an IP version, None for one that is not known here."""
        for platform in Platform:
            if any(architecture == of and release in all_ for of, all_ in platform.releases):
                return platform
        return None
