"""A hardware thread that is, or was, stopped: its place, memory, lanes and work-items."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from zedbg.dwarf import DebugInfo
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.engine.engine_errors import NoThreadError
from zedbg.engine.modules.code_place import CodePlace
from zedbg.engine.modules.device_contents import DeviceContents
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.modules.locations import CodeLocation
from zedbg.engine.modules.read_ahead import ReadAhead
from zedbg.engine.modules.thread_history import ThreadHistory
from zedbg.engine.threads.frames import Backtrace, backtrace
from zedbg.engine.threads.hand_writes import HandWrites
from zedbg.engine.threads.thread_registers import ThreadRegisters, ThreadState
from zedbg.engine.threads.thread_work import ThreadWork
from zedbg.levelzero.enums import DebugMemorySpace
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.values.expressions.api import evaluate
from zedbg.values.expressions.register_values import RegisterValues
from zedbg.values.threads.recorded_write import RecordedWrite, WrittenPlace
from zedbg.values.typed.locate import SLM_POINTER_TAG
from zedbg.values.typed.value import LaneValues
from zedbg.xe.coordinates import ThreadId, lanes_of
from zedbg.xe.registers import (
    ControlBit,
    ExceptionBit,
    RegisterKind,
    ThreadHeader,
)
from zedbg.zebin import Kernel
from zedbg.zebin.arguments import ArgumentKind
from zedbg.zebin.build_options import COMPILE_WITH_DEBUG_INFO

# Plain numbers: arithmetic with flag objects is slow, and every step does some.
_ALL_EXCEPTIONS = int(
    ExceptionBit.PAGE_FAULT
    | ExceptionBit.FORCE_EXCEPTION
    | ExceptionBit.ILLEGAL_OPCODE
    | ExceptionBit.SOFTWARE_EXCEPTION
    | ExceptionBit.EXTERNAL_HALT
    | ExceptionBit.BREAKPOINT
)
_STEP = int(ExceptionBit.BREAKPOINT)
_SUPPRESS = int(ControlBit.BREAKPOINT_SUPPRESS)
_OWN_BLOCKS = (4096,)  # bytes: more than the frames of most threads
_ALIGNMENT = 4096  # bytes: what begins elsewhere is a part of what the host allocated


class Standing(NamedTuple):
    """How a thread is stopped; ``past_breakpoint``: whether the one at its pc has had its say;
    ``moves``: how often it had been resumed."""

    state: ThreadState
    past_breakpoint: bool
    moves: int


class HardwareThread(ThreadRegisters):
    """A hardware thread of ``device``; implements
    :class:`zedbg.values.threads.context.ThreadContext`.

    Everything read is kept until the thread resumes. Reading one that runs raises NoThreadError,
    and LevelZeroError when the driver refuses.
    """

    def __init__(
        self,
        device: DeviceContents,
        place: ThreadId,
        stopped_threads: Callable[[], list[HardwareThread]],
        hand_writes: HandWrites,
    ) -> None:
        """``stopped_threads`` returns all of the device, to look at the rest of a work-group;
        ``hand_writes`` knows what the user wrote there."""
        super().__init__(device, place)
        self._stopped_threads = stopped_threads
        self.selected_lane: int | None = None  # the focus of the session, if it is in this thread
        self.order = device.number, self.number  # among the threads of a session
        self._pc: int | None = None
        self._dispatch_lanes: int | None = None
        self._header: ThreadHeader | None = None
        self._work: ThreadWork | None = None
        self._kernel_place: CodePlace | None = None
        self.stop_cache: dict[object, object] = {}
        self._hand_writes = hand_writes
        self.moves = 0  # how often it was resumed
        # Non-stop mode: a command moves it, and takes its stops; others leave it alone.
        self.is_moved = False
        # Non-stop mode: its next stop is the user's interrupt, or its command's.
        self.interrupt_wanted = False
        # Whether the breakpoint at the pc has had its say: not so for a thread that was halted in
        # front of it, or moved there.
        self._past_breakpoint = False

    @property
    def is_at_rest(self) -> bool:
        """Whether it is stopped, and no command moves it."""
        return self.is_stopped and not self.is_moved

    # --- where it is -----------------------------------------------------------------------

    @property
    def pc(self) -> int:
        if self._pc is None:
            self._pc = self.isa_base + self.control.instruction_pointer
        return self._pc

    @pc.setter
    def pc(self, address: int) -> None:
        offset = address - self.isa_base
        if not 0 <= offset < 1 << 32:
            raise NoThreadError(f"{address:#x} is not within 4 GiB of the instruction base")
        registers = bytearray(self.read_registers(RegisterKind.CR))
        control = struct.unpack_from("<I", registers)[0] & ~_SUPPRESS
        struct.pack_into("<I", registers, 0, control)
        struct.pack_into("<I", registers, 8, offset)
        self.write_registers(RegisterKind.CR, 0, bytes(registers))
        self._past_breakpoint = False

    def go_to(self, address: int) -> None:
        """The next instruction is the one at ``address``, without a stop at its breakpoint."""
        self.pc = address
        self._past_breakpoint = True

    @property
    def module(self) -> LoadedModule | None:
        """The module whose code the pc is in."""
        return self.device.code_place(self.pc).module

    @property
    def kernel(self) -> Kernel | None:
        """The kernel that the thread executes."""
        return self.kernel_place.kernel

    @property
    def kernel_place(self) -> CodePlace:
        """Where it is in its kernel's code; in a function that several kernels may call, which has
        a section of its own, that is where it was called, if the calls can be followed."""
        if self._kernel_place is None:
            place = self.device.code_place(self.pc)
            if place.module is not None and place.location.kernel is None:
                place = self.device.code_place(self.backtrace().frames[-1].pc)
            self._kernel_place = place
        return self._kernel_place

    @property
    def kernel_name(self) -> str | None:
        """The kernel that the thread executes, by its name in the module."""
        return self.kernel_place.location.kernel

    @property
    def kernel_pc(self) -> int:
        """Where it is in its kernel: the pc, or where the outermost call will go on."""
        info = self.debug_info
        function = None if info is None else info.function_at(self.pc)
        if function is None or function.is_kernel:
            return self.pc
        return self.backtrace().frames[-1].pc

    @property
    def location(self) -> CodeLocation:
        return self.device.code_place(self.pc).location

    @property
    def debug_info(self) -> DebugInfo | None:
        module = self.module
        return None if module is None else module.debug_info

    @property
    def debug_info_advice(self) -> str:
        module = self.module
        return COMPILE_WITH_DEBUG_INFO if module is None else module.debug_info_advice

    def backtrace(self, limit: int = 1000) -> Backtrace:
        """The call frames, innermost first."""
        return backtrace(self, limit)

    # --- lanes -----------------------------------------------------------------------------

    @property
    def simd_width(self) -> int:
        """Lanes of the kernel: from zeinfo, else from DWARF, else what the dispatch mask spans."""
        width = self.device.code_place(self.pc).simd_width
        if width:
            return width
        dispatched = struct.unpack_from("<I", self.read_registers(RegisterKind.SR), 8)[0]
        return next((width for width in (1, 8, 16) if not dispatched >> width), 32)

    @property
    def dispatch_lanes(self) -> int:
        if self._dispatch_lanes is None:
            # Some compiled prologues set bits of sr0.2 above the kernel's width: they mean nothing.
            dispatched: int = struct.unpack_from("<I", self.read_registers(RegisterKind.SR), 8)[0]
            self._dispatch_lanes = dispatched & ((1 << self.simd_width) - 1)
        return self._dispatch_lanes

    @property
    def active_lanes(self) -> int:
        enabled: int = struct.unpack_from("<I", self.read_registers(RegisterKind.CE))[0]
        return enabled & self.dispatch_lanes

    @property
    def focused_lane(self) -> int:
        """The session's focused lane if this is its thread; else the lowest active one."""
        if self.selected_lane is not None:
            return self.selected_lane
        return next(iter(lanes_of(self.active_lanes or self.dispatch_lanes)), 0)

    @property
    def lanes(self) -> list[Lane]:
        """All lanes of the kernel."""
        active, dispatched = self.active_lanes, self.dispatch_lanes
        return [
            Lane(self, lane, bool(active >> lane & 1), bool(dispatched >> lane & 1))
            for lane in range(self.simd_width)
        ]

    # --- values ----------------------------------------------------------------------------

    def evaluate(self, expression: str, lanes: Sequence[int] | None = None) -> LaneValues:
        """The value of ``expression`` in ``lanes``, without them in every active one.

        In the innermost frame; an assignment writes. Raises EvaluationError, one line, for what is
        wrong in every lane: no such symbol, no expression.
        """
        wanted = lanes_of(self.active_lanes) if lanes is None else lanes
        return evaluate(expression, self, wanted)

    @property
    def registers(self) -> RegisterValues:
        """Its registers by name: ``thread.registers["r10"]``."""
        return RegisterValues(self)

    # --- work ------------------------------------------------------------------------------

    @property
    def header(self) -> ThreadHeader:
        """The header that the thread was dispatched with, in r0 for as long as its code has no
        other use for that."""
        if self._header is None:
            kept_in = self.device.code_place(self.pc).header_register
            data = self._first_register(RegisterKind.GRF)
            if kept_in:
                size = len(data)
                registers = self.read_registers(RegisterKind.GRF)
                data = registers[kept_in * size : (kept_in + 1) * size]
            self._header = ThreadHeader.from_bytes(data)
        return self._header

    @property
    def workgroup(self) -> tuple[int, int, int]:
        return self.header.workgroup

    @property
    def is_first_of_launch(self) -> bool:
        """Whether it is the first thread of work-group (0,0,0)."""
        return self.workgroup == (0, 0, 0) and not self.header.thread_in_group

    @property
    def work(self) -> ThreadWork:
        """Local ids, group size and global ids, read when asked for."""
        if self._work is None:
            self._work = ThreadWork(self, self._last_of_a_group)
        return self._work

    def _last_of_a_group(self) -> HardwareThread | None:
        """A thread with the last work-items of a group of the launch: the only ones of a group that
        may not be full, and are as full in each."""
        last = self.header.threads_in_group - 1
        if self.header.thread_in_group == last:
            return self
        own = self.kernel_name, self.work.payload_address
        ends = (each for each in self._stopped_threads() if each.header.thread_in_group == last)
        return next((e for e in ends if (e.kernel_name, e.work.payload_address) == own), None)

    def _same_group(self) -> Iterator[HardwareThread]:
        """The stopped threads of a group with the same number, maybe of several launches."""
        own = self.kernel_name, self.workgroup
        for other in self._stopped_threads():
            if (other.kernel_name, other.workgroup) == own:
                yield other

    def threads_of_group(self) -> list[HardwareThread]:
        try:
            own = self.work.payload_address
            return [each for each in self._same_group() if each.work.payload_address == own]
        except LevelZeroError:
            return [self]

    def local_ids(self) -> list[tuple[int, int, int]] | Missing:
        return self.work.local_ids

    def global_ids(self) -> list[tuple[int, int, int]] | Missing:
        return self.work.global_ids

    def kernel_argument(self, index: int) -> bytes | Missing:
        kernel = self.kernel
        if kernel is None or kernel.info is None:
            return Missing("the module says nothing of the kernel's payload")
        for argument in kernel.passed_arguments:
            if argument.index == index and argument.pieces:
                try:
                    if argument.kind is ArgumentKind.LOCAL:
                        return self.work.local_address(argument)
                    return self.work.argument_bytes(argument)
                except LevelZeroError as error:
                    return Missing(f"the payload cannot be read: {error}")
        return Missing("the compiler found no use for it")

    def work_identity(self, arguments: Sequence[int]) -> object | None:
        return self.work.identity(arguments)

    def loaded_payload(self, address: int, first: int, size: int) -> bytes | Missing:
        try:
            return self.work.loaded_payload(address, first, size)
        except LevelZeroError as error:
            return Missing(f"the payload cannot be read: {error}")

    def most_groups(self) -> tuple[int, int, int] | Missing:
        return self.work.most_groups

    def memory_at_launch(self, address: int, size: int) -> bytes | Missing:
        return self.device.launch_memory.read(address, size)

    def recorded_writes(
        self, places: tuple[WrittenPlace, ...]
    ) -> Mapping[WrittenPlace, Sequence[RecordedWrite]] | Missing:
        self._require_stopped()
        key = ThreadHistory, places
        found = self.stop_cache.get(key)
        if not isinstance(found, dict | Missing):
            history = self.device.thread_history
            found = history.writes(self.place.fields, places, self.read_registers)
            self.stop_cache[key] = found
        return found

    def recorded_executions(
        self, instruction: int, until: Sequence[tuple[int, int]]
    ) -> Sequence[int] | Missing:
        self._require_stopped()
        key = ThreadHistory, instruction, tuple(until)
        found = self.stop_cache.get(key)
        if not isinstance(found, list | Missing):
            history = self.device.thread_history
            found = history.executions(self.place.fields, instruction, until)
            self.stop_cache[key] = found
        return found

    def registers_after_prologue(self, prologue: range, first: int, size: int) -> bytes | Missing:
        """What bytes of the general registers were when the thread had executed that; see
        :meth:`zedbg.engine.modules.thread_history.ThreadHistory.registers_after`."""
        registers, history = self.read_registers(RegisterKind.GRF), self.device.thread_history
        return history.registers_after(self.place.fields, prologue, first, size, registers)

    def may_share_memory(self, address: int, other: int) -> bool:
        allocations = self.device.allocations()
        found = allocations.at(address)
        if found is None or allocations.at(other) is None:
            return bool((address | other) % _ALIGNMENT)
        return found.contains(other)

    def convenience(self, name: str) -> object | Missing:
        return self.work.convenience(name)

    def keep(self, name: str, value: object) -> None:
        """Gives the user's own ``$name`` a value."""
        self.device.variables.set(name, value)

    # --- memory ----------------------------------------------------------------------------

    def read_memory(self, space: MemorySpace, address: int, size: int) -> bytes:
        self._require_stopped()
        if space is MemorySpace.SLM:
            tagged = address & (SLM_POINTER_TAG - 1) | SLM_POINTER_TAG
            return self.device.debug.read_memory(
                self.place.fields, DebugMemorySpace.SLM, tagged, size
            )
        if space is MemorySpace.PRIVATE and not self.device.reads_ahead:
            return self._own_memory().read(
                self.isa_base, address, size, partial(self.device.read_memory, space=self)
            )
        return self.device.read_memory(address, size, self)

    def _own_memory(self) -> ReadAhead:
        """What was read of the memory that only the thread writes."""
        found = self.stop_cache.get(ReadAhead)
        if not isinstance(found, ReadAhead):
            found = self.stop_cache[ReadAhead] = ReadAhead(_OWN_BLOCKS)
        return found

    def write_memory(self, space: MemorySpace, address: int, data: bytes) -> None:
        self._require_stopped()
        self.device.require_present()
        self.stop_cache.clear()
        if space is MemorySpace.SLM:
            self._hand_writes.local_memory_written(self)
            tagged = address & (SLM_POINTER_TAG - 1) | SLM_POINTER_TAG
            self.device.debug.write_memory(self.place.fields, DebugMemorySpace.SLM, tagged, data)
        else:
            self.device.write_memory(address, data, self)

    @property
    def group_cache(self) -> dict[object, object]:
        try:
            launch = self.isa_base, self.work.payload_address
        except LevelZeroError:
            return {}
        key = "group", launch, self.kernel_name, self.workgroup
        found = self.device.findings.setdefault(key, {})
        assert isinstance(found, dict)
        return found

    @property
    def launch_findings(self) -> dict[object, object] | None:
        return None if self._hand_writes.are_any else self.device.launch_memory.findings()

    @property
    def is_changed_by_hand(self) -> bool:
        return self._hand_writes.is_changed(self)

    def is_memory_changed_by_hand(self, address: int, size: int) -> bool:
        return self._hand_writes.is_memory_changed(self, address, size)

    def write_registers(self, kind: RegisterKind, start: int, data: bytes) -> None:
        self._require_stopped()
        self.device.require_present()
        self._hand_writes.registers_written(self)
        super().write_registers(kind, start, data)
        self._hand_writes.thread_stands(self)

    # --- exceptions ------------------------------------------------------------------------

    def driver_reason(self) -> str | None:
        """The driver's own words for why it does not execute the instruction at the pc, at which
        the thread stopped; None when it has none to give. Raises NoThreadError."""
        self._require_stopped()
        return self.device.debug.exception_reason(self.place.fields)

    # --- run control (the engine's own) ------------------------------------------------------

    def mark_stopped(self, state: ThreadState, control: bytes | None = None) -> None:
        """It stopped (again): nothing that was read before holds. ``control``: its cr, if read."""
        self.state = state
        self._past_breakpoint = state is ThreadState.STOPPED
        self._forget()
        if control is not None:
            self._registers[RegisterKind.CR] = control

    def mark_running(self, in_context: bool = False) -> None:
        """It runs. One that does not get to its end stays in its context, and so keeps its code
        base."""
        self.state = ThreadState.RUNNING
        self.moves += 1
        self._forget()
        if not in_context:
            self._isa_base = None

    @property
    def standing(self) -> Standing:
        """How it is stopped, for :meth:`stand_again`."""
        return Standing(self.state, self._past_breakpoint, self.moves)

    def stand_again(self, standing: Standing) -> None:
        """It is stopped as it was before the past was shown."""
        self.mark_running()
        self.mark_stopped(standing.state)
        self._past_breakpoint, self.moves = standing.past_breakpoint, standing.moves

    def prepare_resume(self, step: bool) -> None:
        """Writes cr0 so that the next resume runs, or steps one instruction."""
        data = self.control_to_resume(step)
        if data is not None:
            self.device.debug.write_registers(self.place.fields, RegisterKind.CR, 0, 1, data)

    def control_to_resume(self, step: bool) -> bytes | None:
        """What cr0 must be for that; None when it is so already.

        Clears every cause, sets the step request (cr0.1 bit 31), and the suppress bit (cr0.0 bit
        15) when the next instruction carries a breakpoint bit that has been reported. A thread that
        was halted before it went on from there still has the suppress bit of the last time.
        """
        data = bytearray(self.read_registers(RegisterKind.CR))
        control, exceptions = struct.unpack_from("<2I", data)
        exceptions &= ~_ALL_EXCEPTIONS
        if step:
            exceptions |= _STEP
        is_reported = self._past_breakpoint or control & _SUPPRESS
        control &= ~_SUPPRESS
        if is_reported and self.device.code.traps(self.pc):
            control |= _SUPPRESS
        struct.pack_into("<2I", data, 0, control, exceptions)
        return bytes(data) if data != self._registers[RegisterKind.CR] else None

    def resume(self, step: bool = False, in_context: bool = False) -> None:
        """Lets only this thread go on, or execute one instruction. ``in_context``: it will stop
        before its end."""
        self.prepare_resume(step)
        self.device.debug.resume(self.place.fields)
        self.device.stands_still = False
        self.mark_running(in_context=step or in_context)

    def _forget(self) -> None:
        super()._forget()
        self._pc = None
        self._dispatch_lanes = None
        self._header = None
        self._work = None
        self._kernel_place = None
        self.stop_cache.clear()


@dataclass(frozen=True)
class WorkItem:
    """One work-item; ``global_id`` and ``local_id`` say why when they are not known."""

    thread: HardwareThread
    lane: int
    global_id: tuple[int, int, int] | Missing
    local_id: tuple[int, int, int] | Missing


@dataclass(frozen=True)
class Lane:
    """One SIMD lane of a stopped thread. ``active``: enabled at the pc; ``dispatched``: it holds
    a work-item."""

    thread: HardwareThread
    index: int
    active: bool
    dispatched: bool

    @property
    def work_item(self) -> WorkItem | Missing:
        """The work-item that it executes."""
        if not self.dispatched:
            return Missing(f"lane {self.index} holds no work-item")
        local, everywhere = self.thread.local_ids(), self.thread.global_ids()
        return WorkItem(
            self.thread,
            self.index,
            everywhere if isinstance(everywhere, Missing) else everywhere[self.index],
            local if isinstance(local, Missing) else local[self.index],
        )
