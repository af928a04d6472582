"""A stopped thread made of bytes, for tests of expressions."""

from __future__ import annotations

from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.levelzero.enums import Result
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.xe.registers import XE_HPG_LAYOUT, RegisterKind


class FakeThread:
    """Implements ThreadContext over sparse memory and zeroed registers; counts what it reads."""

    def __init__(self, debug_info=None, pc=0, simd_width=8, active_lanes=None):
        self.debug_info = debug_info
        self.debug_info_advice = "compile with -g"
        self.simd_width = simd_width
        self.active_lanes = (1 << simd_width) - 1 if active_lanes is None else active_lanes
        self.dispatch_lanes = (1 << simd_width) - 1
        self.focused_lane = 0
        self.register_layout = XE_HPG_LAYOUT
        self.registers = {
            each.kind: bytearray(each.count * each.byte_size) for each in XE_HPG_LAYOUT
        }
        self.memory = {space: {} for space in MemorySpace}  # start -> bytearray
        self.memory_reads = []
        self.register_reads = []
        self.kept = {}
        self.stop_cache = {}
        self.group_cache = {}
        self.launch_findings = None
        self.is_changed_by_hand = False
        self.pc = pc

    @property
    def pc(self):
        return int.from_bytes(self.registers[RegisterKind.CR][8:12], "little")

    @pc.setter
    def pc(self, address):
        self.set_register(RegisterKind.CR, 0, address.to_bytes(4, "little"), offset=8)

    def set_register(self, kind, index, data, offset=0):
        """Writes ``data`` at byte ``offset`` of a register."""
        start = index * self.register_layout.get(kind).byte_size + offset
        self.registers[kind][start : start + len(data)] = data

    def map(self, address, data, space=MemorySpace.GLOBAL):
        """Maps ``data`` (bytes, or a number of zero bytes) at ``address``."""
        self.memory[space][address] = bytearray(data)

    def read_registers(self, kind):
        self.register_reads.append(kind)
        return bytes(self.registers[kind])

    def write_registers(self, kind, start, data):
        size = self.register_layout.get(kind).byte_size
        self.registers[kind][start * size : start * size + len(data)] = data

    def _block(self, space, address, size):
        space = MemorySpace.GLOBAL if space is MemorySpace.PRIVATE else space
        for start, block in self.memory[space].items():
            if start <= address and address + size <= start + len(block):
                return block, address - start
        raise LevelZeroError(Result.ERROR_UNKNOWN, "read memory", f"{address:#x}")

    def read_memory(self, space, address, size):
        self.memory_reads.append((space, address, size))
        block, offset = self._block(space, address, size)
        return bytes(block[offset : offset + size])

    def write_memory(self, space, address, data):
        block, offset = self._block(space, address, len(data))
        block[offset : offset + len(data)] = data

    def global_ids(self):
        return [(lane + 8, 1, 0) for lane in range(self.simd_width)]

    def local_ids(self):
        return [(lane, 1, 0) for lane in range(self.simd_width)]

    def loaded_payload(self, address, first, size):
        return Missing("not in this test")

    def work_identity(self, arguments):
        return None

    def kernel_argument(self, index):
        return Missing("no kernel is known")

    def is_memory_changed_by_hand(self, address, size):
        return False

    def most_groups(self):
        return Missing("no launch is recorded")

    def memory_at_launch(self, address, size):
        return Missing("no launch is recorded")

    def recorded_writes(self, places):
        return Missing("no launch is recorded")

    def recorded_executions(self, instruction, until):
        return Missing("no launch is recorded")

    def may_share_memory(self, address, other):
        return True

    def convenience(self, name):
        values = {"_workgroup": (1, 0, 0), "_answer": 42, "_pi": 3.25} | self.kept
        return values.get(name, Missing(f"${name} is not set"))

    def keep(self, name, value):
        self.kept[name] = value
