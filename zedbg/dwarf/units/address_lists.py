"""Range lists and location lists of a unit: those of DWARF 5 (7.25, 7.29) and the older ones
(DWARF 4, 2.6.2 and 2.17.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from zedbg.dwarf.reading.bytestream import ByteStream, EndOfBytesError
from zedbg.dwarf.reading.debug_info_error import DebugInfoError
from zedbg.dwarf.scopes.scopes import LocationEntry

_BASE_SELECTION = 0xFFFFFFFFFFFFFFFF
_EVERYWHERE = (0, 0xFFFFFFFFFFFFFFFF)


class _Entry(Enum):
    """What an entry of a list of DWARF 5 gives."""

    END = "end of list"
    BASE_INDEX = "base address, by index"
    START_END_INDEX = "start and end, by index"
    START_INDEX_LENGTH = "start, by index, and length"
    OFFSETS = "offsets from the base address"
    DEFAULT = "default location"
    BASE = "base address"
    START_END = "start and end"
    START_LENGTH = "start and length"


_RANGE_ENTRIES = (
    _Entry.END,
    _Entry.BASE_INDEX,
    _Entry.START_END_INDEX,
    _Entry.START_INDEX_LENGTH,
    _Entry.OFFSETS,
    _Entry.BASE,
    _Entry.START_END,
    _Entry.START_LENGTH,
)
_LOCATION_ENTRIES = (
    _Entry.END,
    _Entry.BASE_INDEX,
    _Entry.START_END_INDEX,
    _Entry.START_INDEX_LENGTH,
    _Entry.OFFSETS,
    _Entry.DEFAULT,
    _Entry.BASE,
    _Entry.START_END,
    _Entry.START_LENGTH,
)


@dataclass(frozen=True)
class ListReader:
    """Reads the lists of one unit.

    ``version``: the unit's; ``base``: the address that offsets in lists count from at first;
    ``section`` gives the bytes of a debug section by its name; ``address_at`` an address of the
    unit by its index in ``.debug_addr``.
    """

    name: str  # of the unit, for errors
    version: int
    address_size: int  # bytes
    base: int
    section: Callable[[str], bytes]
    address_at: Callable[[int], int]

    def ranges(self, offset: int) -> list[tuple[int, int]]:
        """The range list at ``offset`` (bytes) of its section: first addresses, and those after
        the last; empty ranges are left out. Raises DebugInfoError for a list without an end."""
        section = ".debug_rnglists" if self.version >= 5 else ".debug_ranges"
        stream = self._stream(section, offset)
        try:
            found = list(
                self._newer_ranges(stream) if self.version >= 5 else self._older(stream, False)
            )
        except EndOfBytesError as error:
            raise self._endless("range", offset) from error
        return [(low, high) for low, high, _ in found if low < high]

    def locations(self, offset: int) -> tuple[LocationEntry, ...]:
        """The location list at ``offset`` (bytes) of its section, without empty ranges; one that
        holds where no other does comes last. Raises DebugInfoError as :meth:`ranges`."""
        section = ".debug_loclists" if self.version >= 5 else ".debug_loc"
        stream = self._stream(section, offset)
        try:
            found = list(
                self._newer_locations(stream) if self.version >= 5 else self._older(stream, True)
            )
        except EndOfBytesError as error:
            raise self._endless("location", offset) from error
        entries = [LocationEntry(*each) for each in found if each[0] < each[1]]
        return tuple(sorted(entries, key=lambda entry: (entry.low, entry.high) == _EVERYWHERE))

    def _stream(self, section: str, offset: int) -> ByteStream:
        return ByteStream(self.section(section), offset)

    def _endless(self, what: str, offset: int) -> DebugInfoError:
        return DebugInfoError(self.name, f"a {what} list has no end (offset {offset:#x})")

    def _older(self, stream: ByteStream, has_places: bool) -> Iterator[tuple[int, int, bytes]]:
        base, size = self.base, self.address_size
        while True:
            low, high = stream.unsigned(size), stream.unsigned(size)
            if low == _BASE_SELECTION & ((1 << size * 8) - 1):
                base = high
            elif low == high == 0:
                return
            else:
                place = stream.block(stream.unsigned(2)) if has_places else b""
                yield base + low, base + high, place

    def _newer_ranges(self, stream: ByteStream) -> Iterator[tuple[int, int, bytes]]:
        for low, high in self._newer(stream, _RANGE_ENTRIES):
            yield low, high, b""

    def _newer_locations(self, stream: ByteStream) -> Iterator[tuple[int, int, bytes]]:
        for low, high in self._newer(stream, _LOCATION_ENTRIES):
            yield low, high, stream.block(stream.uleb())

    def _newer(self, stream: ByteStream, kinds: tuple[_Entry, ...]) -> Iterator[tuple[int, int]]:
        base, size = self.base, self.address_size
        while True:
            number = stream.unsigned(1)
            if number >= len(kinds):
                raise DebugInfoError(self.name, f"a list has an entry of unknown kind {number:#x}")
            match kinds[number]:
                case _Entry.END:
                    return
                case _Entry.BASE_INDEX:
                    base = self.address_at(stream.uleb())
                case _Entry.BASE:
                    base = stream.unsigned(size)
                case _Entry.START_END_INDEX:
                    yield self.address_at(stream.uleb()), self.address_at(stream.uleb())
                case _Entry.START_INDEX_LENGTH:
                    start = self.address_at(stream.uleb())
                    yield start, start + stream.uleb()
                case _Entry.OFFSETS:
                    yield base + stream.uleb(), base + stream.uleb()
                case _Entry.START_END:
                    yield stream.unsigned(size), stream.unsigned(size)
                case _Entry.START_LENGTH:
                    start = stream.unsigned(size)
                    yield start, start + stream.uleb()
                case _Entry.DEFAULT:
                    yield _EVERYWHERE
