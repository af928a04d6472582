"""What zedbg shows of each variable at each store of it, beside what was stored.

BUILD [KERNEL...]: prints, as JSON, for each kernel of tests/kernels/truth a list of [line,
variable, shown number or why there is none, number stored, function, offset of the instruction in
it], one for each work-item that came to a store; of the stores in a loop the last one. Lines to
which no instruction belongs have none: the older compiler leaves lines out of some modules. A
process of its own, since one process has one device.
"""

import json
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.support.module_command import module_command
from tests.support.packed_modules import MODULES
from tests.support.places import KERNELS as SOURCES
from tests.support.truth.truth_host import ITEMS
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.engine.process.exited import Exited
from zedbg.engine.sessions import opening
from zedbg.values.expressions.api import evaluate
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.value import Value
from zedbg.xe.coordinates import lanes_of
from zedbg.xe.decoding import decode
from zedbg.xe.instruction import Decoded
from zedbg.xe.isa.names import Predicate, SharedFunction
from zedbg.xe.registers import RegisterKind
from zedbg.zebin.products import instruction_set_of

KERNELS = SOURCES / "truth"
TRUTH_MODULES = MODULES / "truth"
_STORE = re.compile(r"\bT[FDH]?\((\d+), (.*)\);")
_OTHER_FUNCTIONS = {SharedFunction.GATEWAY, SharedFunction.SLM}


@dataclass(frozen=True)
class Store:
    """A store of ``variable`` into ``slot`` at ``line``."""

    line: int
    slot: int
    variable: str


def stores_of(name):
    """The stores in a source, by line."""
    lines = (KERNELS / name).read_text().splitlines()
    found = enumerate(map(_STORE.search, lines), 1)
    return {line: Store(line, int(m[1]), m[2]) for line, m in found if m}


def instructions_of(thread, stores):
    """The instructions that store: address, store, instruction."""
    info, found = thread.debug_info, []
    platform = instruction_set_of(info.module.notes)
    for function in info.functions:
        code = thread.read_memory(MemorySpace.GLOBAL, function.low, function.high - function.low)
        offset = 0
        while offset < len(code):
            instruction = decode(platform, code[offset : offset + 16])
            row = info.lines.row_at(function.low + offset)
            if row is not None and row.line in stores and is_store(instruction):
                place = function.name, offset
                found.append((function.low + offset, stores[row.line], instruction, place))
            offset += instruction.length
    return found


def is_store(instruction: Decoded):
    send = instruction.send
    stores = send is not None and send.response_length == 0 and not send.end_of_thread
    return stores and send.function not in _OTHER_FUNCTIONS and len(instruction.sources) > 1


def storing_lanes(thread, lanes, instruction):
    """Those of ``lanes`` (a mask) for which ``instruction`` stores."""
    lanes &= ((1 << instruction.execution_size) - 1) << instruction.channel_offset
    if instruction.predicate is not Predicate.NONE:
        flags = int.from_bytes(thread.read_registers(RegisterKind.FLAG), "little")
        flags >>= 32 * instruction.flag_register + 16 * instruction.flag_subregister
        lanes &= ~flags if instruction.predicate_inverted else flags
    return lanes_of(lanes)


class Watcher:
    """Follows the kernels of a session, and notes what is shown at each store."""

    def __init__(self, session, sources):
        self._session = session
        self._entries = {}
        for source in sources:
            text = (KERNELS / source).read_text()
            for name in re.findall(r"^kernel void (\w+)", text, re.MULTILINE):
                self._entries[session.break_at(name).number] = name, stores_of(source)
        self._kernel = None
        self._stores = {}  # by breakpoint number
        self.shown = {}  # (line, variable, slot, work-item): number or reason, by kernel

    def take(self, group):
        number = group.breakpoint.number
        entry = self._entries.pop(number, None)
        if entry is not None:
            self._begin(number, group.threads[0].thread, *entry)
            return
        if number not in self._stores:
            return
        store, instruction, place = self._stores[number]
        for hit in group.threads:
            lanes = storing_lanes(hit.thread, hit.lanes, instruction)
            ids = hit.thread.global_ids()
            assert isinstance(ids, list), (self._kernel, store, ids)
            for lane, shown in zip(lanes, self._shown(store, hit.thread, lanes), strict=True):
                where = store.line, store.variable, store.slot, ids[lane][0]
                self.shown[self._kernel][where] = shown, place

    def _begin(self, number, thread, kernel, stores):
        """The next kernel's first stop: breakpoints move to its stores."""
        table = self._session.breakpoints
        for each in [number, *self._stores]:
            table.delete(table.get(each))
        self._kernel = kernel
        self.shown[kernel] = {}
        self._stores = {}
        for address, *store in instructions_of(thread, stores):
            self._stores[self._session.break_at(f"*{address:#x}").number] = store

    def _shown(self, store, thread, lanes):
        """For each lane the number, with its size in bytes, or why there is none."""
        try:
            values = evaluate(store.variable, thread, lanes)
        except EvaluationError as error:
            return [str(error)] * len(lanes)
        return [
            (int.from_bytes(each.data, "little"), len(each.data))
            if isinstance(each, Value) and each.doubt is None
            else each.doubt
            if isinstance(each, Value)
            else each.reason
            for _, each in values
        ]


def main(build, *names):
    with tempfile.TemporaryDirectory() as scratch:
        result = Path(scratch) / "result.json"
        program = module_command("truth.truth_host", TRUTH_MODULES / build, result, *names)
        silent = {"output": lambda stream, text: print(text, file=sys.stderr)}
        with opening.launch(program, sim=build.split("-")[1], **silent) as session:
            watcher = Watcher(session, sorted(path.name for path in KERNELS.glob("*.cl")))
            while not isinstance(stop := session.continue_(timeout=100), Exited):
                assert stop is not None, "the program hangs"
                for group in stop.groups:
                    watcher.take(group)
        found = json.loads(result.read_text())
    print(
        json.dumps(
            {
                kernel: rows(watcher.shown[kernel], stored, found["untouched"])
                for kernel, stored in found["stored"].items()
            }
        )
    )


def rows(shown, stored, untouched):
    """What is shown of each store, and what it left in its slot."""
    found = []
    for (line, variable, slot, item), (number, place) in shown.items():
        truth = stored[slot * ITEMS + item]
        assert truth != untouched, f"line {line} stores nothing in work-item {item}"
        if isinstance(number, str):
            found.append([line, variable, number, truth, *place])
        else:
            value, size = number
            found.append([line, variable, value, truth & (1 << 8 * size) - 1, *place])
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
