"""The driver as a shared library: what loaders look up, and which tables they get."""

from __future__ import annotations

import ctypes
import re
import subprocess
from pathlib import Path

import pytest

HEADERS = Path("/usr/include/level_zero")
UNSUPPORTED_VERSION = 0x78000002
INVALID_ARGUMENT = 0x78000004


def readelf(*arguments: str | Path) -> str:
    command = ["readelf", "-W", *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def exported(library: Path) -> set[str]:
    names = set()
    for line in readelf("--dyn-syms", library).splitlines():
        columns = line.split()
        if len(columns) == 8 and columns[6] != "UND" and columns[4] in ("GLOBAL", "WEAK"):
            names.add(columns[7].partition("@")[0])
    return names


def getters_of_the_headers() -> set[str]:
    text = "".join(path.read_text() for path in HEADERS.glob("z*_ddi.h"))
    return set(re.findall(r"^(ze[ts]?Get\w+ProcAddrTable)\($", text, re.MULTILINE))


def test_it_exports_getters_and_nothing_else(driver_library: Path) -> None:
    names = exported(driver_library)
    assert names, "nothing is exported"
    assert {name for name in names if not re.fullmatch(r"ze[ts]?Get\w+ProcAddrTable", name)} == (
        set()
    )


def test_it_exports_every_getter_that_loaders_insist_on(driver_library: Path) -> None:
    wanted = getters_of_the_headers()
    assert len(wanted) > 40
    # Absent, any other makes the 1.8 loader drop the driver.
    optional = {name for name in wanted if "Exp" in name and "Tracer" not in name}
    later = {name for name in wanted if "Rtas" in name or "RTAS" in name or "Graph" in name}
    assert wanted - optional - later - exported(driver_library) == set()


def test_it_stays_mapped_and_does_not_link_the_loader(driver_library: Path) -> None:
    """Loaders close drivers in an exit handler, while the driver's threads still run."""
    dynamic = readelf("-d", driver_library)
    assert "NODELETE" in dynamic
    assert "libze_sim_gpu.so.1" in dynamic
    assert "libze_loader" not in dynamic


@pytest.mark.parametrize("minor", range(18))
def test_a_getter_writes_no_member_that_its_caller_does_not_know(
    driver_library: Path, minor: int
) -> None:
    """Members of zet_debug_dditable_t: 11 in 1.0, 12 since 1.5."""
    members = 11 if minor < 5 else 12
    table = (ctypes.c_void_p * 16)(*[0xABAD1DEA] * 16)
    getter = ctypes.CDLL(str(driver_library)).zetGetDebugProcAddrTable
    assert getter(0x10000 | minor, ctypes.byref(table)) == 0
    assert all(entry not in (None, 0xABAD1DEA) for entry in table[:members])
    assert list(table[members:]) == [0xABAD1DEA] * (16 - members)


def test_a_getter_refuses_no_table_and_another_major_version(driver_library: Path) -> None:
    library = ctypes.CDLL(str(driver_library))
    table = (ctypes.c_void_p * 64)()
    for name in exported(driver_library):
        getter = library[name]
        assert getter(0x10004, None) & 0xFFFFFFFF == INVALID_ARGUMENT, name
        assert getter(0x20000, ctypes.byref(table)) & 0xFFFFFFFF == UNSUPPORTED_VERSION, name
