"""What messages write: to registers from memory, and to memory from registers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zedbg.xe.data_cache_message import data_cache_message
from zedbg.xe.data_message import (
    Access,
    AddressModel,
    AddressOrder,
    DataMessage,
    SendWords,
)
from zedbg.xe.flow.operands import whole_registers
from zedbg.xe.flow.places import (
    Assignment,
    MemoryPlace,
    OtherPlace,
    RegisterPlace,
    Role,
    Source,
    Space,
)
from zedbg.xe.flow.thread_view import (
    ThreadView,
    acting_lanes,
    address_dword,
    predicate_places,
)
from zedbg.xe.instruction import Decoded, Operand, Send
from zedbg.xe.isa.messages import RESPONSE_LENGTH, AtomicOperation, DescriptorField
from zedbg.xe.isa.names import SharedFunction
from zedbg.xe.isa.platform import Platform
from zedbg.xe.load_store_message import load_store_message
from zedbg.xe.matrix_block import MatrixBlock
from zedbg.xe.registers import RegisterKind

LOAD_STORE = frozenset(
    {SharedFunction.UGM, SharedFunction.UGML, SharedFunction.SLM, SharedFunction.TGM}
)
DATA_CACHE = frozenset({SharedFunction.DC0, SharedFunction.DC1})
OUTSIDE = OtherPlace("zero, since the address is outside the surface")
IMAGE = OtherPlace("an image")
_FENCE = OtherPlace("zero, since a fence gives nothing back")
_LOW_HALF = OtherPlace("zero, in the lower half")
_LOCAL_MASK = 0x0FFF_FFFF  # bits of a pointer to local memory that count
_EVERY_BIT = (1 << 64) - 1
_SOURCE1_LENGTH = DescriptorField(6, 5)  # of an extended descriptor in a register
_WITHOUT_OPERAND = frozenset(
    {
        *(AtomicOperation.INCREMENT, AtomicOperation.DECREMENT),
        *(AtomicOperation.PRE_DECREMENT, AtomicOperation.LOAD),
    }
)
_TWO_OPERANDS = frozenset(
    {AtomicOperation.COMPARE_EXCHANGE, AtomicOperation.FLOAT_COMPARE_EXCHANGE}
)


def send_words(view: ThreadView, send: Send) -> SendWords:
    """A send with the descriptors that it would have now."""
    return SendWords(
        platform=view.platform,
        function=send.function,
        descriptor=address_dword(view, 0) if send.descriptor is None else send.descriptor,
        extended=address_dword(view, send.extended_descriptor_subregister)
        if send.extended_descriptor is None
        else send.extended_descriptor,
        extended_in_register=send.extended_descriptor is None,
        extended_bindless_offset=send.extended_bindless_offset,
        extended_offset=send.extended_offset,
    )


def data_message(send: SendWords) -> DataMessage | None:
    """The message of ``send``; None when it accesses no memory. Raises MessageError."""
    if send.function in LOAD_STORE:
        return load_store_message(send)
    if send.function in DATA_CACHE:
        return data_cache_message(send)
    return None


def message(decoded: Decoded, view: ThreadView) -> Iterator[Assignment]:
    """What each lane of a send writes. Raises MessageError where the message is not read."""
    send = decoded.send
    if send is None or not acting_lanes(decoded, view):
        return
    words = send_words(view, send)
    if send.function is SharedFunction.SAMPLER:
        yield from _image_reply(decoded, view, words)
        return
    if send.function not in LOAD_STORE | DATA_CACHE:
        return
    data = data_message(words)
    if data is None:
        yield from _fence_reply(decoded, view, words)
        return
    if data.model is AddressModel.IMAGE:
        yield from _image_reply(decoded, view, words)
        if data.access is not Access.READ:
            sources = tuple(_payload_of(decoded, view, words))
            yield Assignment(None, IMAGE, sources)
        return
    transfer = _Transfer(decoded, view, send, words, data)
    if data.order is AddressOrder.BLOCK:
        yield from transfer.block()
    elif data.order is AddressOrder.BLOCK_2D:
        yield from transfer.rectangle()
    elif data.access is Access.ATOMIC:
        yield from transfer.atomics()
    else:
        yield from transfer.lanes()


@dataclass(frozen=True)
class _Transfer:
    """One message to memory, in front of its execution."""

    decoded: Decoded
    view: ThreadView
    send: Send
    words: SendWords
    data: DataMessage

    # --- where data are ------------------------------------------------------------------------

    @property
    def _grf(self) -> int:
        return self.view.platform.grf_bytes

    @property
    def _slots(self) -> int:
        own = self.data.elements.slots
        return own or max(self.decoded.execution_size, self.view.platform.native_lanes)

    @property
    def _address_registers(self) -> int:
        """Registers of header and addresses, in the first source."""
        start = self.data.address_start if self.data.order is AddressOrder.PER_LANE else 0
        size = self._grf
        if self.data.order is AddressOrder.PER_LANE:
            size = self._slots * self.data.address_bytes
        return start // self._grf + -(-size // self._grf)

    def _data(self, offset: int, size: int) -> RegisterPlace:
        """``size`` bytes of the data of the message: in the response, or what is stored."""
        if self.data.access is Access.READ:
            return whole_registers(self.view, self._destination, offset, size)
        return self._stored(offset, size)

    def _stored(self, offset: int, size: int) -> RegisterPlace:
        first, second = self.decoded.sources
        if _source1_length(self.decoded, self.view.platform, self.words):
            return whole_registers(self.view, second, offset, size)
        start = self._address_registers * self._grf
        return whole_registers(self.view, first, start + offset, size)

    @property
    def _destination(self) -> Operand:
        return self.decoded.destination or Operand()

    @property
    def _is_prefetch(self) -> bool:
        return self.data.access is Access.READ and self._destination.is_null

    def _component_block(self) -> int:
        """Bytes of registers of one component of all slots."""
        size = self._slots * self.data.elements.register_bytes
        return -(-size // self._grf) * self._grf

    # --- where addresses are -------------------------------------------------------------------

    def _payload(self, offset: int, size: int) -> RegisterPlace:
        return whole_registers(self.view, self.decoded.sources[0], offset, size)

    def _number(self, offset: int, size: int) -> int:
        general = self.view.read_registers(RegisterKind.GRF)
        return self._payload(offset, size).value(general)

    def _offset_at(self, slot: int) -> tuple[int, tuple[RegisterPlace, ...]]:
        """The offset in the surface, and the registers that say it."""
        size, start = self.data.address_bytes, self.data.address_start
        if not size:
            return self.data.offset, ()
        if self.data.order is AddressOrder.STRIDED:
            address = self._number(0, size) + slot * self._number(8, 4)
            return self._shifted(address), (self._payload(0, size), self._payload(8, 4))
        at = start + (slot * size if self.data.order is AddressOrder.PER_LANE else 0)
        return self._shifted(self._number(at, size)), (self._payload(at, size),)

    def _shifted(self, address: int) -> int:
        mask = _EVERY_BIT
        if self.data.model is AddressModel.LOCAL:
            mask = _LOCAL_MASK
        elif self.data.address_shift:
            # Units are counted in the data cache's 32-bit offsets only, which wrap around in bytes.
            mask = _EVERY_BIT >> 32
        # The sum does not wrap around in fewer bits: hardware finds the address out of bounds.
        return (address << self.data.address_shift & mask) + self.data.offset & _EVERY_BIT

    def _memory(self, offset: int, size: int) -> MemoryPlace | OtherPlace:
        if self.data.model is AddressModel.LOCAL:
            return MemoryPlace(Space.LOCAL, offset, size)
        extent = self.view.extent_of(self.data)
        if extent is None:
            return OtherPlace("memory that is not known")
        if offset + size > extent.size:
            return OUTSIDE
        return MemoryPlace(Space.GLOBAL, extent.base + offset, size)

    def _where(self, places: tuple[RegisterPlace, ...], lane: int | None) -> tuple[Source, ...]:
        """What says where, and whether, for ``lane``."""
        conditions = () if lane is None else predicate_places(self.decoded, lane)
        return (
            *(Source(place, Role.ADDRESS) for place in places),
            *_descriptor_sources(self.send),
            *(Source(place, Role.CONDITION) for place in conditions),
        )

    # --- what is written -----------------------------------------------------------------------

    def _moved(
        self,
        lane: int | None,
        memory: MemoryPlace | OtherPlace,
        register: RegisterPlace,
        where: tuple[Source, ...],
        is_copy: bool = True,
    ) -> Iterator[Assignment]:
        if self.data.access is Access.READ:
            yield Assignment(lane, register, (Source(memory), *where), is_copy)
        elif memory is not OUTSIDE:
            yield Assignment(lane, memory, (Source(register), *where), is_copy)

    def lanes(self) -> Iterator[Assignment]:
        """Elements at an address for each lane."""
        if self._is_prefetch:
            return
        elements = self.data.elements
        is_copy = elements.memory_bytes == elements.register_bytes
        for lane in acting_lanes(self.decoded, self.view):
            slot = lane - self.decoded.channel_offset
            if slot >= self._slots:
                continue
            offset, places = self._offset_at(slot)
            where = self._where(places, lane)
            for block, component in enumerate(_bits_of(elements.components)):
                at = offset + component * elements.memory_bytes
                memory = self._memory(at, elements.memory_bytes)
                first = block * self._component_block() + slot * elements.register_bytes
                size = elements.register_bytes
                copied = is_copy
                if elements.is_high_half or self.data.access is Access.WRITE:
                    copied, size = True, elements.memory_bytes
                if elements.is_high_half:
                    if self.data.access is Access.READ:
                        yield Assignment(lane, self._data(first, 2), (Source(_LOW_HALF), *where))
                    first += 2
                register = self._data(first, size)
                yield from self._moved(lane, memory, register, where, copied)

    def block(self) -> Iterator[Assignment]:
        """Bytes that follow each other, at one address for the whole thread."""
        if self._is_prefetch:
            return
        offset, places = self._offset_at(0)
        where = self._where(places, None)
        start = self.data.elements.register_start
        whole = self._memory(offset, self.data.extent)
        if isinstance(whole, MemoryPlace):
            yield from self._moved(None, whole, self._data(start, whole.size), where)
            return
        for done in range(0, self.data.extent, 4):  # a surface may end in between
            size = min(4, self.data.extent - done)
            memory = self._memory(offset + done, size)
            yield from self._moved(None, memory, self._data(start + done, size), where)

    def rectangle(self) -> Iterator[Assignment]:
        """The elements of a rectangle of a matrix; those outside the matrix are zero."""
        if self._is_prefetch:
            return
        general = self.view.read_registers(RegisterKind.GRF)
        payload = self._payload(0, self._grf)
        matrix = MatrixBlock.read(self.data, general[payload.first : payload.first + self._grf])
        where = self._where((payload,), None)
        covered = []
        for address, position, size in _rectangle_runs(self.data, matrix, self._grf):
            covered.append((position, size))
            memory = MemoryPlace(Space.GLOBAL, address, size)
            yield from self._moved(None, memory, self._data(position, size), where)
        if self.data.access is Access.READ:
            end = _rectangle_bytes(self.data, matrix, self._grf)
            at = 0
            for position, size in [*sorted(covered), (end, 0)]:
                if at < position:
                    rest = self._data(at, position - at)
                    yield Assignment(None, rest, (Source(OUTSIDE), *where))
                at = max(at, position + size)

    def atomics(self) -> Iterator[Assignment]:
        """Lane after lane: a lane finds what the lanes before it left."""
        elements = self.data.elements
        operation = elements.atomic
        count = 2 if operation in _TWO_OPERANDS else 0 if operation in _WITHOUT_OPERAND else 1
        before: dict[MemoryPlace, tuple[Source, ...]] = {}
        for lane in acting_lanes(self.decoded, self.view):
            slot = lane - self.decoded.channel_offset
            if slot >= self._slots:
                continue
            offset, places = self._offset_at(slot)
            memory = self._memory(offset, elements.memory_bytes)
            where = self._where(places, lane)
            position = slot * elements.register_bytes
            operands = tuple(
                Source(
                    self._stored(block * self._component_block() + position, elements.memory_bytes)
                )
                for block in range(count)
            )
            earlier = before.get(memory, ()) if isinstance(memory, MemoryPlace) else ()
            found = (Source(memory), *earlier)
            if elements.returns_data and not self._destination.is_null:
                size = elements.register_bytes
                register = whole_registers(self.view, self._destination, position, size)
                yield Assignment(lane, register, (*found, *where))
            if isinstance(memory, MemoryPlace) and operation is not AtomicOperation.LOAD:
                kept = () if operation is AtomicOperation.STORE else found
                yield Assignment(lane, memory, (*operands, *kept, *where))
                before[memory] = (*earlier, *operands)


def _bits_of(mask: int) -> Iterator[int]:
    return (bit for bit in range(mask.bit_length()) if mask >> bit & 1)


def _source1_length(decoded: Decoded, platform: Platform, words: SendWords) -> int:
    """Registers of the second source."""
    send = decoded.send
    if send is None or decoded.sources[1].is_null:
        return 0
    has_bindless = platform is not Platform.XE2 or send.function is not SharedFunction.UGM
    if has_bindless and words.extended_in_register and not send.extended_bindless_offset:
        return _SOURCE1_LENGTH.of(words.extended)
    return send.source1_length or 0


def _descriptor_sources(send: Send) -> tuple[Source, ...]:
    """The address registers that descriptors are taken from."""
    found = []
    if send.descriptor is None:
        found.append(RegisterPlace.of_bytes(RegisterKind.ADDR, 0, 4))
    if send.extended_descriptor is None:
        first = 4 * send.extended_descriptor_subregister
        found.append(RegisterPlace.of_bytes(RegisterKind.ADDR, first, 4))
    return tuple(Source(place, Role.SURFACE) for place in found)


# --- rectangles --------------------------------------------------------------------------------


def _placement(data: DataMessage, matrix: MatrixBlock, grf: int) -> tuple[int, int]:
    """Bytes of a row in the registers, and of a block."""
    elements = data.elements
    rows, columns, unit = matrix.rows, matrix.columns, elements.memory_bytes
    if elements.transposed:
        rows, columns = columns, rows
    elif elements.transformed:
        rows = -(-rows * unit // 4)
        unit = 4
    row_bytes = (1 << (columns - 1).bit_length()) * unit
    return row_bytes, -(-rows * row_bytes // grf) * grf


def _rectangle_bytes(data: DataMessage, matrix: MatrixBlock, grf: int) -> int:
    return _placement(data, matrix, grf)[1] * matrix.blocks


def _rectangle_runs(
    data: DataMessage, matrix: MatrixBlock, grf: int
) -> Iterator[tuple[int, int, int]]:
    """Address, position in the registers, and bytes of what is inside the matrix: of rows as far as
    they follow each other in the registers, else of elements."""
    size = data.elements.memory_bytes
    row_bytes, block_bytes = _placement(data, matrix, grf)
    plain = not (data.elements.transposed or data.elements.transformed)
    for block in range(matrix.blocks):
        left = matrix.left + block * matrix.columns
        inside = [
            column
            for column in range(matrix.columns)
            if (left + column) * size >= 0 and (left + column + 1) * size <= matrix.width
        ]
        for row in range(matrix.rows):
            y = matrix.top + row
            if not 0 <= y < matrix.height or not inside:
                continue
            base = matrix.base + y * matrix.pitch
            runs = [(inside[0], len(inside))] if plain else [(column, 1) for column in inside]
            for column, count in runs:
                at = _rectangle_position(data, row_bytes, row, column)
                yield base + (left + column) * size, block * block_bytes + at, count * size


def _rectangle_position(data: DataMessage, row_bytes: int, row: int, column: int) -> int:
    size = data.elements.memory_bytes
    if data.elements.transposed:
        return column * row_bytes + row * size
    if data.elements.transformed:
        together = 4 // size
        return row // together * row_bytes + column * 4 + row % together * size
    return row * row_bytes + column * size


# --- what has no addresses -----------------------------------------------------------------------


def _payload_of(decoded: Decoded, view: ThreadView, words: SendWords) -> Iterator[Source]:
    """The whole payload."""
    grf = view.platform.grf_bytes
    second = _source1_length(decoded, view.platform, words)
    for operand, length in zip(decoded.sources, (words.source0_length, second), strict=False):
        if length and not operand.is_null:
            yield Source(whole_registers(view, operand, 0, length * grf))
    if decoded.send is not None:
        yield from _descriptor_sources(decoded.send)


def _response(decoded: Decoded, view: ThreadView, words: SendWords) -> RegisterPlace | None:
    destination, length = decoded.destination, RESPONSE_LENGTH.of(words.descriptor)
    if destination is None or destination.is_null or not length:
        return None
    return whole_registers(view, destination, 0, length * view.platform.grf_bytes)


def _image_reply(decoded: Decoded, view: ThreadView, words: SendWords) -> Iterator[Assignment]:
    """What comes back from an image: as a whole, since its payloads have very many forms."""
    response = _response(decoded, view, words)
    if response is not None:
        yield Assignment(None, response, (Source(IMAGE), *_payload_of(decoded, view, words)))


def _fence_reply(decoded: Decoded, view: ThreadView, words: SendWords) -> Iterator[Assignment]:
    response = _response(decoded, view, words)
    if response is not None:
        yield Assignment(None, response, (Source(_FENCE),))
