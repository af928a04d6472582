"""Runs another program of this folder, while every value that zedbg computes for all lanes at once
is computed for each lane by itself too. Instead of that program's output, prints how many there
were, how many of them in loops, and all that are not the same.

    python tests/support/run_module.py tests.support.truth.both_ways PROGRAM ARGUMENT...
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import sys
from collections.abc import Sequence

from zedbg.dwarf import Variable
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.values.recomputed.recomputation import Recomputation
from zedbg.values.source.source_positions import program_of_variable

_SHOWN = 20


class _Compared:
    """What was computed in both ways."""

    def __init__(self) -> None:
        self.values = self.in_loops = 0
        self.unlike: list[list[str]] = []
        self._at_once = Recomputation._at_once

    def at_once(
        self, recomputation: Recomputation, variable: Variable, lanes: Sequence[int]
    ) -> list[bytes | UnknownValue] | None:
        """In place of the method of that name."""
        found = self._at_once(recomputation, variable, lanes)
        if found is None:
            return None
        is_noted = recomputation.needs_iterations
        alone = [recomputation._one(variable, lane) for lane in lanes]
        assert recomputation._model is not None and recomputation._position is not None
        made = program_of_variable(recomputation._model, recomputation._position, variable)
        assert made is not None
        self.values += len(lanes)
        self.in_loops += len(lanes) * made.program.is_in_loop
        if is_noted < recomputation.needs_iterations:  # computing one lane alone needs more
            self.unlike.append([variable.name, "needs an iteration, which is not noted"])
        for lane, one, other in zip(lanes, found, alone, strict=True):
            if _text(one) != _text(other):
                self.unlike.append([variable.name, str(lane), _text(one), _text(other)])
        return found


def _text(value: bytes | UnknownValue) -> str:
    return value.hex() if isinstance(value, bytes) else f"{type(value).__name__}: {value}"


def main(program: str, *arguments: str) -> None:
    compared = _Compared()
    Recomputation._at_once = (  # type: ignore[method-assign]
        lambda recomputation, variable, lanes: compared.at_once(recomputation, variable, lanes)
    )
    with contextlib.redirect_stdout(io.StringIO()):
        importlib.import_module(f"tests.support.truth.{program}").main(*arguments)
    unlike = compared.unlike[:_SHOWN]
    print(json.dumps({"values": compared.values, "loops": compared.in_loops, "unlike": unlike}))


if __name__ == "__main__":
    main(*sys.argv[1:])
