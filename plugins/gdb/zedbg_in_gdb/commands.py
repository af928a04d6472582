"""The command ``zedbg`` of GDB."""

from __future__ import annotations

import gdb

from zedbg_in_gdb.device import Device, say
from zedbg_in_gdb.launches import launched_kernel


class DeviceCommand(gdb.Command):
    """Debug the device side of the program.

    zedbg COMMAND runs a command of zedbg, about the device of the program that GDB debugs: zedbg
    break vadd.cl:3, zedbg info threads, zedbg print i. zedbg help says which there are. zedbg alone
    says what the device does. Those that are GDB's here:

    zedbg continue         GDB's continue, which lets both sides go
    zedbg interrupt        stops both
    zedbg break-launched   at a host breakpoint on zeCommandListAppendLaunchKernel: stop on the
                           device when the kernel that is launched there begins
    zedbg attach, detach   begins to debug the device of GDB's program, or ends that
    """

    def __init__(self, device: Device) -> None:
        super().__init__("zedbg", gdb.COMMAND_RUNNING)
        self._device = device
        self._own = {
            "": lambda: say(device.status()),
            "continue": device.go,
            "interrupt": self._interrupt,
            "break-launched": self._break_launched,
            "attach": device.attach,
            "detach": device.detach,
        }

    def invoke(self, text: str, _from_tty: bool) -> None:
        line = text.strip()
        word = line.partition(" ")[0]
        word = {"c": "continue", "fg": "continue", "cont": "continue"}.get(word, word)
        if word in ("run", "r", "start", "kill", "k", "quit", "q", "exit", "core-file", "serve"):
            raise gdb.GdbError(f"zedbg: {word} is not for the device: use GDB's own commands.")
        own = self._own.get(word)
        if own is not None:
            own()
        else:
            self._device.execute(line)

    def complete(self, text: str, word: str) -> list[str]:
        before = text[: len(text) - len(word)]
        found = [each for each in self._own if each.startswith(text) and each]
        found += self._device.completions(text)
        return [each[len(before) :] for each in dict.fromkeys(found) if each.startswith(before)]

    def _interrupt(self) -> None:
        self._device.require()
        if gdb.parameter("zedbg stop-together") and self._device.host_runs:
            gdb.execute("interrupt")
        else:
            self._device.stop()

    def _break_launched(self) -> None:
        self._device.require()
        self._device.execute(f"tcatch launch {launched_kernel()}")
