"""Native encoding of Xe2 (bmg): what differs from Xe-HPC."""

from dataclasses import replace

from zedbg.xe.isa import xe_hpc, xe_hpg
from zedbg.xe.isa.fields import ABSENT, bits, join
from zedbg.xe.isa.names import Arf, SharedFunction, SyncFunction

MATH = replace(xe_hpc.MATH, must_be_zero=ABSENT)

# The bit that lengthens the depth on Xe-HPC means nothing.
DPAS = replace(xe_hpc.DPAS, depth=xe_hpg.DPAS.depth)

SEND = replace(
    xe_hpc.SEND,
    extended_offset_low=bits(38, 35),
    extended_offset_high=join(bits(47, 43), bits(65, 64), bits(97, 96), bits(127, 124)),
    coarse_pixel=ABSENT,
)

TYPES = xe_hpg.TYPES
SPECIAL_TYPES = xe_hpc.special_types(TYPES.immediate)

SYNC_FUNCTIONS = (*xe_hpc.SYNC_FUNCTIONS[:12], SyncFunction.FLUSH, *xe_hpc.SYNC_FUNCTIONS[13:])

# The read-only data cache has no messages any more.
SHARED_FUNCTIONS = tuple(
    None if function is SharedFunction.DCRO else function for function in xe_hpg.SHARED_FUNCTIONS
)
BINDLESS_OFFSET_FUNCTIONS = tuple(
    None if function is SharedFunction.UGM else function for function in SHARED_FUNCTIONS
)

# The iga64 that knows this platform counts elements in msg and fc.
UNSTRUCTURED_REGISTERS = frozenset({Arf.CHANNEL_ENABLE, Arf.INSTRUCTION_POINTER})
