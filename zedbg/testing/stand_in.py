"""A thread that stands in for a stopped one: places, lanes and variables without a device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from zedbg.dwarf import DebugInfo, Variable
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.dwarf.info import CodeLocation as SourceLocation
from zedbg.dwarf.lines.line_table import SourceFile
from zedbg.dwarf.scopes.scopes import Function, InlinedCall, Scope
from zedbg.dwarf.types.program_types import ArrayType, EnumType, Member, StructType, Type
from zedbg.engine.engine_errors import NoThreadError
from zedbg.engine.ground.variables import Variables
from zedbg.engine.modules.locations import CodeLocation
from zedbg.engine.threads.frames import Backtrace, backtrace
from zedbg.engine.threads.thread import Lane, WorkItem
from zedbg.missing import Missing, MissingError
from zedbg.values.expressions import api
from zedbg.values.operands.type_names import TypeNames
from zedbg.values.typed.scalars import encode
from zedbg.values.typed.value import LaneValues
from zedbg.xe.coordinates import lanes_of
from zedbg.xe.registers import RegisterKind, RegisterLayout

_FIRST_ADDRESS = 0x10000
_PAGE = 0x1000
# DW_OP_addr ADDRESS, DW_OP_INTEL_push_simd_lane, DW_OP_constu SIZE, DW_OP_mul, DW_OP_plus
# (DWARF 5, 2.5.1; Intel's extension as zedbg/dwarf/expressions/operations.py has it).
_ADDRESS, _LANE, _CONSTANT, _MULTIPLY, _PLUS = b"\x03", b"\xed", b"\x10", b"\x1e", b"\x22"


def array(element: str | Type, count: int) -> ArrayType:
    """An array type, of C's or zedbg's types: ``array("float", 4)``."""
    kind = _named(element)
    return ArrayType(kind.size * count, kind, count)


def structure(name: str, members: Mapping[str, str | Type]) -> StructType:
    """A structure of C++ with these members, each aligned to its size (8 bytes at most)."""
    made, offset, widest = StructType(0, name, "struct", is_cpp=True), 0, 1
    for member, kind in members.items():
        found = _named(kind)
        alignment = _alignment(found)
        widest = max(widest, alignment)
        offset = -(-offset // alignment) * alignment
        made.members.append(Member(member, found, offset))
        offset += found.size
    made.size = -(-offset // widest) * widest
    return made


def _alignment(kind: Type) -> int:
    stripped = kind.stripped()
    if isinstance(stripped, ArrayType):
        return stripped.size if stripped.is_vector else _alignment(stripped.element)
    if isinstance(stripped, StructType):
        return max((_alignment(each.type) for each in stripped.members), default=1)
    return max(min(kind.size, 8), 1)


def _named(kind: str | Type) -> Type:
    if isinstance(kind, Type):
        return kind
    found = TypeNames(None).named(kind) or TypeNames.combined(kind.split())
    if found is None:
        raise ValueError(f"{kind} is no type of C or OpenCL C")
    return found


def _bytes(kind: Type, value: Any) -> bytes:  # noqa: ANN401 - as deep as the type
    """A Python value (numbers, sequences, mappings by member) as the bytes of a type."""
    stripped = kind.stripped()
    if isinstance(stripped, ArrayType):
        data = b"".join(_bytes(stripped.element, each) for each in value)
        return data.ljust(stripped.size, b"\0")
    if isinstance(stripped, StructType):
        whole = bytearray(stripped.size)
        for name, each in value.items():
            member = stripped.member(name)
            if member is None:
                raise ValueError(f"{kind.name} has no member {name}")
            whole[member.offset : member.offset + member.type.size] = _bytes(member.type, each)
        return bytes(whole)
    return encode(stripped, value)


@dataclass(eq=False)
class StandInThread:
    """A stopped thread of a kernel.

    ``variables``: a type and its value by name; a list with as many values as lanes is one for each
    lane, where the type is no array. ``width``: how many lanes; ``active``: those that execute.
    ``memory``: bytes by address. Registers there are none.
    """

    kernel_name: str = "kernel"
    file: str = "kernel.cl"
    line: int = 1
    width: int = 8
    active: Sequence[int] | None = None
    workgroup: tuple[int, int, int] = (0, 0, 0)
    number: int = 1
    variables: Mapping[str, tuple[str | Type, object]] = field(default_factory=dict)
    memory: dict[int, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.id = f"1.{self.number}"
        self.name = f"ZE 0.0.0.{self.number - 1}"
        self.order = (1, self.number)
        self.state = "stopped"
        self.is_stopped = self.is_at_rest = True
        self.pc = _FIRST_ADDRESS + 0x10 * self.line
        self.simd_width = self.width
        self.dispatch_lanes = (1 << self.width) - 1
        chosen = range(self.width) if self.active is None else self.active
        self.active_lanes = sum(1 << lane for lane in chosen)
        self.focused_lane = next(iter(lanes_of(self.active_lanes)), 0)
        self.register_layout = RegisterLayout({})
        self.kernel = self.module = None
        self.stop_cache: dict[object, object] = {}
        self.group_cache: dict[object, object] = {}
        self.launch_findings: dict[object, object] | None = None
        self.selected_lane: int | None = None
        self.is_changed_by_hand = False
        self.names = Variables()  # PluginSession gives all threads one
        self._info = _StandInInfo(self)
        self.debug_info = cast("DebugInfo", self._info)
        self.debug_info_advice = ""  # it has some

    @property
    def location(self) -> CodeLocation:
        return CodeLocation(self.pc, self.kernel_name, self.kernel_name, self.file, self.line)

    @property
    def lanes(self) -> list[Lane]:
        """All lanes."""
        active = self.active_lanes
        thread = cast("Any", self)
        return [Lane(thread, lane, bool(active >> lane & 1), True) for lane in range(self.width)]

    def global_ids(self) -> list[tuple[int, int, int]]:
        """In X one work-item after the other, ``width`` of them in each thread."""
        first = (self.number - 1) * self.width
        return [(first + lane, 0, 0) for lane in range(self.width)]

    def local_ids(self) -> list[tuple[int, int, int]]:
        return [(lane, 0, 0) for lane in range(self.width)]

    def backtrace(self, limit: int = 1000) -> Backtrace:
        return backtrace(cast("Any", self), limit)

    def evaluate(self, expression: str, lanes: Sequence[int] | None = None) -> LaneValues:
        """As the thread of a device does."""
        wanted = lanes_of(self.active_lanes) if lanes is None else lanes
        return api.evaluate(expression, cast("Any", self), wanted)

    def kernel_argument(self, index: int) -> Missing:
        """Nothing was passed to it."""
        return Missing("no kernel is known here")

    def loaded_payload(self, address: int, first: int, size: int) -> Missing:
        """Nothing was passed to it."""
        return Missing("no kernel is known here")

    def work_identity(self, arguments: Sequence[int]) -> None:
        """No kernel is known here."""

    def is_memory_changed_by_hand(self, address: int, size: int) -> bool:
        return False

    def most_groups(self) -> Missing:
        """Nothing was launched."""
        return Missing("no kernel is known here")

    def memory_at_launch(self, address: int, size: int) -> Missing:
        """Nothing was launched."""
        return Missing("no kernel is known here")

    def recorded_writes(self, places: object) -> Missing:
        """Nothing was launched."""
        return Missing("no kernel is known here")

    def recorded_executions(self, instruction: int, until: object) -> Missing:
        """Nothing was launched."""
        return Missing("no kernel is known here")

    def threads_of_group(self) -> tuple[()]:
        """No kernel is known here."""
        return ()

    def may_share_memory(self, address: int, other: int) -> bool:
        """Nothing is known of its memory."""
        return True

    def convenience(self, name: str) -> object | Missing:
        return self.names.get(name)

    def keep(self, name: str, value: object) -> None:
        self.names.set(name, value)

    def work_item(self, lane: int) -> WorkItem:
        """The work-item in a lane."""
        thread = cast("Any", self)
        return WorkItem(thread, lane, self.global_ids()[lane], self.local_ids()[lane])

    def read_registers(self, kind: RegisterKind) -> bytes:
        raise MissingError("this thread stands in for one of a device: it has no registers")

    def write_registers(self, kind: RegisterKind, start: int, data: bytes) -> None:
        raise NoThreadError("This thread stands in for one of a device: it has no registers.")

    def read_memory(self, space: MemorySpace, address: int, size: int) -> bytes:
        for start, data in self.memory.items():
            if start <= address and address + size <= start + len(data):
                return data[address - start : address - start + size]
        raise MissingError(f"there is no memory at {address:#x}")

    def write_memory(self, space: MemorySpace, address: int, data: bytes) -> None:
        for start, old in self.memory.items():
            if start <= address and address + len(data) <= start + len(old):
                offset = address - start
                self.memory[start] = old[:offset] + data + old[offset + len(data) :]
                return
        raise MissingError(f"there is no memory at {address:#x}")

    def place(self, name: str, kind: Type, value: object) -> bytes:
        """Puts a variable into memory; the DWARF expression that says where it is. ValueError when
        there are not as many values as lanes."""
        is_each = isinstance(value, list) and not isinstance(kind.stripped(), ArrayType)
        values = value if isinstance(value, list) and is_each else [value]
        if len(values) not in (1, self.width):
            raise ValueError(f"{name} has {len(values)} values for {self.width} lanes")
        base = max(self.memory, default=_FIRST_ADDRESS * 16) // _PAGE * _PAGE + _PAGE
        data = b"".join(_bytes(kind, each) for each in values)
        base += -(-max(map(len, self.memory.values()), default=0) // _PAGE) * _PAGE
        self.memory[base] = data
        address = _ADDRESS + base.to_bytes(8, "little")
        if len(values) == 1:
            return address
        return address + _LANE + _CONSTANT + _leb128(kind.size) + _MULTIPLY + _PLUS


def _leb128(number: int) -> bytes:
    parts = []
    while True:
        number, low = number >> 7, number & 0x7F
        parts.append(low | (0x80 if number else 0))
        if not number:
            return bytes(parts)


class _StandInInfo:
    """What :class:`zedbg.dwarf.DebugInfo` answers to expressions and backtraces."""

    globals: tuple[Variable, ...] = ()
    spirv = None

    def __init__(self, thread: StandInThread) -> None:
        self._thread = thread
        self.findings: dict[object, object] = {}
        self._scope = Scope(((0, 1 << 64),))
        self._types: dict[str, Type] = {}
        for name, (kind, value) in thread.variables.items():
            found = _named(kind)
            self._types.setdefault(found.name, found)
            place = thread.place(name, found, value)
            variable = Variable(name, found, False, None, 0, expression=place)
            self._scope.variables.append(variable)

    def variables_at(
        self, _address: int, _frame: Scope | None = None
    ) -> list[tuple[Scope, Variable]]:
        return [(self._scope, each) for each in self._scope.variables]

    def location_expression(self, variable: Variable, _address: int) -> bytes | Missing:
        return variable.expression or Missing("it has no place")

    def location_of_address(self, _address: int) -> SourceLocation:
        thread = self._thread
        file = SourceFile(thread.file, "")
        return SourceLocation(thread.pc, None, file, thread.line)

    def inlined_calls_at(self, _address: int) -> list[InlinedCall]:
        return []

    def function_at(self, _address: int) -> Function | None:
        return None

    def functions_named(self, _name: str) -> list[Function]:
        return []

    def type_named(self, name: str) -> Type | None:
        return self._types.get(name)

    def enumerator(self, _name: str) -> tuple[EnumType, int] | None:
        return None

    def simd_width_at(self, _address: int) -> int:
        return self._thread.width

    def interleaved_partition(self, _variable: Variable, _address: int) -> int:
        return 0

    def changes_in_loop(self, _expression: bytes, _address: int) -> bool:
        return False
