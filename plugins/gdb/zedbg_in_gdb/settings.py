"""Settings: ``set zedbg NAME``."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import gdb

from zedbg_in_gdb.device import Device
from zedbg_in_gdb.process import zedbg_command, zedbg_environment


class Setting(gdb.Parameter):
    """A parameter whose documentation is given."""

    def __init__(self, name: str, kind: int, value: Any, summary: str) -> None:  # noqa: ANN401
        self.set_doc = f"Set {summary}."
        self.show_doc = f"Show {summary}."
        self._name = name
        super().__init__(f"zedbg {name}", gdb.COMMAND_RUNNING, kind)
        self.value = value

    __doc__ = ""

    def get_set_string(self) -> str:
        self.changed()
        return ""

    def get_show_string(self, text: str) -> str:
        return f"zedbg {self._name} is {text or 'not set'}."

    def changed(self) -> None:
        """After the user has set it."""


class AutoAttach(Setting):
    """Whether programs that GDB starts wait for the device's debugger."""

    device: Device

    def changed(self) -> None:
        for name, value in self.device.environment.items():
            if self.value:
                gdb.execute(f"set environment {name} = {value}")
            else:
                gdb.execute(f"unset environment {name}")


class Simulated(Setting):
    """The simulated device that programs run on."""

    device: Device
    _environment: Mapping[str, str] = MappingProxyType({})

    def changed(self) -> None:
        environment = {}
        try:
            environment = self._asked() if self.value else {}
            self.device.start_anew()
        finally:
            self.value = self.value if environment else ""
        for name in self._environment:
            gdb.execute(f"unset environment {name}")
        for name, value in environment.items():
            gdb.execute(f"set environment {name} = {value}")
        self._environment = environment

    def _asked(self) -> dict[str, str]:
        """What zedbg env prints. GdbError when there is no such device."""
        words = [zedbg_command(), "env", f"--sim={self.value}"]
        try:
            done = subprocess.run(words, env=zedbg_environment(), capture_output=True, text=True)
        except OSError as error:
            raise gdb.GdbError(f"zedbg: cannot start {words[0]}: {error.strerror}.") from None
        if done.returncode != 0:
            raise gdb.GdbError(done.stderr.strip() or f"zedbg: {words[0]} env fails.")
        pairs = [line.partition(" ")[2].partition("=") for line in done.stdout.splitlines()]
        return {name: "".join(shlex.split(value)) for name, _, value in pairs}
