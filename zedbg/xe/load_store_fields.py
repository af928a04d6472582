"""Fields and values of descriptors of messages to the load/store cache: send.ugm, send.ugml,
send.slm and send.tgm.

Fields as in the "LSC" messages of Intel's programmer's reference manuals; each is first bit and
width.
"""

from __future__ import annotations

OPERATION = (0, 6)
ADDRESS_SIZE, ADDRESS_BYTES = (7, 2), (0, 2, 4, 8)  # 0: reserved
DATA_SIZE = (9, 3)
DATA_BYTES = (1, 2, 4, 8, 1, 2, 2, 0)  # in memory; 0: reserved
VECTOR_SIZE, VECTOR_COUNTS = (12, 3), (1, 2, 3, 4, 8, 16, 32, 64)
COMPONENTS = (12, 4)  # of the operations on components, instead of a vector's size
TRANSPOSED = (15, 1)
ADDRESS_TYPE = (29, 2)
FLAT, BINDLESS, SCRATCH, BINDING_TABLE = range(4)

STRIDED = frozenset({0x01, 0x05})
BY_COMPONENT = frozenset({0x02, 0x06})
BLOCK_2D = frozenset({0x03, 0x07})
STORES = frozenset({0x04, 0x05, 0x06, 0x07, 0x1C})
LOADS = frozenset({0x00, 0x01, 0x02, 0x03, 0x1B})
ATOMICS = range(0x08, 0x1B)
FENCE = 0x1F

# In the extended descriptor.
STATE_MASK, STATE_MASK_FINE = 0xFFFF_F800, 0xFFFF_FFC0
INDEX_SHIFT = 24
STATELESS_INDEX = 0xFF
