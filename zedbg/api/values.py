"""Values over the lanes of a thread, and over the work-items of a kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zedbg.api import html
from zedbg.dwarf.types.program_types import BaseType, Encoding, Type
from zedbg.engine.engine_errors import LaneError, NoThreadError
from zedbg.missing import Missing
from zedbg.user_error import UserError
from zedbg.values.formats.formatting import format_value
from zedbg.values.tables.export import numpy_elements
from zedbg.values.tables.item_table import Place, ThreadItems
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.scalars import is_scalar
from zedbg.values.typed.value import LaneValues, Plain, Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SHOWN_ITEMS = 64


def plain(value: Value | Missing) -> Plain | Missing:
    """A value as Python has it: numbers, lists, dictionaries by member; or why there is none."""
    return value if isinstance(value, Missing) else value.plain()


class Values:
    """The value of an expression in each lane of a thread that it was asked for.

    A scalar is an int, a float or a bool, an array or vector a list, a structure a dictionary by
    member; a lane without a value has a :class:`~zedbg.Missing`, which says why.

    >>> values = thread["in[i]"]
    >>> values.lanes
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
    >>> values[3], values.type
    (3.0, 'const float')
    >>> thread["n"].is_uniform, thread["n"].value
    (True, 64)
    """

    def __init__(self, expression: str, values: LaneValues) -> None:
        self._expression = expression
        self._values = values

    @property
    def expression(self) -> str:
        """The text that was evaluated.

        >>> thread["i * 2"].expression
        'i * 2'
        """
        return self._expression

    @property
    def type(self) -> str:
        """The name of the type.

        >>> thread["in"].type
        'const float *'
        """
        return self._values.type.name

    @property
    def lane_numbers(self) -> tuple[int, ...]:
        """The lanes that the values are in.

        >>> thread["i"].lane_numbers
        (0, 1, 2, 3, 4, 5, 6, 7)
        """
        return self._values.lanes

    @cached_property
    def lanes(self) -> list[Any]:
        """The values, one for each of :attr:`lane_numbers`.

        >>> thread["i"].lanes
        [0, 1, 2, 3, 4, 5, 6, 7]
        """
        values = self._values
        if is_scalar(values.type) and not _is_boolean(values.type):
            return list(values.numbers)
        return [plain(each) for each in values.values]

    @property
    def value(self) -> Any:  # noqa: ANN401 - what the program's type is
        """The one value of an expression that is the same in all lanes, as arguments are.

        Raises :class:`~zedbg.EvaluationError` when lanes differ, or have none.

        >>> thread["n"].value
        64
        """
        first = self.lanes[0] if self.lanes else Missing("no lane is active")
        if isinstance(first, Missing):
            raise EvaluationError(f"{self._expression} has no value: {first.reason}.")
        if not self._values.is_uniform:
            raise EvaluationError(f"{self._expression} differs from lane to lane: take .lanes.")
        return first

    @property
    def is_uniform(self) -> bool:
        """Whether all lanes have the same value.

        >>> thread["i"].is_uniform
        False
        """
        return self._values.is_uniform

    @cached_property
    def doubtful(self) -> dict[int, str]:
        """Why the value of a lane may be wrong, by lane: only the compiler's debug information says
        so. A test that needs the value asserts that this is empty.

        >>> thread["i"].doubtful
        {}
        """
        pairs = zip(self._values.lanes, self._values.doubts, strict=True)
        return {lane: doubt for lane, doubt in pairs if doubt is not None}

    def text(self, lane: int) -> str:
        """The value in ``lane`` as the shell's ``print`` shows it; a doubtful one with ``(?)``.

        >>> thread["in"].text(0)
        '(const float *) 0x410000002000'
        """
        return format_value(self._values.of(self._require(lane)))

    def _require(self, lane: int) -> int:
        if lane not in self._values.lanes:
            raise LaneError(f"Lane {lane} is not among those that {self._expression} was asked of.")
        return lane

    def __getitem__(self, lane: int) -> Any:  # noqa: ANN401
        """The value in ``lane``; :class:`~zedbg.LaneError` when that was not asked for."""
        return self.lanes[self._values.lanes.index(self._require(lane))]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.lanes)

    def __len__(self) -> int:
        return len(self._values)

    def __index__(self) -> int:
        """A uniform integer or pointer can be used as one: ``session.memory[thread["p"]]``."""
        value = self.value
        if not isinstance(value, int):
            raise EvaluationError(f"{self._expression} is no integer.")
        return value

    def __repr__(self) -> str:
        count = len(self.doubtful)
        doubt = f", {count} doubtful" if count else ""
        return f"<Values {self._expression}: {self.lanes}{doubt}>"

    def _repr_html_(self) -> str:
        rows = [(lane, self.text(lane)) for lane in self._values.lanes]
        return html.table(("lane", "value"), rows, f"{self._expression}: {self.type}")


class WorkItemValues:
    """The value of an expression in every stopped work-item of a kernel, read together.

    >>> values = stop["in[i]"]
    >>> len(values), values[37, 0, 0]
    (64, 37.0)
    >>> values.over_work_items()[:4]
    array([0., 1., 2., 3.], dtype=float32)
    """

    def __init__(
        self, expression: str, threads: Sequence[ThreadItems], shape: Place | None
    ) -> None:
        """``shape``: work-items of the launch in X, Y and Z, None when that is not known."""
        self._expression = expression
        self._threads = threads
        self._shape = shape
        typed = [each.type for each in threads if each.type is not None]
        if not typed:
            raise EvaluationError(_first_reason(threads))
        self._type = typed[0]

    @property
    def expression(self) -> str:
        """The text that was evaluated.

        >>> stop["i"].expression
        'i'
        """
        return self._expression

    @property
    def type(self) -> str:
        """The name of the type.

        >>> stop["i"].type
        'int'
        """
        return self._type.name

    def __len__(self) -> int:
        return sum(len(each.lanes) for each in self._threads)

    @cached_property
    def by_work_item(self) -> dict[Place, Any]:
        """The values by global id (X, Y, Z), X fastest; a :class:`~zedbg.Missing` where there is
        none. Work-items whose id is not known are left out.

        >>> stop["i"].by_work_item[5, 0, 0]
        5
        """
        found: dict[Place, Any] = {}
        for each in self._threads:
            if each.global_ids is not None:
                found.update(zip(each.global_ids, self._plain(each), strict=True))
        return dict(sorted(found.items(), key=lambda pair: pair[0][::-1]))

    @cached_property
    def doubtful(self) -> dict[Place, str]:
        """Why the value of a work-item may be wrong, by global id: see :attr:`Values.doubtful`.

        >>> stop["i"].doubtful
        {}
        """
        return {
            place: doubt
            for each in self._threads
            if each.global_ids is not None and each.doubts
            for place, doubt in zip(each.global_ids, each.doubts, strict=True)
            if doubt is not None
        }

    def _plain(self, items: ThreadItems) -> list[Any]:
        if items.type is None:
            return list(items.data)
        return Values(self._expression, LaneValues(items.type, items.lanes, items.data)).lanes

    def __getitem__(self, work_item: int | Place) -> Any:  # noqa: ANN401
        """The value in one work-item, by its global id (X, Y, Z), or by X alone.

        Raises :class:`~zedbg.NoThreadError` when it is not among those that are stopped.
        """
        place = (work_item, 0, 0) if isinstance(work_item, int) else work_item
        try:
            return self.by_work_item[place]
        except KeyError:
            raise NoThreadError(f"No stopped work-item has the global id {place}.") from None

    def __iter__(self) -> Iterator[tuple[Place, Any]]:
        """Pairs of a global id and the value there."""
        return iter(self.by_work_item.items())

    def over_work_items(self) -> NDArray[Any]:
        """The values as a NumPy array in the shape of the ND-range: the last axis is
        ``get_global_id(0)``, as in SYCL; dimensions of one work-item are left out.

        Work-items that are not stopped here, or have no value, are masked: the array is then a
        ``numpy.ma.MaskedArray``. Doubtful values are in it; :attr:`doubtful` says which they are.
        Raises :class:`~zedbg.UserError` where NumPy is not installed, and
        :class:`~zedbg.EvaluationError` for types that it does not have.

        >>> stop["in[i] > 60"].over_work_items()[-4:]
        array([0, 1, 1, 1], dtype=int32)
        """
        try:
            import numpy
        except ImportError:
            raise UserError(
                "over_work_items() needs NumPy: pip install numpy, or take .by_work_item"
            ) from None
        element, inner = numpy_elements(self._type)
        known = [each for each in self._threads if each.global_ids is not None]
        places = numpy.array(
            [place for each in known for place in each.global_ids or ()], dtype=numpy.int64
        ).reshape(-1, 3)
        size = self._type.size
        blank = bytes(size)
        data = [datum for each in known for datum in each.data]
        missing = numpy.array([not isinstance(each, bytes) for each in data], dtype=bool)
        joined = b"".join([each if isinstance(each, bytes) else blank for each in data])
        flat = numpy.frombuffer(joined, numpy.dtype(element)).reshape(len(data), *inner)
        spans = self._shape or tuple(int(each) + 1 for each in places.max(axis=0, initial=0))
        shape = tuple(int(each) for each in reversed(spans))
        grid = numpy.zeros((*shape, *inner), dtype=flat.dtype)
        is_known = numpy.zeros(shape, dtype=bool)
        index = places[:, 2], places[:, 1], places[:, 0]
        grid[index] = flat
        is_known[index] = ~missing
        kept = tuple(length for length in shape if length > 1) or (1,)
        grid = grid.reshape(*kept, *inner)
        if is_known.all():
            return grid
        mask = ~is_known.reshape(kept)
        mask = numpy.broadcast_to(mask.reshape(*kept, *(1 for _ in inner)), grid.shape)
        masked: NDArray[Any] = numpy.ma.masked_array(grid, mask)
        return masked

    def __repr__(self) -> str:
        count = len(self.doubtful)
        doubt = f", {count} doubtful" if count else ""
        return f"<WorkItemValues {self._expression}: {self.type} in {len(self)} work-items{doubt}>"

    def _repr_html_(self) -> str:
        items = list(self.by_work_item.items())
        rows = [(",".join(map(str, place)), value) for place, value in items[:_SHOWN_ITEMS]]
        more = f", the first {_SHOWN_ITEMS}" if len(items) > _SHOWN_ITEMS else ""
        caption = f"{self._expression}: {self.type} in {len(items)} work-items{more}"
        return html.table(("global id", "value"), rows, caption)


def _first_reason(threads: Sequence[ThreadItems]) -> str:
    for each in threads:
        for datum in each.data:
            if isinstance(datum, Missing):
                return f"{datum.reason}."
    return "No stopped work-item executes this kernel."


def _is_boolean(value_type: Type) -> bool:
    stripped = value_type.stripped()
    return isinstance(stripped, BaseType) and stripped.encoding is Encoding.BOOLEAN
