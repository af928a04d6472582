"""At the stops of compiled kernels every variable in scope has a value or a reason, whatever the
registers and the memory hold: nothing that is shown for people ends in an error of zedbg's own.

The thread is made of random bytes; what kernels hold is in test_values_truth.py. A default run
takes stops of a sample of modules, ``ZEDBG_FULL_CORPUS=1`` every line of all modules.
"""

from __future__ import annotations

import os
import random

import pytest

from tests.support.kernels.corpus import CORPUS, modules
from tests.support.packed_modules import ZEBINS
from tests.support.values.values_fake_context import FakeThread
from zedbg.dwarf import DebugInfo
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.levelzero.enums import Result
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.values.expressions.api import Expression, variables
from zedbg.values.formats.formatting import FormatOptions, format_value, type_name
from zedbg.values.formats.layout import type_lines
from zedbg.values.recomputed.explanation import explain
from zedbg.values.typed.value import Value
from zedbg.zebin import Module

SETS = sorted(path.name.removesuffix(".tar.xz") for path in CORPUS.glob("*.tar.xz"))
FULL = os.environ.get("ZEDBG_FULL_CORPUS") == "1"
MODULES, STOPS = (10_000, 10_000) if FULL else (6, 5)
LANES = 8


class _Noise(FakeThread):
    """A thread whose registers are random, and whose memory is so for most addresses."""

    def __init__(self, info, pc, seed):
        super().__init__(info, pc, simd_width=LANES, active_lanes=0b10110111)
        self._random = random.Random(seed)
        for kind, data in self.registers.items():
            if kind.name in ("GRF", "ACC", "ADDR", "FLAG"):
                data[:] = self._random.randbytes(len(data))

    def read_memory(self, space, address, size):
        if address % 5 == 0 and space is not MemorySpace.SLM:
            raise LevelZeroError(Result.ERROR_UNKNOWN, "read memory", f"{address:#x}")
        return random.Random(address).randbytes(size)


def _stops(info, chosen):
    rows = [
        row.address
        for function in info.functions
        for row in info.lines.rows_between(function.low, function.high)
        if row.line and row.is_stmt
    ]
    return chosen.sample(rows, min(STOPS, len(rows)))


def _check(thread, lanes):
    """How many values there are, and how many reasons."""
    counts = [0, 0]
    for each in variables(thread, lanes):
        name = each.variable.name or ""
        for _, value in each.values:
            text = format_value(value, FormatOptions(element_limit=200))
            assert text, name
            if isinstance(value, Missing):
                assert value.reason and not value.reason.endswith("."), value.reason
                assert text == f"<{value.reason}>"
            else:
                assert isinstance(value, Value)
                value.plain()
            counts[isinstance(value, Missing)] += 1
        for entry in explain(thread, each.variable, 0):
            assert entry.words, name
            assert entry.low < entry.high
        assert type_name(each.variable.type)
        assert type_lines(each.variable.type, True)
        if name.isidentifier():
            assert type_name(Expression(name, thread.debug_info).type(thread))
    return counts


@pytest.mark.parametrize("configuration", SETS)
def test_every_variable_at_every_stop_has_a_value_or_a_reason(configuration, tmp_path_factory):
    chosen = random.Random(configuration)
    paths = [*modules(configuration).values()]
    paths += (ZEBINS / configuration).glob("*.zebin")
    paths = sorted(paths, key=lambda path: path.name)
    values = reasons = 0
    for path in chosen.sample(paths, min(MODULES, len(paths))):
        info = DebugInfo.of(Module.open(path))
        if info is None:
            continue
        for address in _stops(info, chosen):
            shown, missing = _check(_Noise(info, address, address), range(LANES))
            values, reasons = values + shown, reasons + missing
    assert values > 0
    if configuration.endswith("O2"):
        assert reasons > 0
