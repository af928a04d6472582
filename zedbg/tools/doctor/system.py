"""What the operating system must allow: EU debug in the kernel, device files, attaching."""

from __future__ import annotations

import grp
from collections.abc import Iterator
from pathlib import Path

from zedbg.tools.doctor.findings import Finding, State
from zedbg.tools.doctor.machine import Machine

_INTEL = "0x8086"
# Names that the switch has had: xe, i915, and their versions out of the kernel's tree.
_SWITCHES = ("enable_eudebug", "prelim_enable_eudebug", "prelim_enable_eu_debug", "enable_eu_debug")
_NO_SWITCH = (
    "boot a kernel whose {driver} has EU debug: xe with CONFIG_DRM_XE_EUDEBUG, or Intel's "
    "intel-i915-dkms"
)


def intel_cards(machine: Machine) -> list[Path]:
    """The sysfs folders of Intel's GPUs: ``/sys/class/drm/card0``."""
    return [
        card
        for card in machine.glob("/sys/class/drm/card*")
        if card.name.removeprefix("card").isdecimal()
        and machine.text(card / "device/vendor") == _INTEL
    ]


def check_eu_debug(machine: Machine) -> Iterator[Finding]:
    """The kernel's switch of each Intel GPU."""
    cards = intel_cards(machine)
    if not cards:
        yield Finding("EU debug", State.MISSING, "this machine has no Intel GPU: use zedbg --sim")
    for card in cards:
        driver = (card / "device/driver").resolve().name
        switches = [
            folder / name
            for folder in (card / "device", card)
            for name in _SWITCHES
            if (folder / name).exists()
        ]
        if not switches:
            found = f"{card.name}: the kernel's driver ({driver}) has no EU-debug switch"
            yield Finding("EU debug", State.WRONG, found, _NO_SWITCH.format(driver=driver))
            continue
        value, path = machine.text(switches[0]), machine.shown(switches[0])
        if value == "1":
            yield Finding("EU debug", State.OK, f"{card.name}: {path} is 1")
        else:
            found = f"{card.name}: {path} is {value or 'not readable'}"
            fix = f"echo 1 | sudo tee {path}"
            yield Finding("EU debug", State.WRONG, found, fix)


def check_device_files(machine: Machine) -> Iterator[Finding]:
    """Whether the user may open the GPUs' files."""
    files = [
        path for path in machine.glob("/dev/dri/*") if path.name.startswith(("renderD", "card"))
    ]
    if not files:
        state = State.WRONG if intel_cards(machine) else State.MISSING
        fix = "load the kernel's driver: sudo modprobe xe (or i915)" if state is State.WRONG else ""
        yield Finding("device files", state, "there is nothing in /dev/dri", fix)
        return
    refused = [path for path in files if not machine.may_use(path)]
    if not refused:
        yield Finding("device files", State.OK, f"{len(files)} in /dev/dri, all may be used")
    for path in refused:
        group = _group_name(path)
        found = f"{machine.shown(path)}: permission denied"
        fix = f"sudo usermod -aG {group} $USER, then log in again"
        render = path.name.startswith("renderD")
        yield Finding("device files", State.WRONG if render else State.NOTE, found, fix)


def _group_name(path: Path) -> str:
    group = path.stat().st_gid
    try:
        return grp.getgrgid(group).gr_name
    except KeyError:
        return str(group)


def check_attaching(machine: Machine) -> Iterator[Finding]:
    """What Yama lets a debugger do with processes that it did not start."""
    path = machine.path("/proc/sys/kernel/yama/ptrace_scope")
    scope = machine.text(path)
    free = "sudo sysctl kernel.yama.ptrace_scope=0"
    if scope is None or scope == "0":
        yield Finding("attaching", State.OK, "to any process of the same user")
    elif machine.may_trace_everything:
        yield Finding("attaching", State.OK, f"ptrace_scope is {scope}, but zedbg may trace all")
    elif scope == "3":
        found = "ptrace_scope is 3: no process can be attached to until the next boot"
        yield Finding("attaching", State.WRONG, found, f"reboot with: {free}")
    else:
        found = f"ptrace_scope is {scope}: run works, attach needs CAP_SYS_PTRACE"
        yield Finding("attaching", State.NOTE, found, free)
