"""What an instruction writes and reads, found out by executing it on the simulated GPU.

The bytes that change are those it writes. A byte that it makes from nothing but its sources stays
what it is when everything else has another content; and it depends on a source if some other
content of that source changes it.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tests.support.xe.execution_bench import Bench, new_thread
from zedbg.xe.data_message import AddressModel, AddressOrder, DataMessage
from zedbg.xe.devices import DEVICES
from zedbg.xe.flow.messages import data_message, send_words
from zedbg.xe.flow.places import (
    Assignment,
    MemoryPlace,
    OtherPlace,
    Place,
    RegisterPlace,
    Role,
    Space,
)
from zedbg.xe.flow.thread_view import Extent
from zedbg.xe.instruction import Decoded, RegisterFile
from zedbg.xe.isa.platform import Platform
from zedbg.xe.registers import RegisterKind

GLOBAL_BASE, MEMORY_BYTES = 0x10000, 4096
SCRATCH_BASE = 1 << 40  # where this test takes it to be
_EVERYTHING = 1 << 64
_FILES = {
    RegisterKind.GRF: "grf",
    RegisterKind.ACC: "acc",
    RegisterKind.FLAG: "flag",
    RegisterKind.ADDR: "address",
    RegisterKind.MME: "mme",
}
_REGISTERS = 128
Contents = dict[str, bytearray]


@dataclass
class MachineState:
    """One thread and its memory, by the bench's names of files; a ThreadView."""

    device: str
    dispatched: int
    files: Contents
    platform: Platform = field(init=False)

    def __post_init__(self) -> None:
        self.platform = DEVICES[self.device].platform

    @property
    def enabled_lanes(self) -> int:
        return self.dispatched

    def read_registers(self, kind: RegisterKind) -> bytes:
        return bytes(self.files[_FILES[kind]])

    def extent_of(self, message: DataMessage) -> Extent | None:
        match message.model:
            case AddressModel.FLAT:
                return Extent(0, _EVERYTHING)
            case AddressModel.STATELESS:
                return Extent(GLOBAL_BASE, _EVERYTHING)
            case AddressModel.SCRATCH:
                return Extent(SCRATCH_BASE, _EVERYTHING)
            case _:
                return Extent(GLOBAL_BASE, MEMORY_BYTES)

    def copy(self) -> MachineState:
        files = {name: bytearray(data) for name, data in self.files.items()}
        return MachineState(self.device, self.dispatched, files)


def file_sizes(platform: Platform) -> dict[str, int]:
    """Bytes of each file."""
    grf = platform.grf_bytes
    return {
        "grf": _REGISTERS * grf,
        "acc": 4 * grf,
        "flag": 4 * platform.flag_registers,
        "address": 32,
        "mme": 8 * grf,
        "global": MEMORY_BYTES,
        "slm": MEMORY_BYTES,
        "scratch": MEMORY_BYTES,
    }


def place_bits(place: Place) -> tuple[str, int, int] | None:
    """File, first bit and bits of a place that the bench has."""
    if isinstance(place, RegisterPlace):
        name = _FILES.get(place.kind)
        return None if name is None else (name, place.first_bit, place.bits)
    if isinstance(place, MemoryPlace):
        if place.space is Space.LOCAL:
            return "slm", 8 * place.address, 8 * place.size
        if place.address >= SCRATCH_BASE:
            return "scratch", 8 * (place.address - SCRATCH_BASE), 8 * place.size
        return "global", 8 * (place.address - GLOBAL_BASE), 8 * place.size
    return None


def bits_of(state: MachineState, place: Place) -> int:
    """The content of a place."""
    found = place_bits(place)
    assert found is not None
    name, first, bits = found
    return int.from_bytes(state.files[name], "little") >> first & ((1 << bits) - 1)


def mask_of(places: Iterable[Place], platform: Platform) -> dict[str, int]:
    """The bits of ``places`` in each file."""
    masks = dict.fromkeys(file_sizes(platform), 0)
    for place in places:
        found = place_bits(place)
        if found is not None:
            name, first, bits = found
            masks[name] |= ((1 << bits) - 1) << first
    return masks


def random_contents(chance: random.Random, platform: Platform) -> Contents:
    """Numbers of one kind, which are neither very large nor very small."""
    files = {}
    kind = chance.choice("Iefd")
    for name, size in file_sizes(platform).items():
        if kind == "I":
            bits = chance.choice((8, 23, 32))
            numbers = [chance.getrandbits(bits) for _ in range(size // 4)]
        else:
            numbers = [chance.uniform(-9, 9) for _ in range(size // struct.calcsize(kind))]
        files[name] = bytearray(struct.pack(f"<{len(numbers)}{kind}", *numbers))
    files["flag"] = bytearray(chance.randbytes(len(files["flag"])))
    # Addresses of registers that are there, whatever the operand adds.
    addresses = [chance.randrange(8, 48) * 8 for _ in range(16)]
    files["address"] = bytearray(struct.pack("<16H", *addresses))
    return files


def refreshed(chance: random.Random, state: MachineState, kept: dict[str, int]) -> MachineState:
    """``state`` with other contents but for the bits of ``kept``, by file."""
    fresh = random_contents(chance, state.platform)
    result = state.copy()
    for name, mask in kept.items():
        size = len(state.files[name])
        old = int.from_bytes(state.files[name], "little") & mask
        new = int.from_bytes(fresh[name], "little") & ~mask
        result.files[name] = bytearray((old | new).to_bytes(size, "little"))
    return result


def execute(bench: Bench, code: bytes, state: MachineState) -> tuple[str, MachineState]:
    """How one instruction ends, and what there is then."""
    lines = [new_thread(state.dispatched, state.device), f"code {code.hex()}", "memory"]
    lines += [f"set {name} 0 {data.hex()}" for name, data in state.files.items()]
    bench.converse(lines, 0)
    ran = bench.run(1)
    after = state.copy()
    asked = [f"get {name} 0 {len(data):x}" for name, data in state.files.items()]
    # The answers fit a pipe: they are read one by one.
    for name, line in zip(state.files, asked, strict=True):
        after.files[name] = bytearray(bytes.fromhex(bench.converse([line], 1)[0]))
    outcome = ran.outcome if ran.outcome != "exception" else f"exception {ran.report}"
    return outcome, after


def changed(before: MachineState, after: MachineState) -> dict[str, int]:
    """The bits that differ, by file."""
    return {
        name: int.from_bytes(data, "little") ^ int.from_bytes(after.files[name], "little")
        for name, data in before.files.items()
    }


def address_something(chance: random.Random, decoded: Decoded, state: MachineState) -> None:
    """Puts addresses into the payload of a send, such that most of them are in memory."""
    send = decoded.send
    if send is None or decoded.sources[0].file is not RegisterFile.GRF:
        return
    message = data_message(send_words(state, send))
    if message is None or message.model is AddressModel.IMAGE:
        return
    grf = state.platform.grf_bytes
    first = decoded.sources[0].register_number * grf
    if message.order is AddressOrder.BLOCK_2D:
        payload = _matrix(chance)
    else:
        size = message.address_bytes
        base = GLOBAL_BASE if message.model is AddressModel.FLAT else 0
        room = MEMORY_BYTES - 1024 >> message.address_shift
        count = 1 if message.order is not AddressOrder.PER_LANE else 32
        numbers = [base + chance.randrange(0, room, 64 >> message.address_shift or 1)] * count
        for index in range(1, count):
            numbers[index] += chance.randrange(0, 64) * 8 >> message.address_shift
        if message.address_shift:  # what a 32-bit offset in bytes has no room for
            numbers[0] |= (
                chance.randrange(0, 1 << message.address_shift) << 32 - message.address_shift
            )
        payload = b"".join(
            (number - message.offset).to_bytes(8, "little", signed=True)[:size]
            for number in numbers
        )
        if message.order is AddressOrder.STRIDED:
            payload += bytes(8 - size) + struct.pack("<I", chance.choice((4, 8, 16)))
    start = first + message.address_start
    end = min(start + len(payload), len(state.files["grf"]))
    state.files["grf"][start:end] = payload[: end - start]


def _matrix(chance: random.Random) -> bytes:
    width, height = chance.choice((64, 96, 128)), chance.choice((8, 16))
    x, y = chance.randrange(-2, 8), chance.randrange(-2, 8)
    columns, rows = chance.choice((4, 8, 16, 32)), chance.choice((4, 8, 16))
    blocks = chance.choice((1, 1, 2))
    shape = columns - 1 | rows - 1 << 8 | blocks - 1 << 16
    return struct.pack("<QIIIiiI", GLOBAL_BASE, width - 1, height - 1, 128 - 1, x, y, shape)


@dataclass(frozen=True)
class Trial:
    """An instruction, the state before it and the one after it."""

    bench: Bench
    chance: random.Random
    code: bytes
    decoded: Decoded
    before: MachineState
    after: MachineState

    def problems(
        self, every: list[Assignment], influence: dict[tuple[str, int], list[bool]]
    ) -> Iterator[str]:
        """What is wrong with ``every``, which is said to be what the instruction does.

        ``influence`` gets, for the operation and the number of a source, whether other contents
        changed the result.
        """
        platform = self.before.platform
        targets = mask_of((each.target for each in every), platform)
        for name, bits in changed(self.before, self.after).items():
            if extra := bits & ~targets[name]:
                yield f"it writes byte {(extra & -extra).bit_length() // 8} of {name}"
        alone = [each for each in every if _is_alone(each, every)]
        if not alone:
            return
        chosen = self.chance.choice(alone)
        first = chosen.sources[0].place
        is_readable = chosen.is_copy and place_bits(first) is not None
        if is_readable and bits_of(self.after, chosen.target) != bits_of(self.before, first):
            yield f"{chosen} is no copy"
        problem = self._depends_on_more(chosen, every)
        if problem:
            yield problem
        for index, source in enumerate(chosen.sources):
            if source.role is Role.VALUE and place_bits(source.place) is not None:
                results = influence[self.decoded.mnemonic, index]
                results += self._changes(chosen, source.place)

    def _depends_on_more(self, chosen: Assignment, every: list[Assignment]) -> str:
        kept = [source.place for source in chosen.sources]
        kept += _addresses_of(every)  # where the other lanes write is to stay possible
        if self.decoded.send is not None:  # and so are the lanes for which there are addresses
            size = len(self.before.files["flag"])
            kept.append(RegisterPlace.of_bytes(RegisterKind.FLAG, 0, size))
        other = refreshed(self.chance, self.before, mask_of(kept, self.before.platform))
        outcome, again = execute(self.bench, self.code, other)
        if outcome not in ("budget", "end"):
            return f"{outcome} with other contents of what {chosen} does not read"
        if bits_of(self.after, chosen.target) != bits_of(again, chosen.target):
            return f"{chosen} depends on more"
        return ""

    def _changes(self, chosen: Assignment, place: Place) -> Iterator[bool]:
        """Whether other contents of ``place`` change the result, until they do."""
        kept = {name: (1 << 8 * len(data)) - 1 for name, data in self.before.files.items()}
        for name, bits in mask_of([place], self.before.platform).items():
            kept[name] &= ~bits
        for _ in range(4):
            _, again = execute(self.bench, self.code, refreshed(self.chance, self.before, kept))
            differs = bits_of(self.after, chosen.target) != bits_of(again, chosen.target)
            yield differs
            if differs:
                return


def _addresses_of(every: list[Assignment]) -> list[Place]:
    sources = (source for each in every for source in each.sources)
    return [each.place for each in sources if each.role in (Role.ADDRESS, Role.SURFACE)]


def _is_alone(each: Assignment, every: list[Assignment]) -> bool:
    """Whether nothing else is written where it writes, and the bench has that."""
    target = each.target
    if isinstance(target, OtherPlace) or place_bits(target) is None:
        return False
    return not any(other is not each and target.meets(other.target) for other in every)
