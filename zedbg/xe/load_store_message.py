"""Messages to the load/store cache: send.ugm, send.ugml, send.slm and send.tgm.

Fields as in the "LSC" messages of Intel's programmer's reference manuals.
"""

from __future__ import annotations

from zedbg.xe.data_message import (
    Access,
    AddressModel,
    AddressOrder,
    DataMessage,
    MessageError,
    SendWords,
)
from zedbg.xe.isa import Platform
from zedbg.xe.isa.names import SharedFunction

_OPERATION = (0, 6)
_ADDRESS_SIZE, _ADDRESS_BYTES = (7, 2), (0, 2, 4, 8)
_DATA_SIZE, _DATA_BYTES = (9, 3), (1, 2, 4, 8, 1, 2, 2, 0)
_VECTOR_SIZE, _VECTOR_COUNTS = (12, 3), (1, 2, 3, 4, 8, 16, 32, 64)
_COMPONENTS = (12, 4)  # of the operations on components, instead of a vector's size
_TRANSPOSED = (15, 1)
_ADDRESS_TYPE = (29, 2)
_FLAT, _BINDLESS, _SCRATCH, _BINDING_TABLE = range(4)

_STRIDED = frozenset({0x01, 0x05})
_BY_COMPONENT = frozenset({0x02, 0x06})
_BLOCK_2D = frozenset({0x03, 0x07})
_STORES = frozenset({0x04, 0x05, 0x06, 0x07, 0x1C})
_LOADS = frozenset({0x00, 0x01, 0x02, 0x03, 0x1B})
_ATOMICS = range(0x08, 0x1B)
_FENCE = 0x1F

# In the extended descriptor.
_STATE_MASK, _STATE_MASK_FINE = 0xFFFF_F800, 0xFFFF_FFC0
_INDEX_SHIFT = 24
_STATELESS_INDEX = 0xFF


def load_store_message(send: SendWords) -> DataMessage | None:
    """What ``send`` accesses, None for a fence; raises MessageError."""
    operation = send.field(*_OPERATION)
    if operation == _FENCE:
        return None
    access = _access(operation)
    if send.function is SharedFunction.TGM:
        return DataMessage(access, AddressModel.IMAGE)
    data_bytes = _DATA_BYTES[send.field(*_DATA_SIZE)]
    if operation in _BLOCK_2D:
        x, y = _block_offsets(send)
        return DataMessage(
            access,
            AddressModel.FLAT,
            AddressOrder.BLOCK_2D,
            address_bytes=8,
            extent=data_bytes,
            block_x=x,
            block_y=y,
        )
    address_bytes = _ADDRESS_BYTES[send.field(*_ADDRESS_SIZE)]
    if not address_bytes or not data_bytes:
        raise MessageError("its descriptor has a reserved size")
    model, surface = _target(send, address_bytes)
    order = AddressOrder.PER_LANE
    if operation in _STRIDED:
        order = AddressOrder.STRIDED
    elif operation not in _BY_COMPONENT and send.field(*_TRANSPOSED):
        order = AddressOrder.BLOCK
    if operation in _BY_COMPONENT:
        count = send.field(*_COMPONENTS).bit_length()
    else:
        count = _VECTOR_COUNTS[send.field(*_VECTOR_SIZE)]
    return DataMessage(
        access,
        model,
        order,
        surface,
        address_bytes,
        offset=_immediate_offset(send),
        extent=count * data_bytes,
    )


def _access(operation: int) -> Access:
    if operation in _ATOMICS:
        return Access.ATOMIC
    if operation in _STORES:
        return Access.WRITE
    if operation in _LOADS:
        return Access.READ
    raise MessageError(f"operation {operation:#x} of the load/store cache is not known")


def _target(send: SendWords, address_bytes: int) -> tuple[AddressModel, int]:
    """What addresses are relative to, and the surface."""
    match send.field(*_ADDRESS_TYPE):
        case 0:
            if send.function is SharedFunction.SLM:
                return AddressModel.LOCAL, 0
            return (AddressModel.FLAT if address_bytes == 8 else AddressModel.STATELESS), 0
        case 3:
            index = send.extended >> _INDEX_SHIFT & 0xFF
            if index == _STATELESS_INDEX:
                return AddressModel.STATELESS, 0
            return AddressModel.BINDING_TABLE, index
        case kind:
            fine = send.extended_bindless_offset or send.platform is Platform.XE2
            state = send.extended & (_STATE_MASK_FINE if fine else _STATE_MASK)
            if kind == _BINDLESS:
                return AddressModel.HEAP_SURFACE, state
            return AddressModel.SCRATCH_SURFACE, state


def _immediate_offset(send: SendWords) -> int:
    """Bytes added to each address: Xe2 keeps them in unused bits of the extended descriptor."""
    if send.platform is not Platform.XE2:
        return 0
    bits = send.extended_offset if send.extended_in_register else send.extended
    match send.field(*_ADDRESS_TYPE):
        case 0:
            return _signed(bits >> 12, 20)
        case 3:
            return _signed(bits >> 12, 12)
        case _:
            return _signed(bits >> 19, 13) * 16 + (bits >> 12 & 0xF)


def _block_offsets(send: SendWords) -> tuple[int, int]:
    if send.platform is not Platform.XE2 or send.extended_in_register:
        return 0, 0
    return _signed(send.extended >> 12, 10), _signed(send.extended >> 22, 10)


def _signed(value: int, width: int) -> int:
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value
