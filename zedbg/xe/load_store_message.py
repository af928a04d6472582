"""Messages to the load/store cache: send.ugm, send.ugml, send.slm and send.tgm.

Fields as in the "LSC" messages of Intel's programmer's reference manuals.
"""

from __future__ import annotations

from zedbg.xe.data_message import (
    Access,
    AddressModel,
    AddressOrder,
    DataMessage,
    Elements,
    MessageError,
    SendWords,
)
from zedbg.xe.isa import load_store
from zedbg.xe.isa.load_store import AddressType, Shape
from zedbg.xe.isa.messages import RESPONSE_LENGTH, DataOperation
from zedbg.xe.isa.names import SharedFunction
from zedbg.xe.isa.platform import Platform

_ACCESS = {
    DataOperation.LOAD: Access.READ,
    DataOperation.STORE: Access.WRITE,
    DataOperation.ATOMIC: Access.ATOMIC,
}
_HIGH_UNIT = 1 << load_store.SURFACE_LOW_OFFSET.width  # bytes


def load_store_message(send: SendWords) -> DataMessage | None:
    """What ``send`` accesses, None for a fence; raises MessageError."""
    operation = _operation(load_store.OPERATION.of(send.descriptor))
    if operation.shape is Shape.FENCE:
        return None
    access = _ACCESS[operation.operation]
    if send.function is SharedFunction.TGM:
        return DataMessage(access, AddressModel.IMAGE)
    data = load_store.DATA_SIZES[load_store.DATA_SIZE.of(send.descriptor)]
    if operation.shape is Shape.BLOCK2D:
        x, y = _block_offsets(send)
        return DataMessage(
            access,
            AddressModel.FLAT,
            AddressOrder.BLOCK_2D,
            address_bytes=8,
            extent=0 if data is None else data.memory_bytes,
            block_x=x,
            block_y=y,
            elements=_elements(send, operation, 1),
        )
    address = load_store.ADDRESS_SIZES[load_store.ADDRESS_SIZE.of(send.descriptor)]
    if address is None or data is None:
        raise MessageError("its descriptor has a reserved size")
    model, surface = _target(send, address.bytes)
    order = AddressOrder.PER_LANE
    if operation.shape is Shape.STRIDED:
        order = AddressOrder.STRIDED
    elif operation.shape is Shape.VECTOR and load_store.TRANSPOSED.of(send.descriptor):
        order = AddressOrder.BLOCK
    if operation.shape is Shape.COMPONENTS:
        components = load_store.COMPONENT_MASK.of(send.descriptor)
    else:
        vector = load_store.VECTOR_SIZES[load_store.VECTOR_SIZE.of(send.descriptor)]
        components = (1 << vector) - 1
    count = components.bit_length()
    # A single element may lie anywhere; vectors, blocks and atomics at multiples of their elements.
    is_single = (
        count == 1
        and order is not AddressOrder.BLOCK
        and access is not Access.ATOMIC
        and operation.shape is not Shape.COMPONENTS
    )
    return DataMessage(
        access,
        model,
        order,
        surface,
        address.bytes,
        offset=_immediate_offset(send),
        extent=count * data.memory_bytes,
        alignment=1 if is_single else data.memory_bytes,
        elements=_elements(send, operation, components),
    )


def _elements(send: SendWords, operation: load_store.Operation, components: int) -> Elements:
    data = load_store.DATA_SIZES[load_store.DATA_SIZE.of(send.descriptor)]
    is_rectangle = operation.shape is Shape.BLOCK2D
    return Elements(
        memory_bytes=0 if data is None else data.memory_bytes,
        register_bytes=0 if data is None else data.register_bytes,
        is_high_half=data is not None and data.high_half,
        components=components,
        transposed=is_rectangle and bool(load_store.TRANSPOSED.of(send.descriptor)),
        transformed=is_rectangle and bool(load_store.TRANSFORMED.of(send.descriptor)),
        atomic=operation.atomic,
        returns_data=bool(RESPONSE_LENGTH.of(send.descriptor)),
    )


def _operation(number: int) -> load_store.Operation:
    if number < len(load_store.OPERATIONS):
        operation = load_store.OPERATIONS[number]
        if operation.shape is not Shape.UNSUPPORTED:
            return operation
    raise MessageError(f"operation {number:#x} of the load/store cache is not known")


def _target(send: SendWords, address_bytes: int) -> tuple[AddressModel, int]:
    """What addresses are relative to, and the surface."""
    match AddressType(load_store.ADDRESS_TYPE.of(send.descriptor)):
        case AddressType.FLAT:
            if send.function is SharedFunction.SLM:
                return AddressModel.LOCAL, 0
            return (AddressModel.FLAT if address_bytes == 8 else AddressModel.STATELESS), 0
        case AddressType.BTI:
            index = load_store.BINDING_TABLE_INDEX.of(send.extended)
            if index == load_store.STATELESS_INDEX:
                return AddressModel.STATELESS, 0
            return AddressModel.BINDING_TABLE, index
        case kind:
            fine = send.extended_bindless_offset or send.platform is Platform.XE2
            mask = load_store.SURFACE_OFFSET_MASK
            state = send.extended & (load_store.SURFACE_OFFSET_MASK_EX_BSO if fine else mask)
            if kind is AddressType.BSS:
                return AddressModel.HEAP_SURFACE, state
            return AddressModel.SCRATCH_SURFACE, state


def _immediate_offset(send: SendWords) -> int:
    """Bytes added to each address: Xe2 keeps them in unused bits of the extended descriptor."""
    if send.platform is not Platform.XE2:
        return 0
    bits = send.extended_offset if send.extended_in_register else send.extended
    match AddressType(load_store.ADDRESS_TYPE.of(send.descriptor)):
        case AddressType.FLAT:
            return load_store.FLAT_OFFSET.signed_of(bits)
        case AddressType.BTI:
            return load_store.BINDING_TABLE_OFFSET.signed_of(bits)
        case _:
            high = load_store.SURFACE_HIGH_OFFSET.signed_of(bits)
            return high * _HIGH_UNIT + load_store.SURFACE_LOW_OFFSET.of(bits)


def _block_offsets(send: SendWords) -> tuple[int, int]:
    if send.platform is not Platform.XE2 or send.extended_in_register:
        return 0, 0
    x, y = load_store.BLOCK_X, load_store.BLOCK_Y
    return x.signed_of(send.extended), y.signed_of(send.extended)
