"""Comparing buffers: what differs is named by its work-item, and shown with what is around it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

Size = tuple[int, int, int]

_AROUND = 2
_WIDEST = 12


class Buffer:
    """What a kernel left in a buffer. ``assert result[2] == expected`` says which work-item is
    wrong; ``.array`` is the NumPy array.

    Element ``i`` belongs to the work-item with the linear global id ``i``, where there are as many
    of one as of the other.
    """

    def __init__(
        self,
        values: Sequence[Any],
        shape: tuple[int, ...],
        global_size: Size | None = None,
        local_size: Size | None = None,
        array: Any = None,  # noqa: ANN401 - NumPy may not be installed
    ) -> None:
        self.values = values
        self.shape = shape
        self.global_size = global_size
        self.local_size = local_size
        self._array = array

    @property
    def array(self) -> NDArray[Any]:
        """The buffer as a NumPy array; ImportError where NumPy is not installed."""
        import numpy

        found: NDArray[Any] = self._array
        return numpy.asarray(self.values).reshape(self.shape) if found is None else found

    def __array__(self, *arguments: Any, **named: Any) -> NDArray[Any]:  # noqa: ANN401
        import numpy

        return numpy.asarray(self.array, *arguments, **named)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, index: int) -> Any:  # noqa: ANN401
        return self.values[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __eq__(self, other: object) -> bool:
        return not Comparison(self, other).wrong

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(map(_text, self.values[:8]))
        return f"<Buffer {shown}{', ...' if len(self.values) > 8 else ''}>"


def assert_equal(actual: object, expected: object) -> None:
    """AssertionError with the first wrong work-item when ``actual`` is not ``expected``.

    Each is a :class:`Buffer`, an array or a sequence of numbers; NaN equals NaN.
    """
    _require(Comparison(actual, expected))


def assert_close(
    actual: object, expected: object, *, relative: float = 1e-6, absolute: float = 0.0
) -> None:
    """The same, where elements may differ by ``absolute``, or by ``relative`` times the expected
    one."""
    _require(Comparison(actual, expected, relative, absolute))


def _require(comparison: Comparison) -> None:
    __tracebackhide__ = True
    if comparison.wrong:
        raise AssertionError(comparison.explanation)


@dataclass(frozen=True)
class Comparison:
    """``actual`` and ``expected``, element by element."""

    actual: object
    expected: object
    relative: float = 0.0
    absolute: float = 0.0

    @cached_property
    def wrong(self) -> list[int]:
        """The places of the elements that differ; [-1] when there are not as many."""
        ours, theirs = _flat(self.actual), _flat(self.expected)
        if len(theirs) == 1 and len(ours) != 1 and _is_number(self.expected):
            theirs = list(theirs) * len(ours)
        if len(ours) != len(theirs):
            return [-1]
        return [
            place
            for place, (one, other) in enumerate(zip(ours, theirs, strict=True))
            if one != other and not self._agrees(one, other)
        ]

    def _agrees(self, one: Any, other: Any) -> bool:  # noqa: ANN401
        if one != one or other != other:
            return bool(one != one and other != other)
        bound = max(self.absolute, self.relative * abs(other))
        return bool(abs(one - other) <= bound) and not math.isinf(one)

    @property
    def explanation(self) -> str:
        """What differs, in lines."""
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """How many are wrong, the first one, and what is around it."""
        ours, theirs = _flat(self.actual), _flat(self.expected)
        if self.wrong == [-1]:
            yield f"{len(ours)} elements, not {len(theirs)}"
            return
        if len(theirs) == 1:
            theirs = list(theirs) * len(ours)
        places = _Places(self.actual, self.expected, len(ours))
        first = self.wrong[0]
        kind = places.kind
        yield (
            f"{len(self.wrong)} of {len(ours)} {kind}s are wrong; the first is "
            f"{places.describe(first)}: {_text(ours[first])}, not {_text(theirs[first])}"
        )
        yield from places.around(first, ours, theirs, set(self.wrong))
        step = math.gcd(*(place - first for place in self.wrong)) if len(self.wrong) > 2 else 0
        if step > 1:
            yield f"Every wrong one is a multiple of {step} from it; the last is " + (
                places.describe(self.wrong[-1]) + "."
            )
        elif len(self.wrong) > 1:
            yield f"The last is {places.describe(self.wrong[-1])}."


class _Places:
    """How elements of a buffer are called: by work-item, by index, in one dimension or more."""

    def __init__(self, actual: object, expected: object, count: int) -> None:
        size = actual.global_size if isinstance(actual, Buffer) else None
        self._local = actual.local_size if isinstance(actual, Buffer) else None
        self.kind = "element"
        shape = getattr(actual, "shape", None) or getattr(expected, "shape", None) or (count,)
        if size is not None and math.prod(size) == count:
            self.kind = "work-item"
            shape = size[::-1]
        while len(shape) > 1 and shape[0] == 1:
            shape = shape[1:]
        self._shape: tuple[int, ...] = tuple(shape)

    def index(self, place: int) -> tuple[int, ...]:
        """The index along each axis, the fastest last."""
        found = []
        for length in reversed(self._shape):
            place, part = divmod(place, length)
            found.append(part)
        return tuple(reversed(found))

    def name(self, place: int) -> str:
        """A work-item's global id, X first; an element's index."""
        index = self.index(place)
        if self.kind == "work-item":
            return "({},{},{})".format(*(*reversed(index), 0, 0)[:3])
        return f"[{','.join(map(str, index))}]"

    def describe(self, place: int) -> str:
        """The same, with the work-group."""
        local = self._local
        if self.kind != "work-item" or local is None:
            return f"{self.kind} {self.name(place)}"
        ids = (*reversed(self.index(place)), 0, 0)[:3]
        group = ",".join(str(one // size) for one, size in zip(ids, local, strict=True))
        inside = ",".join(str(one % size) for one, size in zip(ids, local, strict=True))
        return f"work-item {self.name(place)} (work-group ({group}), local id ({inside}))"

    def around(
        self, first: int, ours: Sequence[Any], theirs: Sequence[Any], wrong: set[int]
    ) -> Iterator[str]:
        """What is around ``first``: its neighbours along the fastest axis, and in the lines before
        and after it where there are two dimensions."""
        if len(self._shape) == 1:
            near = range(max(first - _AROUND, 0), min(first + _AROUND + 1, len(ours)))
            rows = [(self.name(each), _text(ours[each]), _text(theirs[each])) for each in near]
            names = (self.kind, "is", "expected")
            widths = [max(len(row[column]) for row in (*rows, names)) for column in range(3)]
            for mark, row in ((" ", names), *zip(map(_mark(wrong), near), rows, strict=True)):
                cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
                yield f"  {mark} {'  '.join(cells)}".rstrip()
            return
        for title, values in (("is", ours), ("expected", theirs)):
            yield f"  {title}, around it (wrong ones are marked with >):"
            yield from self._window(first, values, wrong if title == "is" else set())

    def _window(self, first: int, values: Sequence[Any], wrong: set[int]) -> Iterator[str]:
        row, column = self.index(first)[-2:]
        height, width = self._shape[-2:]
        base = first - row * width - column
        rows = range(max(row - _AROUND, 0), min(row + _AROUND + 1, height))
        columns = range(max(column - _AROUND, 0), min(column + _AROUND + 1, width))
        mark = _mark(wrong)
        lines = [[base + y * width + x for x in columns] for y in rows]
        cells = [[mark(place) + _text(values[place]) for place in line] for line in lines]
        widest = max(len(cell) for line in cells for cell in line)
        for y, line in zip(rows, cells, strict=True):
            start = self.name(base + y * width + columns[0])
            yield f"    {start:<14}{'  '.join(cell.rjust(widest) for cell in line)}"


def _mark(wrong: set[int]) -> Callable[[int], str]:
    return lambda place: ">" if place in wrong else " "


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def _flat(values: Any) -> Sequence[Any]:  # noqa: ANN401
    """All elements, the last axis fastest."""
    if isinstance(values, Buffer):
        return values.values
    if hasattr(values, "ravel"):  # NumPy's and those like it
        found: list[Any] = values.ravel().tolist()
        return found
    if _is_number(values):
        return [values]
    flat: list[Any] = []
    for each in values:
        if isinstance(each, Sequence) or hasattr(each, "ravel"):
            flat.extend(_flat(each))
        else:
            flat.append(each)
    return flat


def _text(value: Any) -> str:  # noqa: ANN401
    text = f"{value:.7g}" if isinstance(value, float) else str(value)
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"
