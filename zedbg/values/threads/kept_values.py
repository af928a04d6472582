"""What is known of work-items at all stops of their launch: kept while that is not too much."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from zedbg.spirv.work_item.activation import KnownValues

_MOST_VALUES = 1_000_000  # some 250 bytes each


@dataclass
class KeptValues:
    """Those of the work-items of one launch."""

    _by_item: dict[Hashable, KnownValues] = field(default_factory=dict)
    _sizes: dict[Hashable, int] = field(default_factory=dict)  # when they were asked for
    _size: int = 0  # of all together

    def of(self, item: Hashable) -> KnownValues:
        """What is known of a work-item, to be added to."""
        if self._size > _MOST_VALUES:
            self._by_item.clear()
            self._sizes.clear()
            self._size = 0
        found = self._by_item.setdefault(item, KnownValues())
        size = found.size
        self._size += size - self._sizes.get(item, 0)
        self._sizes[item] = size
        return found
