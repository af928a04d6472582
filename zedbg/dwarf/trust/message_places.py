"""Which bytes of memory messages access, beside each other, by the instructions of a function.

Where the addresses of several messages are the same sum but for a number
(:mod:`zedbg.dwarf.trust.register_sums`), that says how far from each other what they access is.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.dwarf.trust.register_sums import RegisterSums, Sum
from zedbg.dwarf.trust.steps import Span, Step
from zedbg.xe.data_message import Access, AddressOrder, DataMessage, MessageError, SendWords
from zedbg.xe.flow.messages import data_message
from zedbg.xe.flow.operands import element_offset
from zedbg.xe.instruction import Decoded, RegisterFile
from zedbg.xe.isa.platform import Platform

#: The offset of an instruction, and bytes: the first, and the one after the last.
_Part = tuple[int, int, int]
_ORDERS = frozenset({AddressOrder.PER_LANE, AddressOrder.BLOCK})


@dataclass(frozen=True)
class MessagePlace:
    """Of the message at ``offset`` of the function, or its address: for each lane, ``extent`` bytes
    from ``begin`` on, of a memory that is meant as ``memory`` says. ``takers``: instructions that
    take what it loads, and which of those bytes they do; ``makers``: those that give what it
    stores; ``addressing``: those that give its addresses."""

    offset: int
    memory: tuple[object, ...]
    begin: Sum
    extent: int
    takers: tuple[_Part, ...]
    makers: tuple[_Part, ...]
    addressing: tuple[int, ...]

    def moved(self, low: int) -> MessagePlace:
        """The same with addresses, of a function that begins at ``low``."""

        def there(parts: tuple[_Part, ...]) -> tuple[_Part, ...]:
            return tuple((low + at, first, end) for at, first, end in parts)

        return replace(
            self,
            offset=low + self.offset,
            takers=there(self.takers),
            makers=there(self.makers),
            addressing=tuple(low + each for each in self.addressing),
        )


class MessagePlaces:
    """Those of the code ``flow``."""

    def __init__(self, flow: RegisterFlow, platform: Platform) -> None:
        self._flow = flow
        self._platform = platform
        self._sums = RegisterSums(flow, platform)
        self._known: dict[int, MessagePlace | None] = {}

    def of(self, steps: Sequence[Step]) -> list[MessagePlace | None]:
        """That of each of ``steps``; None where it is not known."""
        for each in steps:
            if each.offset not in self._known:
                self._known[each.offset] = self._found(each)
        return [self._known[each.offset] for each in steps]

    def uniform_place(self, term: Hashable, at: int) -> Span | None:
        """Where what ``term`` is, of a sum, is in front of the instruction at offset ``at``, if it
        is the same for all lanes; None where it is nowhere, or that is not known."""
        return self._sums.place(term, at, self._is_block)

    def _is_block(self, step: Step) -> bool:
        """Whether a message loads the same for all lanes."""
        message = self._message(step.decoded)
        return message is not None and message.order is AddressOrder.BLOCK

    def _found(self, step: Step) -> MessagePlace | None:
        message, decoded = self._message(step.decoded), step.decoded
        if message is None or message.order not in _ORDERS or not message.address_bytes:
            return None
        source = decoded.sources[0]
        if source.file is not RegisterFile.GRF or source.indirect or not step.reads:
            return None
        first = source.register_number * self._flow.grf_bytes + message.address_start
        begin = self._sums.at(first, step.offset).times(1 << message.address_shift)
        memory = (
            *(message.access, message.model, message.surface, message.order),
            *(decoded.execution_size, decoded.channel_offset),
        )
        return MessagePlace(
            step.offset,
            memory,
            begin.plus(Sum(message.offset)),
            message.extent,
            self._takers(step, message) if message.access is Access.READ else (),
            self._makers(step, message) if message.access is Access.WRITE else (),
            tuple(self._given(step.reads[0], step)),
        )

    def _given(self, place: Span, step: Step) -> list[int]:
        """The offsets of the instructions that give what ``place`` has in front of ``step``."""
        writers = self._flow.definitions(place, step.offset)
        return [self._flow.steps[each].offset for each in writers if each is not None]

    def _makers(self, step: Step, message: DataMessage) -> tuple[_Part, ...]:
        """The instructions that give each of the elements that ``step`` stores for a lane."""
        elements, found = message.elements, list[_Part]()
        if len(step.reads) < 2 or message.order is not AddressOrder.PER_LANE:
            return ()
        block, size = self._block(step, message), elements.memory_bytes
        for number in range(elements.components.bit_length()):
            first = step.reads[1].first + number * block
            for at in self._given(Span(first, first + block, 0), step):
                found.append((at, number * size, (number + 1) * size))
        return tuple(found)

    def _block(self, step: Step, message: DataMessage) -> int:
        """Bytes of registers that one component of all lanes takes."""
        slots = message.elements.slots
        slots = slots or max(step.decoded.execution_size, self._platform.native_lanes)
        grf = self._flow.grf_bytes
        return -(-slots * message.elements.register_bytes // grf) * grf

    def _message(self, decoded: Decoded) -> DataMessage | None:
        send = decoded.send
        if send is None or send.descriptor is None or send.extended_descriptor is None:
            return None
        words = SendWords(
            self._platform,
            send.function,
            send.descriptor,
            send.extended_descriptor,
            False,
            send.extended_bindless_offset,
            send.extended_offset,
        )
        try:
            return data_message(words)
        except MessageError:
            return None

    def _takers(self, step: Step, message: DataMessage) -> tuple[_Part, ...]:
        """The instructions that take what ``step`` loads, as far as each takes only that of its
        result."""
        written, found = step.writes, []
        if written is None or message.elements.components & message.elements.components + 1:
            return ()
        for each in self._flow.steps[self._flow.index_at(step.offset) + 1 :]:
            if each.decoded.send is not None or not any(one.meets(written) for one in each.reads):
                continue
            for source in each.decoded.sources:
                if source.file is not RegisterFile.GRF or source.indirect:
                    continue
                first = source.register_number * self._flow.grf_bytes + source.byte_offset
                size = each.decoded.execution_size
                at = [first + element_offset(source, lane) for lane in range(size)]
                taken = [Span(one, one + source.type.size, 0) for one in at]
                if not any(one.meets(written) for one in taken):
                    continue
                place = Span(min(at), max(at) + source.type.size, 0)
                own = self._flow.index_at(step.offset)
                bytes_of = [self._in_memory(one, step, message) for one in taken]
                known = {one for one in bytes_of if one is not None}
                if len(known) != 1 or None in bytes_of:
                    continue
                if self._flow.definitions(place, each.offset) == {own}:
                    ((low, high),) = known
                    found.append((each.offset, low, high))
        return tuple(found)

    def _in_memory(self, taken: Span, step: Step, message: DataMessage) -> tuple[int, int] | None:
        """Which of the bytes at the address ``taken``, a part of the result, has: from, to."""
        written, elements = step.writes, message.elements
        assert written is not None
        at = taken.first - written.first
        if not written.first <= taken.first < taken.end <= written.end:
            return None
        size = taken.end - taken.first
        if message.order is AddressOrder.BLOCK:
            if elements.memory_bytes != elements.register_bytes or elements.register_start:
                return None
            return at, at + size
        if elements.is_high_half:
            return None
        component, rest = divmod(at, self._block(step, message))
        byte = rest % elements.register_bytes
        low = component * elements.memory_bytes + byte
        if not byte:
            size = min(size, elements.memory_bytes)  # more are zeros
        return (low, low + size) if byte + size <= elements.memory_bytes else None
