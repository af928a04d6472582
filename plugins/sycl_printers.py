"""Values of SYCL's types as people write them: ids, ranges, items, vectors, accessors, half.

A plugin for zedbg (docs/plugins.md). It is loaded when a value of one of these types is shown. The
members are those of the headers of DPC++, with and without the inline namespace ``_V1``.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import zedbg

SYCL = r"(?:cl::)?sycl::(?:_V1::)?"


def numbers(value: zedbg.LaneValue) -> tuple[int, ...]:
    """The parts of an id or a range, which derive from one array."""
    return tuple(int(each) for each in value["common_array"])


def shown(value: zedbg.LaneValue) -> str:
    """``(4, 5)``."""
    return f"({', '.join(map(str, numbers(value)))})"


@zedbg.printer(SYCL + r"(?:id|range)<\d+>")
def id_or_range(value: zedbg.LaneValue) -> str:
    return shown(value)


@zedbg.printer(SYCL + r"nd_range<\d+>")
def nd_range(value: zedbg.LaneValue) -> str:
    parts = ("globalSize", "localSize", "offset")
    launch, group, offset = (shown(value[name]) for name in parts)
    from_where = f" from {offset}" if any(numbers(value["offset"])) else ""
    return f"{launch} in groups of {group}{from_where}"


@zedbg.printer(SYCL + r"item<\d+, ?(?:true|false)>")
def item(value: zedbg.LaneValue) -> str:
    base = value["MImpl"]
    return f"{shown(base['MIndex'])} of {shown(base['MExtent'])}"


@zedbg.printer(SYCL + r"group<\d+>")
def group(value: zedbg.LaneValue) -> str:
    return f"{shown(value['index'])} of {shown(value['groupRange'])}"


@zedbg.printer(SYCL + r"nd_item<\d+>")
def nd_item(value: zedbg.LaneValue) -> str:
    if "globalItem" not in value:
        return "this work-item: print $_global_id, $_local_id"  # newer headers keep nothing
    base, local = value["globalItem"]["MImpl"], value["localItem"]["MImpl"]
    return f"{shown(base['MIndex'])}, {shown(local['MIndex'])} in its group"


class _Elements:
    """An array in a member, shown as its elements; of a vector of three only those."""

    member = ""

    def __init__(self, value: zedbg.LaneValue) -> None:
        self.elements = value[self.member]
        if "_M_elems" in self.elements:  # a std::array
            self.elements = self.elements["_M_elems"]
        count = str(value.type).rpartition(",")[2].strip(" >UuLl")
        self.count = int(count) if count.isdecimal() else None

    def children(self) -> Iterator[tuple[str, zedbg.LaneValue]]:
        for index, element in enumerate(self.elements):
            if index != self.count:
                yield str(index), element
            else:
                return

    def display_hint(self) -> str:
        return "array"


@zedbg.printer(SYCL + r"vec<.*, ?\d+[UuLl]*>")
class Vector(_Elements):
    member = "m_Data"


@zedbg.printer(SYCL + r"marray<.*, ?\d+[UuLl]*>")
class MathArray(_Elements):
    member = "MData"


@zedbg.printer(SYCL + r"detail::half_impl::half")
def half(value: zedbg.LaneValue) -> str:
    (number,) = struct.unpack("<e", value["Data"].data)
    return f"{number:.5g}"


@zedbg.printer(SYCL + r"ext::oneapi::bfloat16")
def bfloat16(value: zedbg.LaneValue) -> str:
    (number,) = struct.unpack("<f", bytes(2) + value["value"].data)
    return f"{number:.4g}"


@zedbg.printer(SYCL + r"(?:host_)?(?:local_)?accessor<.*>")
def accessor(value: zedbg.LaneValue) -> str:
    sizes, pointer = value["impl"], int(value["MData"])
    offset = numbers(sizes["Offset"])
    from_where = f" from {shown(sizes['Offset'])}" if any(offset) else ""
    return f"{shown(sizes['AccessRange'])} at {pointer:#x}{from_where}"


@zedbg.printer(SYCL + r"multi_ptr<.*>")
def multi_ptr(value: zedbg.LaneValue) -> str:
    return f"{int(value['m_Pointer']):#x}"
