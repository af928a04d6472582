"""Messages to the load/store cache: send.ugm, send.ugml, send.slm and send.tgm.

Fields as in the "LSC" messages of Intel's programmer's reference manuals.
"""

from __future__ import annotations

from zedbg.xe import load_store_fields as fields
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


def load_store_message(send: SendWords) -> DataMessage | None:
    """What ``send`` accesses, None for a fence; raises MessageError."""
    operation = send.field(*fields.OPERATION)
    if operation == fields.FENCE:
        return None
    access = _access(operation)
    if send.function is SharedFunction.TGM:
        return DataMessage(access, AddressModel.IMAGE)
    data_bytes = fields.DATA_BYTES[send.field(*fields.DATA_SIZE)]
    if operation in fields.BLOCK_2D:
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
    address_bytes = fields.ADDRESS_BYTES[send.field(*fields.ADDRESS_SIZE)]
    if not address_bytes or not data_bytes:
        raise MessageError("its descriptor has a reserved size")
    model, surface = _target(send, address_bytes)
    order = AddressOrder.PER_LANE
    if operation in fields.STRIDED:
        order = AddressOrder.STRIDED
    elif operation not in fields.BY_COMPONENT and send.field(*fields.TRANSPOSED):
        order = AddressOrder.BLOCK
    if operation in fields.BY_COMPONENT:
        count = send.field(*fields.COMPONENTS).bit_length()
    else:
        count = fields.VECTOR_COUNTS[send.field(*fields.VECTOR_SIZE)]
    # A single element may lie anywhere; vectors, blocks and atomics at multiples of their elements.
    is_single = (
        count == 1
        and order is not AddressOrder.BLOCK
        and access is not Access.ATOMIC
        and operation not in fields.BY_COMPONENT
    )
    return DataMessage(
        access,
        model,
        order,
        surface,
        address_bytes,
        offset=_immediate_offset(send),
        extent=count * data_bytes,
        alignment=1 if is_single else data_bytes,
    )


def _access(operation: int) -> Access:
    if operation in fields.ATOMICS:
        return Access.ATOMIC
    if operation in fields.STORES:
        return Access.WRITE
    if operation in fields.LOADS:
        return Access.READ
    raise MessageError(f"operation {operation:#x} of the load/store cache is not known")


def _target(send: SendWords, address_bytes: int) -> tuple[AddressModel, int]:
    """What addresses are relative to, and the surface."""
    match send.field(*fields.ADDRESS_TYPE):
        case 0:
            if send.function is SharedFunction.SLM:
                return AddressModel.LOCAL, 0
            return (AddressModel.FLAT if address_bytes == 8 else AddressModel.STATELESS), 0
        case 3:
            index = send.extended >> fields.INDEX_SHIFT & 0xFF
            if index == fields.STATELESS_INDEX:
                return AddressModel.STATELESS, 0
            return AddressModel.BINDING_TABLE, index
        case kind:
            fine = send.extended_bindless_offset or send.platform is Platform.XE2
            state = send.extended & (fields.STATE_MASK_FINE if fine else fields.STATE_MASK)
            if kind == fields.BINDLESS:
                return AddressModel.HEAP_SURFACE, state
            return AddressModel.SCRATCH_SURFACE, state


def _immediate_offset(send: SendWords) -> int:
    """Bytes added to each address: Xe2 keeps them in unused bits of the extended descriptor."""
    if send.platform is not Platform.XE2:
        return 0
    bits = send.extended_offset if send.extended_in_register else send.extended
    match send.field(*fields.ADDRESS_TYPE):
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
