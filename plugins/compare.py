"""The ``compare`` command: values in the program against those of a file, or of a NumPy array.

A plugin for zedbg (docs/plugins.md). It needs NumPy.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import zedbg

_AROUND = 2  # elements that are shown on either side of the first wrong one


class Compare(zedbg.Command):
    """Compare values with those of a file or of an array, and show the first that differs

    Usage: compare EXPRESSION FILE|=PYTHON [TOLERANCE]
    FILE is .npy, text with a number a line (or between commas), or .bin: bytes of the type. =PYTHON
    is an expression of Python without blanks, with the names of the command python and numpy: a
    NumPy array, or what it makes one of (compare out[i] =expected). Where
    EXPRESSION is an array (*in@64), its elements are compared; else its value in each stopped
    work-item with the file's element at the global id ([z][y][x], or [x] of a plain list).
    """

    def __init__(self) -> None:
        super().__init__("compare", zedbg.COMMAND_DATA, zedbg.COMPLETE_EXPRESSION)

    def invoke(self, argument: str, from_tty: bool) -> Iterator[object]:
        expression, reference, tolerance = _parted(argument)
        (row,) = self.context.execute(f"output {expression}")
        value = row.to_json()["value"]
        if isinstance(value, list):
            found = {(index,): each for index, each in enumerate(value)}
        else:
            table = self.context.execute(f"print/w {expression}")[0]
            found = {tuple(one["global_id"] or ()): one["value"] for one in table.json_rows()}
        wanted = self._wanted(reference, str(row.to_json()["type"]))
        wrong, largest = [], 0.0
        for place, number in found.items():
            right = _element(wanted, place)
            if not isinstance(number, int | float) or right is None:
                wrong.append(place)
            elif not abs(number - right) <= tolerance * max(1.0, abs(right)):
                wrong.append(place)
                largest = max(largest, abs(number - right))
        if not wrong:
            yield f"All {len(found)} values are as in {reference}."
            return
        yield f"{len(wrong)} of {len(found)} values differ, by {largest:.6g} at most."
        first = min(wrong, key=lambda place: place[::-1])
        for offset in range(-_AROUND, _AROUND + 1):
            place = (first[0] + offset, *first[1:])
            if place in found:
                yield {
                    "at": f"({','.join(map(str, place))})",
                    "value": found[place],
                    "expected": _element(wanted, place),
                    "": "<- first" if not offset else "differs" if place in wrong else "",
                }

    def _wanted(self, reference: str, kind: str) -> Any:  # noqa: ANN401 - an array of NumPy's
        """The array of a file, or of an expression of Python."""
        try:
            import numpy
        except ImportError:
            raise zedbg.CommandError("compare needs NumPy: pip install numpy") from None
        if not reference.startswith("="):
            return _read(Path(reference).expanduser(), kind)
        try:
            names = {"numpy": numpy, "np": numpy, **self.context.python_names}
            array = numpy.asarray(eval(reference[1:], names))
            if array.dtype.kind not in "biuf":
                raise ValueError("it is no array of numbers")
        except Exception as error:
            raise zedbg.CommandError(f"{reference[1:]}: {error}") from None
        return array


def _parted(argument: str) -> tuple[str, str, float]:
    """``EXPRESSION REFERENCE [TOLERANCE]``: the expression may have blanks in it."""
    words = argument.split()
    tolerance = 0.0
    if len(words) > 2 and not words[-1].startswith("=") and not Path(words[-1]).exists():
        with contextlib.suppress(ValueError):
            tolerance = float(words[-1])
            words.pop()
    if len(words) < 2:
        raise zedbg.CommandError("Usage: compare EXPRESSION FILE|=PYTHON [TOLERANCE]")
    return " ".join(words[:-1]), words[-1], tolerance


def _read(file: Path, kind: str) -> Any:  # noqa: ANN401 - an array of NumPy's
    import numpy

    types = {"float": "f4", "double": "f8", "half": "f2", "char": "i1", "uchar": "u1"}
    types |= {"int": "i4", "uint": "u4", "long": "i8", "ulong": "u8", "short": "i2", "ushort": "u2"}
    try:
        if file.suffix == ".npy":
            return numpy.load(file)
        if file.suffix == ".bin":
            name = kind.split("[")[0].removeprefix("const ").strip()
            return numpy.fromfile(file, types.get(name, "u1"))
        return numpy.array([float(each) for each in file.read_text().replace(",", " ").split()])
    except (OSError, ValueError) as error:
        raise zedbg.CommandError(f"{file}: {error}") from None


def _element(wanted: Any, place: tuple[int, ...]) -> float | int | None:  # noqa: ANN401
    """The reference at a place; None where the file has none."""
    index = place[::-1] if wanted.ndim == len(place) else place[: wanted.ndim][::-1]
    sizes = wanted.shape
    if len(index) != len(sizes) or any(n >= m for n, m in zip(index, sizes, strict=True)):
        return None
    found: float | int = wanted[index].item()
    return found
