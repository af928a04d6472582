"""The call chains that zedbg shows at each instruction of a thread, beside the calls that it made.

MODULE KERNEL DEVICE STEPS ARGUMENT...: launches the kernel (arguments as for ``zedbg kernel``), and
lets the first thread execute STEPS instructions one by one. ``call`` and ``ret`` say which calls
are open. Prints, as JSON, what was shown otherwise, and the chains of functions in their order.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass

from zedbg.engine import Stop
from zedbg.engine.sessions import opening
from zedbg.engine.threads.thread import HardwareThread
from zedbg.missing import Missing, MissingError
from zedbg.xe.registers import Register, RegisterKind


@dataclass(frozen=True)
class Call:
    """A call that is open: where it goes on, the lanes that called, the registers just after it."""

    goes_on: int
    lanes: int
    registers: bytes


class Comparison:
    """What is shown of one thread's chain, beside its open ``calls``, the outermost first."""

    def __init__(self, thread: HardwareThread) -> None:
        self._thread = thread
        self.calls: list[Call] = []
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.chains: list[list[str | None]] = []

    def look(self) -> None:
        """Compares the chain at the thread's pc."""
        thread = self._thread
        found = thread.backtrace()
        outer = [each for each in found.frames if each.unwound and not each.unwound.is_inlined]
        names = [each.location.function for each in outer]
        if not self.chains or self.chains[-1] != names:
            self.chains.append(names)
        shown = [each.pc for each in outer[1:]]
        made = [each.goes_on for each in self.calls[::-1]]
        if found.stopped is not None and shown == made[: len(shown)]:
            self.counts[f"not shown: {found.stopped.reason}"] += 1
            return
        if shown != made:
            self.counts["wrong"] += 1
            self._note("chain", [hex(each) for each in shown], [hex(each) for each in made])
            return
        self.counts["right"] += 1
        for frame, call in zip(outer[1:], self.calls[::-1], strict=True):
            assert frame.unwound is not None
            lanes = frame.unwound.call_lanes
            if isinstance(lanes, Missing):
                self.counts["lanes not shown"] += 1
            elif lanes & thread.dispatch_lanes != call.lanes:
                self.counts["lanes wrong"] += 1
                self._note("lanes", frame.level, hex(lanes), hex(call.lanes))
            else:
                self.counts["lanes right"] += 1
            self._registers(frame.unwound.state, call)

    def _registers(self, state, call: Call) -> None:
        grf = self._thread.register_layout.get(RegisterKind.GRF)
        for number in range(grf.count):
            try:
                data = state.register(Register(RegisterKind.GRF, number))
            except MissingError:
                self.counts["register not shown"] += 1
                continue
            if data != grf.slice(call.registers, number)[: len(data)]:
                self.counts["register wrong"] += 1
                self._note("register", state.level, number)
            else:
                self.counts["register right"] += 1

    def _note(self, *what: object) -> None:
        thread = self._thread
        self.wrong.append(" ".join(map(str, (hex(thread.pc), thread.location.function, *what))))


def compare(thread: HardwareThread, step, steps: int) -> Comparison:
    """``step`` lets ``thread`` execute one instruction."""
    found = Comparison(thread)
    for _ in range(steps):
        found.look()
        pc, lanes = thread.pc, thread.active_lanes
        instruction = thread.device.code.instruction(pc)
        if not step():
            break
        if instruction.is_call and thread.pc != pc + instruction.size:
            registers = thread.read_registers(RegisterKind.GRF)
            found.calls.append(Call(pc + instruction.size, lanes, registers))
        elif instruction.is_return:
            found.calls.pop()
    return found


def main() -> None:
    module, kernel, device, steps, *arguments = sys.argv[1:]
    program = [sys.executable, "-m", "zedbg.frontends.main", "kernel", f"{module}:{kernel}"]
    silent = {"output": lambda stream, text: None}
    with opening.launch([*program, *arguments], sim=device, **silent) as session:
        session.settings.watchdog_seconds = 0
        session.break_at(kernel)
        session.continue_()
        thread = session.focus.thread

        def step() -> bool:
            outcome = session.step_instruction()
            return isinstance(outcome, Stop) and thread.is_stopped

        found = compare(thread, step, int(steps))
        session.kill()
    print(json.dumps([found.counts, found.wrong, found.chains]))


if __name__ == "__main__":
    main()
