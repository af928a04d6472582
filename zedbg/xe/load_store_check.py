"""Why a message to the load/store cache is not executed, as far as its descriptors tell, and how
many registers it takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zedbg.xe import load_store_fields as fields
from zedbg.xe.data_message import SendWords
from zedbg.xe.isa import Platform
from zedbg.xe.isa.names import SharedFunction
from zedbg.xe.message_payload import Payload, registers

_WIDE_ADDRESS = 8  # bytes
_RARE = frozenset({0x1B, 0x1D, 0x1E, 0x20})  # status, compression, states: no compiler's
_ONE = 1  # the vector's code for one element
_LEAST_LANES = {Platform.XE_HPG: 8}  # that a payload has room for
_LEAST_LANES_SINCE = 16


@dataclass(frozen=True)
class _Shape:
    """A message's descriptor, in words."""

    send: SendWords
    operation: int
    data_bytes: int  # in memory
    register_bytes: int

    @property
    def is_atomic(self) -> bool:
        return self.operation in fields.ATOMICS

    @property
    def is_store(self) -> bool:
        return self.operation in fields.STORES

    @property
    def address_type(self) -> int:
        return self.send.field(*fields.ADDRESS_TYPE)

    @property
    def is_transposed(self) -> bool:
        by_component = self.operation in fields.BY_COMPONENT
        return not by_component and bool(self.send.field(*fields.TRANSPOSED))

    @property
    def elements(self) -> int:
        """Elements of a lane."""
        if self.operation in fields.BY_COMPONENT:
            return self.send.field(*fields.COMPONENTS).bit_count()
        return fields.VECTOR_COUNTS[self.send.field(*fields.VECTOR_SIZE)]


def _shape(send: SendWords) -> _Shape:
    size = send.field(*fields.DATA_SIZE)
    operation = send.field(*fields.OPERATION)
    return _Shape(send, operation, fields.DATA_BYTES[size], fields.REGISTER_BYTES[size])


def load_store_problems(send: SendWords) -> tuple[str, ...]:
    """What is wrong with the descriptors of a message that is no image's; empty for none."""
    shape = _shape(send)
    if shape.operation > fields.LAST_OPERATION:
        return ("reserved operation",)
    if shape.operation == fields.FENCE:
        return ()
    if shape.operation in _RARE:
        return ("operation not implemented",)
    if not shape.data_bytes:
        return ("reserved data size",)
    if shape.operation in fields.BLOCK_2D:
        return tuple(_rectangle_problems(shape))
    if not send.field(*fields.ADDRESS_SIZE):
        return ("reserved address size",)
    return tuple(_vector_problems(shape))


def _vector_problems(shape: _Shape) -> Iterator[str]:
    send = shape.send
    address_bytes = fields.ADDRESS_BYTES[send.field(*fields.ADDRESS_SIZE)]
    in_surface = shape.address_type in (fields.BINDLESS, fields.SCRATCH)
    if shape.address_type != fields.FLAT and address_bytes == _WIDE_ADDRESS:
        yield "64-bit addresses in a surface"
    if send.platform is not Platform.XE2 and send.extended_offset:
        yield "immediate offset beside an extended descriptor in a register"
    if send.platform is Platform.XE2 and in_surface and not send.extended_in_register:
        yield "a surface state's offset that is an immediate"
    if not shape.elements:
        yield "no component is enabled"
    if shape.is_transposed and (shape.is_atomic or shape.operation in fields.STRIDED):
        yield "transposed data in this operation"
    elif shape.is_transposed and shape.data_bytes != shape.register_bytes:
        yield "transposed data that change their size"
    if shape.is_atomic and shape.elements != _ONE:
        yield "atomic of a vector"


def operand_problems(send: SendWords) -> tuple[str, ...]:
    """What is wrong with the data of a message whose descriptors are right."""
    shape = _shape(send)
    if shape.is_atomic and send.field(*fields.DATA_SIZE) not in fields.ATOMIC_DATA_SIZES:
        return ("atomic of this data size",)
    return ()


def _rectangle_problems(shape: _Shape) -> Iterator[str]:
    send = shape.send
    transposed = send.field(*fields.TRANSPOSED)
    transformed = send.field(*fields.TRANSFORMED)
    if send.platform is Platform.XE_HPG:
        yield "this device has no two-dimensional blocks"
    if shape.address_type != fields.FLAT or send.function is SharedFunction.SLM:
        yield "a two-dimensional block that is not in global memory"
    if shape.data_bytes != shape.register_bytes:
        yield "a two-dimensional block of elements that change their size"
    if shape.is_store and (transposed or transformed):
        yield "a two-dimensional block that is stored transposed or transformed"
    if transposed and transformed:
        yield "a two-dimensional block both transposed and transformed"
    if transformed and shape.data_bytes > 2:
        yield "a transformed block of elements above 16 bits"
    if transposed and shape.data_bytes < 4:
        yield "a transposed block of elements below 32 bits"


def load_store_payload(send: SendWords, lanes: int) -> Payload | None:
    """The registers of a message without problems for ``lanes`` lanes; None for a fence. A
    rectangle's data depend on what its payload says."""
    shape = _shape(send)
    if shape.operation == fields.FENCE:
        return None
    if shape.operation in fields.BLOCK_2D:
        return Payload(addresses=1)
    slots = max(lanes, _LEAST_LANES.get(send.platform, _LEAST_LANES_SINCE))
    address_bytes = fields.ADDRESS_BYTES[send.field(*fields.ADDRESS_SIZE)]
    per_lane = not shape.is_transposed and shape.operation not in fields.STRIDED
    addresses = registers(send, slots * address_bytes) if per_lane else 1
    if shape.is_transposed:
        data = registers(send, shape.elements * shape.data_bytes)
    else:
        data = registers(send, slots * shape.register_bytes) * shape.elements
    if shape.is_atomic:
        responds = send.response_length != 0
        return Payload(addresses, data * _operands(shape.operation), data if responds else 0)
    return Payload(addresses, data=data) if shape.is_store else Payload(addresses, response=data)


def load_store_alignment(send: SendWords) -> int:
    """Bytes that each address of a load or store without problems is a multiple of."""
    shape = _shape(send)
    is_single = shape.elements == 1 and shape.operation not in fields.BY_COMPONENT
    if is_single and not shape.is_transposed:
        return 1
    return shape.data_bytes


def _operands(operation: int) -> int:
    """Values that a lane sends with an atomic operation."""
    if operation in fields.WITHOUT_OPERAND:
        return 0
    return 2 if operation in fields.COMPARISONS else 1
