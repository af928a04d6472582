"""Where a kernel's payload lies: in memory, and in registers once its prologue has loaded it.

The registers after r0 hold, in this order: the thread's local ids; the inline data, which is the
front of the cross-thread data and delivered in a register; and the rest of the cross-thread data,
which the prologue loads from memory. Each part starts on a register of its own. That is what the
prologues of compiled kernels do on devices with registers of 32 and of 64 bytes; offsets are those
of ``payload_arguments`` and ``per_thread_payload_arguments`` in the zeinfo specification.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from zedbg.zebin.zeinfo import KernelInfo

LOCAL_IDS = "local_id"
PACKED_LOCAL_IDS = "packed_local_ids"  # X, Y and Z of the one work-item of a SIMD1 kernel's thread
_FIRST_REGISTER = 1  # r0 is the thread's header
# Cross-thread data are padded to this, also where registers are longer (as the prologues of kernels
# for Xe-HPC and Xe2 compute the place of the local ids after it).
_CROSS_THREAD_GRANULE = 32


class PayloadPart(Enum):
    """How a part of the payload reaches the thread."""

    PER_THREAD = "per thread"
    INLINE = "inline"
    CROSS_THREAD = "cross-thread"


@dataclass(frozen=True)
class PayloadField:
    """One argument's place. ``offset`` and ``size`` are bytes within its part.

    ``memory_offset`` counts from the payload's start in memory (r0.0 of the thread); None for what
    only travels in a register, and for per-thread data, of which every thread has its own.
    ``register`` and ``register_byte`` say where it starts after the prologue.
    """

    part: PayloadPart
    kind: str  # the argument type of the zeinfo specification
    argument_index: int | None  # None for what the runtime adds
    offset: int
    size: int
    register: int
    register_byte: int
    memory_offset: int | None

    def register_text(self, grf_bytes: int) -> str:
        """``r7.24-31``, or ``r1-r6`` for whole registers."""
        last = self.register_byte + self.size - 1
        last_register, last_byte = self.register + last // grf_bytes, last % grf_bytes
        if self.register_byte == 0 and last_byte == grf_bytes - 1:
            several = last_register > self.register
            return f"r{self.register}-r{last_register}" if several else f"r{self.register}"
        if last_register == self.register:
            return f"r{self.register}.{self.register_byte}-{last_byte}"
        return f"r{self.register}.{self.register_byte}-r{last_register}.{last_byte}"


@dataclass(frozen=True)
class PayloadMap:
    """The payload of one kernel; sizes are bytes.

    In memory lie the cross-thread data without the inline data, then each thread's own part.
    """

    grf_bytes: int
    simd_width: int  # lanes of a thread
    fields: tuple[PayloadField, ...]
    per_thread_size: int
    cross_thread_size: int  # the inline data included
    inline_size: int

    @property
    def memory_size(self) -> int:
        """How much of the cross-thread data lies in memory: the first thread's part is after it."""
        return max(self.cross_thread_size - self.inline_size, 0)

    @property
    def inline_register(self) -> int:
        """The register that the inline data arrives in."""
        return _FIRST_REGISTER + self.per_thread_size // self.grf_bytes

    @property
    def _memory_register(self) -> int:
        """The register from which on the prologue loads the rest."""
        return self.inline_register + -(-self.inline_size // self.grf_bytes)

    def offset_in_registers(self, first: int, size: int) -> int | None:
        """The offset in the cross-thread data of what the registers have after the prologue in
        ``size`` bytes from byte ``first`` on, counted from r0; None for what is not of it."""
        inline, memory = (
            each * self.grf_bytes for each in (self.inline_register, self._memory_register)
        )
        if inline <= first and first + size <= inline + self.inline_size:
            return first - inline
        if memory <= first and first + size <= memory + self.memory_size:
            return first - memory + self.inline_size
        return None

    @cached_property
    def local_id(self) -> PayloadField | None:
        """The lanes' local ids in a thread's part; None when the kernel uses none."""
        kinds = (LOCAL_IDS, PACKED_LOCAL_IDS)
        return next((field for field in self.fields if field.kind in kinds), None)

    def field_of(self, kind: str) -> PayloadField | None:
        """The cross-thread argument of type ``kind``; None when the kernel has none."""
        return next(
            (f for f in self.fields if f.kind == kind and f.part != PayloadPart.PER_THREAD), None
        )

    @property
    def registers(self) -> int:
        """How many registers the payload takes, with the header."""
        parts = (self.per_thread_size, min(self.inline_size, self.cross_thread_size))
        return _FIRST_REGISTER + sum(
            -(-size // self.grf_bytes) for size in (*parts, self.memory_size)
        )


def payload_map(info: KernelInfo, grf_bytes: int) -> PayloadMap:
    """The payload of a kernel for a device with registers of ``grf_bytes`` bytes."""
    per_thread_size = _align(
        max((a.offset + a.size for a in info.per_thread_payload_arguments), default=0), grf_bytes
    )
    inline_size = max(info.execution.inline_data_payload_size, 0)
    inline_register = _FIRST_REGISTER + per_thread_size // grf_bytes
    memory_register = inline_register + -(-inline_size // grf_bytes)
    fields = [
        PayloadField(
            part=PayloadPart.PER_THREAD,
            kind=argument.arg_type,
            argument_index=None,
            offset=argument.offset,
            size=argument.size,
            register=_FIRST_REGISTER + argument.offset // grf_bytes,
            register_byte=argument.offset % grf_bytes,
            memory_offset=None,
        )
        for argument in info.per_thread_payload_arguments
    ]
    passed = [argument for argument in info.payload_arguments if argument.size > 0]
    for argument in sorted(passed, key=lambda argument: argument.offset):
        is_inline = argument.offset < inline_size
        from_memory = argument.offset - inline_size
        start = argument.offset if is_inline else from_memory
        first = inline_register if is_inline else memory_register
        fields.append(
            PayloadField(
                part=PayloadPart.INLINE if is_inline else PayloadPart.CROSS_THREAD,
                kind=argument.arg_type,
                argument_index=argument.arg_index if argument.arg_index >= 0 else None,
                offset=argument.offset,
                size=argument.size,
                register=first + start // grf_bytes,
                register_byte=start % grf_bytes,
                memory_offset=None if is_inline else from_memory,
            )
        )
    end = max((argument.offset + argument.size for argument in passed), default=0)
    return PayloadMap(
        grf_bytes,
        info.execution.simd_size,
        tuple(fields),
        per_thread_size,
        _align(end, _CROSS_THREAD_GRANULE),
        inline_size,
    )


def _align(size: int, to: int) -> int:
    return -(-size // to) * to
