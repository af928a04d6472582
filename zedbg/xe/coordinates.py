"""Names of hardware threads and lanes: ``1.17``, ``1.17:3``, ``1.*:*``, ``ZE 0.0.2.0``.

A thread has a short id (device number, then its number on that device, both from 1) and the
hardware name that Level Zero uses (slice, subslice, EU, thread, all from 0).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from zedbg.user_error import UserError

ANY = 0xFFFFFFFF  # the wildcard of ze_device_thread_t
MAX_LANES = 32


class CoordinateError(UserError, ValueError):
    """A thread or lane list that cannot be read; the message is one line for the user."""


@dataclass(frozen=True)
class Topology:
    """How many units a device has at each level, as ``ze_device_properties_t`` gives them."""

    slices: int
    subslices_per_slice: int
    eus_per_subslice: int
    threads_per_eu: int

    @property
    def thread_count(self) -> int:
        """Hardware threads of the whole device."""
        return self.slices * self.subslices_per_slice * self.eus_per_subslice * self.threads_per_eu

    def contains(self, thread: ThreadId) -> bool:
        """Whether every field of ``thread`` is inside; a wildcard is not."""
        return (
            0 <= thread.slice < self.slices
            and 0 <= thread.subslice < self.subslices_per_slice
            and 0 <= thread.eu < self.eus_per_subslice
            and 0 <= thread.thread < self.threads_per_eu
        )

    def ordinal(self, thread: ThreadId) -> int:
        """Position of ``thread`` from 0, slice-major; ValueError when it is not on the device."""
        if not self.contains(thread):
            raise ValueError(f"{thread.name} is not a thread of this device")
        subslice = thread.slice * self.subslices_per_slice + thread.subslice
        eu = subslice * self.eus_per_subslice + thread.eu
        return eu * self.threads_per_eu + thread.thread

    def thread(self, ordinal: int) -> ThreadId:
        """The thread at position ``ordinal``; ValueError when there is none."""
        if not 0 <= ordinal < self.thread_count:
            raise ValueError(f"thread ordinal {ordinal} is not below {self.thread_count}")
        rest, thread = divmod(ordinal, self.threads_per_eu)
        rest, eu = divmod(rest, self.eus_per_subslice)
        slice_, subslice = divmod(rest, self.subslices_per_slice)
        return ThreadId(slice_, subslice, eu, thread)

    def matching(self, pattern: ThreadId) -> Iterator[ThreadId]:
        """Every thread of the device that ``pattern`` (with wildcards) names, in ordinal order."""
        for slice_ in _choices(pattern.slice, self.slices):
            for subslice in _choices(pattern.subslice, self.subslices_per_slice):
                for eu in _choices(pattern.eu, self.eus_per_subslice):
                    for thread in _choices(pattern.thread, self.threads_per_eu):
                        yield ThreadId(slice_, subslice, eu, thread)


def _choices(field: int, count: int) -> Iterable[int]:
    if field == ANY:
        return range(count)
    return (field,) if field < count else ()


@dataclass(frozen=True, order=True)
class ThreadId:
    """A hardware thread's place, as ``ze_device_thread_t``; any field may be :data:`ANY`."""

    slice: int
    subslice: int
    eu: int
    thread: int

    @cached_property
    def fields(self) -> tuple[int, int, int, int]:
        """Slice, subslice, EU and thread."""
        return (self.slice, self.subslice, self.eu, self.thread)

    @property
    def is_single(self) -> bool:
        """Whether no field is a wildcard."""
        return ANY not in self.fields

    @property
    def is_all(self) -> bool:
        """Whether every field is a wildcard."""
        return all(field == ANY for field in self.fields)

    @property
    def name(self) -> str:
        """The hardware name: ``ZE 0.0.2.0``, with ``*`` for wildcards."""
        return "ZE " + ".".join("*" if field == ANY else str(field) for field in self.fields)

    def matches(self, single: ThreadId) -> bool:
        """Whether ``single`` is this thread, or one that this pattern names."""
        return all(
            mine in (ANY, other) for mine, other in zip(self.fields, single.fields, strict=True)
        )

    @classmethod
    def parse(cls, text: str) -> ThreadId:
        """Reads ``ZE 0.0.2.0`` or ``0.0.*.*``; CoordinateError when it is neither."""
        match = re.fullmatch(r"(?:ZE\s+)?(\*|\d+)\.(\*|\d+)\.(\*|\d+)\.(\*|\d+)", text.strip())
        if match is None:
            raise CoordinateError(f'"{text}" is not a hardware thread: SLICE.SUBSLICE.EU.THREAD')
        return cls(*(ANY if field == "*" else int(field) for field in match.groups()))


ALL_THREADS = ThreadId(ANY, ANY, ANY, ANY)


def lanes_of(mask: int) -> list[int]:
    """The lanes whose bits are set in ``mask``, in ascending order."""
    return [lane for lane in range(mask.bit_length()) if mask >> lane & 1]


def mask_of(lanes: Iterable[int]) -> int:
    """The mask with the bits of ``lanes`` set."""
    mask = 0
    for lane in lanes:
        mask |= 1 << lane
    return mask


@functools.lru_cache(maxsize=1024)  # thousands of threads have the same few masks
def format_lanes(mask: int, selected: int | None = None) -> str:
    """Lanes as GDB writes them: ``[0-7 12]``, with ``*`` before the ``selected`` lane."""
    parts: list[str] = []
    run: list[int] = []

    def flush() -> None:
        if run:
            parts.append(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}")
            run.clear()

    for lane in lanes_of(mask):
        if lane == selected:
            flush()
            parts.append(f"*{lane}")
            continue
        if run and lane != run[-1] + 1:
            flush()
        run.append(lane)
    flush()
    return f"[{' '.join(parts)}]"


def format_thread(
    device: int, number: int, lanes: int | None = None, selected: int | None = None
) -> str:
    """A thread with its lanes as GDB writes it: ``1.17``, ``1.17:3``, ``1.17:[0-7 12]``."""
    name = f"{device}.{number}"
    if not lanes:
        return name
    if lanes.bit_count() == 1:
        return f"{name}:{lanes_of(lanes)[0]}"
    return f"{name}:{format_lanes(lanes, selected)}"


def parse_lanes(text: str) -> int:
    """Reads lanes (``3``, ``0-7``, ``*``, ``[0-7 12]``) into a mask; CoordinateError if not so."""
    inner = text.strip()
    if inner.startswith("[") and inner.endswith("]"):
        inner = inner[1:-1]
    if not inner.split():
        raise CoordinateError(f'"{text}" names no lane')
    mask = 0
    for item in re.split(r"[\s,]+", inner.strip()):
        span = _parse_span(item.removeprefix("*") if item != "*" else item, "SIMD lane")
        last = MAX_LANES - 1 if span.last is None else span.last
        if last >= MAX_LANES:
            raise CoordinateError(f"Incorrect SIMD lane number: {last}.")
        mask |= mask_of(range(span.first, last + 1))
    return mask


@dataclass(frozen=True)
class Span:
    """Numbers from ``first`` to ``last``, both included; ``last`` None means no end (``*``)."""

    first: int
    last: int | None

    def __contains__(self, number: int) -> bool:
        return self.first <= number and (self.last is None or number <= self.last)

    @property
    def is_single(self) -> bool:
        """Whether it names exactly one number."""
        return self.first == self.last


@dataclass(frozen=True)
class ThreadPattern:
    """One element of a thread list; a part that is None is taken from the current focus."""

    device: Span | None
    thread: Span | None
    lanes: int | None  # mask; None when no lane was named

    def matches(self, device: int, number: int, focus: tuple[int, int] | None = None) -> bool:
        """Whether it names thread ``number`` of ``device``; ``focus`` is (device, number)."""
        if self.device is None:
            if focus is not None and device != focus[0]:
                return False
        elif device not in self.device:
            return False
        if self.thread is None:
            return focus is not None and (device, number) == focus
        return number in self.thread

    @property
    def is_single(self) -> bool:
        """Whether it can name one thread only, and at most one lane."""
        single_device = self.device is None or self.device.is_single
        single_thread = self.thread is None or self.thread.is_single
        return single_device and single_thread and (self.lanes is None or _one_bit(self.lanes))


def _one_bit(mask: int) -> bool:
    return mask.bit_count() == 1


def _parse_span(text: str, what: str) -> Span:
    if text == "*":
        return Span(1 if what != "SIMD lane" else 0, None)
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if match is None:
        raise CoordinateError(f'Invalid {what}: "{text}"')
    first = int(match[1])
    last = int(match[2]) if match[2] is not None else first
    if last < first:
        raise CoordinateError(f'Inverted range of {what}s: "{text}"')
    if first == 0 and what != "SIMD lane":
        raise CoordinateError(f"Zero is not a valid {what}: numbers start at 1")
    return Span(first, last)


_ELEMENT = re.compile(r"([^\s,:\[\]]*)(?::(\[[^\]]*\]|[^\s,\[\]]+))?")


def parse_threads(text: str) -> list[ThreadPattern]:
    """Reads a thread list: elements ``[DEVICE.]THREAD[:LANES]`` or ``:LANES``, apart by blanks.

    DEVICE, THREAD and LANES are a number, a range (``2-5``) or ``*``; LANES may be a bracketed
    list. Raises :class:`CoordinateError` naming the element that cannot be read.
    """
    patterns: list[ThreadPattern] = []
    position = 0
    while position < len(text):
        if text[position].isspace() or text[position] == ",":
            position += 1
            continue
        match = _ELEMENT.match(text, position)
        if match is None or match.end() == position:
            raise CoordinateError(f'Invalid thread ID: "{text[position:]}"')
        patterns.append(_parse_element(match[0], match[1], match[2]))
        position = match.end()
    if not patterns:
        raise CoordinateError("Empty thread list")
    return patterns


def _parse_element(element: str, thread: str, lanes: str | None) -> ThreadPattern:
    if not thread and lanes is None:
        raise CoordinateError(f'Invalid thread ID: "{element}"')
    lane_mask = parse_lanes(lanes) if lanes is not None else None
    if not thread:
        return ThreadPattern(None, None, lane_mask)
    device_text, dot, thread_text = thread.partition(".")
    if not dot:
        return ThreadPattern(None, _parse_span(device_text, "thread ID"), lane_mask)
    return ThreadPattern(
        _parse_span(device_text, "device number"), _parse_span(thread_text, "thread ID"), lane_mask
    )
