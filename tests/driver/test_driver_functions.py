"""Which functions of the API are in the driver's own tables, and what null arguments give."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.support.places import REPOSITORY

HEADER = Path("/usr/include/level_zero/ze_ddi.h")
PAGE = REPOSITORY / "docs" / "level-zero.md"
VERSION = 0x10004  # of the headers
SUCCESS, UNSUPPORTED_FEATURE = 0, 0x78000003

#: A program calls each with zeros in a process of its own, after zeInit: what crashes would end it.
CALLER = """
import ctypes, json, sys
library = ctypes.CDLL(sys.argv[1])
answers = {}
library_tables = json.loads(sys.argv[2])
for getter, names in library_tables.items():
    table = (ctypes.c_void_p * 64)()
    get = getattr(library, getter)
    get.argtypes = [ctypes.c_int, ctypes.c_void_p]
    assert get(int(sys.argv[3]), table) == 0, getter
    for position, name in enumerate(names):
        if table[position] is None:
            answers[name] = None
            continue
        call = ctypes.CFUNCTYPE(ctypes.c_uint32, *[ctypes.c_uint64] * 12)(table[position])
        answers[name] = call(*[0] * 12)
print(json.dumps(answers))
"""


def _tables() -> dict[str, list[str]]:
    """By getter: the functions of its table, in order, under the names of the API."""
    text = HEADER.read_text()
    tables = {}
    for table, members in re.findall(
        r"typedef struct _(ze_\w+)_dditable_t\n\{(.*?)\n\}", text, re.DOTALL
    ):
        kind = re.search(
            rf"^(zeGet\w+ProcAddrTable)\(\n[^;]*{table}_dditable_t", text, re.MULTILINE
        )
        assert kind is not None, table
        family = kind[1].removeprefix("zeGet").removesuffix("ProcAddrTable").removesuffix("Exp")
        prefix = "ze" if family == "Global" else f"ze{family}"
        tables[kind[1]] = [prefix + name for name in re.findall(r"\bpfn(\w+);", members)]
    return tables


def _answers(driver: Path) -> dict[str, int | None]:
    command = [sys.executable, "-c", CALLER, str(driver), json.dumps(_tables()), str(VERSION)]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert finished.returncode == 0, finished.stderr
    answers: dict[str, int | None] = json.loads(finished.stdout)
    return answers


def _said_to_be_missing() -> set[str]:
    section = PAGE.read_text().split("## Functions without an implementation")[1]
    rows = re.findall(r"^\| (`ze.*?) \|", section, re.MULTILINE)
    return set(re.findall(r"`(ze\w+)`", " ".join(rows)))


def test_every_function_of_the_headers_is_there_or_said_to_be_missing(driver_library: Path) -> None:
    answers = _answers(driver_library)
    assert len(answers) > 140
    missing = {name for name, answer in answers.items() if answer in (None, UNSUPPORTED_FEATURE)}
    assert missing == _said_to_be_missing()


def test_no_function_takes_null_arguments(driver_library: Path) -> None:
    """An error code for each, never a crash; zeInit takes no flags as all kinds of devices."""
    answers = _answers(driver_library)
    taken = {name for name, answer in answers.items() if answer == SUCCESS}
    assert taken == {"zeInit"}


def test_each_test_program_that_the_page_names_exists() -> None:
    text = PAGE.read_text()
    for program in re.findall(r"`(\w+\.c)`", text):
        assert (REPOSITORY / "tests" / "hosts" / program).exists(), program
    for file in re.findall(r"`(tests/\w+/\w+\.py)`", text):
        assert (REPOSITORY / file).exists(), file
