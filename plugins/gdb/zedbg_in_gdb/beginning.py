"""What sourcing the plugin makes: the device side, its command, settings and functions."""

from __future__ import annotations

import gdb

from zedbg_in_gdb.commands import DeviceCommand
from zedbg_in_gdb.device import Device
from zedbg_in_gdb.functions import Lanes, Stopped, Value
from zedbg_in_gdb.settings import AutoAttach, Setting, Simulated


def _make_settings(device: Device) -> None:
    gdb.Command("set zedbg", gdb.COMMAND_NONE, prefix=True)
    gdb.Command("show zedbg", gdb.COMMAND_NONE, prefix=True)
    flag, text = gdb.PARAM_BOOLEAN, gdb.PARAM_STRING_NOESCAPE
    Setting("command", gdb.PARAM_OPTIONAL_FILENAME, "", "the zedbg program to use")
    Setting("stop-together", flag, True, "whether host and device stop and go on together")
    Simulated("sim", text, "", "the simulated device that programs run on").device = device
    attach = AutoAttach("auto-attach", flag, True, "whether programs wait for zedbg to attach")
    attach.device = device
    attach.changed()


device = Device()
_make_settings(device)
DeviceCommand(device)
for function in (Value, Lanes, Stopped):
    function(device)
