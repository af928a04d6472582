"""Memory of reading ``.ze_info`` as only an attacker writes it: very many short lines.

Each shape is refused in one line where reading it would take more than ten times its text. With
just enough text in its values it is read, and then takes no more than that.
"""

import sys
from bisect import bisect_left
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.fuzz_targets import peak_of
from tests.support.packed_modules import MODULES
from tests.support.reader_memory import FACTOR
from zedbg.zebin import Module
from zedbg.zebin.file_errors import ZebinError
from zedbg.zebin.schema import tables
from zedbg.zebin.zeinfo_limits import MOST_KEYS, too_dense
from zedbg.zebin.zeinfo_reader import ZeInfo

COUNT = 10_000  # short lines
ALLOWANCE = 1 << 18  # bytes, which a short text may take
WIDEST = 120  # characters of a value
_KERNEL = "version: '1.73'\nkernels:\n  - name: k\n    execution_env:\n      simd_size: 8\n"


def _items(table: str, line: str) -> Callable[[int], str]:
    """A document with a list under ``table`` that has one ``line`` an item."""

    def make(width: int) -> str:
        values = (line.format(f"{number:0{width}}") for number in range(COUNT))
        return _KERNEL + table + "".join(values)

    return make


def _list(each: str) -> Callable[[int], str]:
    """A document with a list in brackets of which each value is ``each`` after blanks."""

    def make(width: int) -> str:
        values = (f"{each.format(number):>{width}}" for number in range(COUNT))
        return f"{_KERNEL}    x: [{','.join(values)}]\n"

    return make


def _mappings(width: int) -> str:
    """A document of mappings in mappings, each of as many keys as are read."""
    lines = [_KERNEL]
    for number in range(COUNT):
        if number % 200 == 0:
            lines.append(f"    g{number}:\n")
        lines.append(f"      a{number}:\n        b: {number:0{width}}\n")
    return "".join(lines)


SHAPES = {
    "mappings in mappings": _mappings,
    "arguments": _items("    payload_arguments:\n", "      - arg_type: t{}\n"),
    "items of unknown keys": _items("    payload_arguments:\n", "      - a: {}\n"),
    "items of two keys": _items("    payload_arguments:\n", "      - a: {0}\n        b: {0}\n"),
    "items in items": _items("    x:\n", "      - a:\n          - b: {}\n"),
    "mappings in items": _items("    x:\n", "      - a:\n          b: {}\n"),
    "scalars": _items("    x:\n", "    - {}\n"),
    "argument names": _items(
        "kernels_misc_info:\n  - name: k\n    args_info:\n", "      - name: a{}\n"
    ),
    "kernels": _items("", "  - name: k{}\n"),
    "functions": _items("functions:\n", "  - name: f{}\n"),
    "host accesses": _items("global_host_access_table:\n", "  - device_name: d{}\n"),
    "costs": _items("kernels_cost_info:\n", "  - name: k{}\n"),
    "carriage returns": _items("    x:\n", "    - {}\r"),
    "values in brackets": _list("v{}"),
    "empty lists": _list("[]"),
    "empty mappings": _list("{{}}"),
}


def _read(text: str) -> ZeInfo:
    info = ZeInfo(text, "measured")
    for name in info.kernel_names:
        info.kernel(name)
    _ = info.functions, info.host_accesses, info.costs
    return info


@pytest.mark.parametrize("shape", SHAPES)
def test_many_short_lines_are_refused_or_read_in_ten_times_their_size(shape):
    make = SHAPES[shape]
    with pytest.raises(ZebinError, match="more than 10 times") as refused:
        _read(make(1))
    assert "\n" not in str(refused.value)

    widths = range(1, WIDEST)
    at = bisect_left(widths, True, key=lambda width: too_dense(make(width)) is None)
    text = make(widths[at])
    _read(_KERNEL)  # fills once what every reading needs
    peak = peak_of(lambda: _read_or_refused(text))
    assert peak <= FACTOR * len(text) + ALLOWANCE, f"{peak / len(text):.1f} times"


def _read_or_refused(text: str) -> None:
    try:
        _read(text)
    except ZebinError as error:
        assert "more than 10 times" not in str(error)


@pytest.mark.parametrize("line", ["    - {}\n", "      - {}: 1\n"], ids=["values", "keys"])
def test_nothing_that_a_file_says_goes_into_the_interpreters_own_table(line):
    """Where that grows it takes megabytes at once, for whatever is read just then."""
    said = [f"only_here_{number}" for number in range(300)]
    info = _read(_KERNEL + "    x:\n" + "".join(map(line.format, said)))
    kernel = info.kernel("k")
    found = [next(iter(item)) if isinstance(item, dict) else item for item in kernel.extra["x"]]
    assert found == said
    assert all(sys.intern(own) is own for own in said)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (_KERNEL + "".join(f"    a{number}: 1\n" for number in range(MOST_KEYS)), MOST_KEYS + 4),
        (_KERNEL + "".join(f"a{number}: 1\n" for number in range(MOST_KEYS)), MOST_KEYS + 4),
    ],
    ids=["kernel", "document"],
)
def test_a_mapping_of_more_keys_than_any_table_has_is_refused_with_its_line(text, line):
    with pytest.raises(ZebinError, match=rf"line {line}\b.*more than {MOST_KEYS} keys") as refused:
        _read(text)
    assert "\n" not in str(refused.value)


def test_the_limit_of_keys_is_far_beyond_the_specifications_tables():
    assert max(len(table.attributes) for table in tables().values()) * 4 < MOST_KEYS


def test_what_compilers_write_is_far_from_being_refused():
    texts = [_zeinfo_of(path) for path in sorted(MODULES.rglob("*.zebin"))[::10]]
    assert len(texts) > 50
    for text in texts:
        # As a module of very many such kernels would have it, where no allowance counts.
        assert too_dense(text * (10 * ALLOWANCE // len(text))) is None


def _zeinfo_of(path: Path) -> str:
    module = Module.from_bytes(path.read_bytes(), path.name)
    return module.section_bytes(module.section(".ze_info")).rstrip(b"\0").decode()
