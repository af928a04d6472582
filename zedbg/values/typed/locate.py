"""Where a variable lies, in each lane, as homes that values are read from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from zedbg.dwarf import DebugInfo, Variable
from zedbg.dwarf.expressions.fixed_places import fixed_places
from zedbg.dwarf.expressions.lane_addresses import LaneAddress, lane_address
from zedbg.dwarf.expressions.machine import SLM_ADDRESS_CLASS, MemorySpace
from zedbg.dwarf.expressions.places import (
    ImplicitPlace,
    LaneGroup,
    LaneNumber,
    MemoryPlace,
    PiecedPlace,
    Place,
    RegisterPlace,
    SimplePlace,
    ValuePlace,
    of_lane,
)
from zedbg.dwarf.frames.frame_state import FrameState
from zedbg.dwarf.frames.variable_frame import evaluator_in
from zedbg.missing import Missing, MissingError
from zedbg.values.typed.homes import (
    DataHome,
    Home,
    InterleavedHome,
    MemoryHome,
    Part,
    PartsHome,
    RegisterHome,
)
from zedbg.xe.registers import dwarf_register

# An SLM address carries this bit, or an address space in its top byte, besides the offset.
_SLM_OFFSET_MASK = (1 << 24) - 1
SLM_POINTER_TAG = 1 << 28  # which zetDebugReadMemory wants set in such addresses
# Generic pointers say in bits 63:61 where they point; 000 and 111 are ordinary addresses.
_TAG_SHIFT = 61
_TAG_PRIVATE = 1
_TAG_LOCAL = 2


def unreadable(space: MemorySpace, address: int) -> str:
    """That ``address`` of ``space`` cannot be accessed, and what may be meant by it."""
    if space is MemorySpace.SLM:
        return f"Cannot access shared local memory at offset {address & _SLM_OFFSET_MASK:#x}"
    address &= (1 << 64) - 1
    message = f"Cannot access memory at address {address:#x}"
    if address & ~_SLM_OFFSET_MASK == SLM_POINTER_TAG:  # as a local pointer is shown
        message += f"; in shared local memory it is @slm {address & _SLM_OFFSET_MASK:#x}"
    return message


def memory_home(address: int, address_class: int | None) -> MemoryHome:
    """What a pointer with ``address`` points to; ``address_class`` is that of its type."""
    tag = address >> _TAG_SHIFT
    if address_class == SLM_ADDRESS_CLASS or tag == _TAG_LOCAL:
        return MemoryHome(MemorySpace.SLM, address & _SLM_OFFSET_MASK)
    if tag == _TAG_PRIVATE:
        # Bits 58:56 continue the address into the place of the tag.
        address = address & ~(7 << _TAG_SHIFT) | (address >> 56 & 7) << _TAG_SHIFT
    return MemoryHome(MemorySpace.GLOBAL, address)


def generic_local_address(address: int) -> int:
    """The generic pointer to an address of shared local memory."""
    return _TAG_LOCAL << _TAG_SHIFT | address & _SLM_OFFSET_MASK


def locate(
    info: DebugInfo,
    variable: Variable,
    frame: FrameState,
    address: int,
    lanes: Sequence[int],
    active_lanes: int,
) -> list[Home | Missing]:
    """Where ``variable`` is while the code at ``address`` executes: one home a lane.

    What differs between lanes is missing in the lanes that ``active_lanes`` (a mask) leaves out:
    there the place may hold anything.
    """
    if variable.constant is not None:
        constant = variable.constant
        if isinstance(constant, int):
            size = variable.type.size
            constant = (constant & ((1 << size * 8) - 1)).to_bytes(size, "little")
        return [DataHome(constant)] * len(lanes)
    expression = info.location_expression(variable, address)
    if isinstance(expression, Missing):
        return [expression] * len(lanes)
    fixed = _register_homes(expression, tuple(lanes), variable.type.size)
    if fixed is not None:
        homes, is_uniform = fixed
        if is_uniform and not info.code.changes_in_loop(expression, address):
            return list(homes)
        return [
            home if active_lanes >> lane & 1 else Missing(f"lane {lane} is inactive")
            for home, lane in zip(homes, lanes, strict=True)
        ]
    summed = lane_address(expression)
    if summed is not None:
        return _summed_homes(summed, info, variable, frame, address, lanes, active_lanes)
    partition = info.interleaved_partition(variable, address)
    width = info.simd_width_at(address)
    found: dict[int, Home | Missing] = {}
    for group in evaluator_in(info, variable, frame, address, lanes).place(expression):
        for index, lane in enumerate(group.lanes):
            if _differs(group) and not active_lanes >> lane & 1:
                found[lane] = Missing(f"lane {lane} is inactive")
            else:
                home = _home(group.place, index, variable)
                if partition and isinstance(home, MemoryHome):
                    first = home.address + lane * (partition - variable.type.size)
                    home = InterleavedHome(home.space, first, partition, partition * width)
                found[lane] = home
    return [found[lane] for lane in lanes]


def _summed_homes(
    summed: LaneAddress,
    info: DebugInfo,
    variable: Variable,
    frame: FrameState,
    address: int,
    lanes: Sequence[int],
    active_lanes: int,
) -> list[Home | Missing]:
    """Homes at addresses that are registers and the lane times a distance."""
    try:
        base = summed.base(frame)
    except MissingError as error:
        return [error.missing] * len(lanes)
    partition = info.interleaved_partition(variable, address)
    step = partition * info.simd_width_at(address) if partition else 0
    stride = summed.stride
    first_lanes = (1 << len(lanes)) - 1
    is_active = (
        active_lanes & first_lanes == first_lanes and len(lanes) == max(lanes, default=0) + 1
    )
    every_lane = lanes and (not stride or is_active)
    if every_lane and not partition and is_plain(base, variable):
        # What most variables of most threads come to, without a call for each lane.
        return [MemoryHome(MemorySpace.GLOBAL, base + lane * stride) for lane in lanes]
    found: list[Home | Missing] = []
    for lane in lanes:
        if summed.stride and not active_lanes >> lane & 1:
            found.append(Missing(f"lane {lane} is inactive"))
        elif partition:
            home = memory_home(base + lane * partition, variable.address_class)
            found.append(InterleavedHome(home.space, home.address, partition, step))
        else:
            home = memory_home(base + lane * summed.stride, variable.address_class)
            found.append(home)
    return found


def is_untagged(address: int) -> bool:
    """Whether a generic pointer's number is the address itself, of global memory; so are all below
    it."""
    return not address >> _TAG_SHIFT


def is_plain(address: int, variable: Variable) -> bool:
    """Whether addresses from ``address`` on are of global memory, and mean themselves."""
    return is_untagged(address) and variable.address_class != SLM_ADDRESS_CLASS


@lru_cache(maxsize=4096)
def _register_homes(
    expression: bytes, lanes: tuple[int, ...], size: int
) -> tuple[tuple[RegisterHome, ...], bool] | None:
    """The registers of ``lanes`` that hold a value of ``size`` bytes, and whether they are the same
    for all lanes; None when it is not in registers, or those are not the same in every thread."""
    groups = fixed_places(expression, lanes)
    if not groups:
        return None
    found: dict[int, RegisterHome] = {}
    for group in groups:
        place = group.place
        bits = place.source if isinstance(place, ValuePlace) else None
        bits = place.bits if isinstance(place, RegisterPlace) else bits
        if bits is None or 0 < bits.bit_size < size * 8:
            return None
        for index, lane in enumerate(group.lanes):
            register = dwarf_register(of_lane(bits.registers, index))
            if register is None:
                return None
            found[lane] = RegisterHome(register, of_lane(bits.bit_offsets, index))
    homes = tuple(found[lane] for lane in lanes)
    return homes, not any(map(_differs, groups))


def _differs(group: LaneGroup) -> bool:
    """Whether a group's place differs from lane to lane."""
    place = group.place
    places = [piece.place for piece in place.pieces] if isinstance(place, PiecedPlace) else [place]
    return any(
        isinstance(number, tuple)
        for each in places
        for number in _numbers(each)
        if each is not None
    )


def _numbers(place: Place | None) -> tuple[LaneNumber, ...]:
    if isinstance(place, MemoryPlace):
        return (place.addresses,)
    if isinstance(place, ValuePlace):
        # What a value was read from decides: it is not always read.
        source = place.source
        return (
            (source.registers, source.bit_offsets)
            if source is not None
            else ()
            if place.values is None
            else (place.values,)
        )
    if isinstance(place, RegisterPlace):
        return (place.bits.registers, place.bits.bit_offsets)
    return ()


def _home(place: Place, index: int, variable: Variable) -> Home | Missing:
    if isinstance(place, Missing):
        return place
    if isinstance(place, PiecedPlace):
        parts = tuple(
            Part(
                _part_home(piece.place, index, variable),
                piece.bit_offset,
                piece.bit_size,
            )
            for piece in place.pieces
        )
        return PartsHome(parts)
    return _simple_home(place, index, variable)


def _part_home(
    place: SimplePlace | None, index: int, variable: Variable
) -> MemoryHome | RegisterHome | DataHome | None:
    return None if place is None else _simple_home(place, index, variable)


def _simple_home(
    place: SimplePlace, index: int, variable: Variable
) -> MemoryHome | RegisterHome | DataHome:
    if isinstance(place, MemoryPlace):
        return memory_home(of_lane(place.addresses, index), variable.address_class)
    if isinstance(place, ImplicitPlace):
        return DataHome(place.data)
    bits = place.bits if isinstance(place, RegisterPlace) else place.source
    if bits is not None and (bits.bit_size == 0 or bits.bit_size >= variable.type.size * 8):
        register = dwarf_register(of_lane(bits.registers, index))
        if register is not None:
            return RegisterHome(register, of_lane(bits.bit_offsets, index))
    values = place.values if isinstance(place, ValuePlace) else None
    value = of_lane(values, index) if values is not None else 0
    return DataHome(value.to_bytes(8, "little"))
