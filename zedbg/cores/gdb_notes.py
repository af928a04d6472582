"""The notes of a core file that are for Intel's GDB.

It takes from notes of the owner ``CORE`` what a device is and which registers it has (NT_PRPSINFO,
with a target description), the registers of each thread (NT_PRSTATUS), and where the modules are in
the file's memory (NT_FILE). docs/core-files.md has their layout.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from zedbg.cores.saved import Core, SavedDevice, SavedThread
from zedbg.levelzero.debug import RegsetProperties
from zedbg.levelzero.enums import RegsetFlag
from zedbg.xe.registers import STATE_BASES, RegisterKind

OWNER = b"CORE\0"
PRSTATUS = 1
PRPSINFO = 3
FILE = 0x46494C45

_STATUS = struct.Struct("<QII")  # thread, signal, bytes of shared local memory
_FILES = struct.Struct("<QQ")  # how many, and the unit of what follows
_FILE = struct.Struct("<QQQ")  # begin, end, what its addresses are moved by
_SIGTRAP = 5
_SIGSEGV = 11
_PROGRAM = "GPU"
_FEATURE = "org.gnu.gdb.intelgt."


@dataclass(frozen=True)
class _Set:
    """How GDB calls a register set: its feature, the names of its registers (one for all, that is
    followed by a number, or one for each), and bits of an element (0: of a register)."""

    feature: str
    names: str | tuple[str, ...]
    element_bits: int = 32
    group: str = "arf"


_SETS: dict[int, _Set] = {
    RegisterKind.GRF: _Set("grf", "r", group="grf"),
    RegisterKind.ADDR: _Set("addr", "a", 16),
    RegisterKind.FLAG: _Set("flag", "f", 16),
    RegisterKind.CE: _Set("ce", ("ce",)),
    RegisterKind.SR: _Set("sr", "sr"),
    RegisterKind.CR: _Set("cr", "cr"),
    RegisterKind.TDR: _Set("tdr", "tdr", 16),
    RegisterKind.ACC: _Set("acc", "acc"),
    RegisterKind.MME: _Set("mme", "mme"),
    RegisterKind.SP: _Set("sp", ("sp",), 0),
    RegisterKind.SBA: _Set("sba", STATE_BASES, 0, "virtual"),
    RegisterKind.DBG: _Set("dbg", "dbg"),
    RegisterKind.FC: _Set("fc", "fc"),
}


def gdb_notes(core: Core) -> Iterator[tuple[int, bytes]]:
    """Type and contents of each note. GDB shows one device: the focused one, with those that have
    the same registers."""
    if not core.devices:
        return
    number = 1 if core.focus is None else core.focus.device
    main = core.devices[number - 1]
    shown = [each for each in core.devices if each.register_sets == main.register_sets]
    yield PRPSINFO, b"".join(text.encode() + b"\0" for text in (_PROGRAM, _description(main)))
    place = None if core.focus is None else core.focus.place
    threads = [(device, thread) for device in shown for thread in device.threads]
    # The first one is the one that GDB shows.
    threads.sort(key=lambda pair: pair[0] is not main or pair[1].place != place)
    for order, (device, thread) in enumerate(threads, 1):
        yield PRSTATUS, _status(device, thread, order)
    yield FILE, _files(shown)


def _described(device: SavedDevice) -> Iterator[tuple[RegsetProperties, _Set, tuple[str, ...]]]:
    """The sets that GDB knows, with the names of their registers."""
    for each in device.register_sets:
        known = _SETS.get(each.type)
        if known is None or each.count < 1 or not each.flags & RegsetFlag.READABLE:
            continue
        if isinstance(known.names, str):
            names = tuple(f"{known.names}{number}" for number in range(each.count))
        else:
            names = known.names[: each.count]
        yield each, known, names


def _description(device: SavedDevice) -> str:
    """The target description, as the manual of GDB defines it (appendix G)."""
    properties = device.properties
    lines = [
        '<?xml version="1.0"?>',
        '<!DOCTYPE target SYSTEM "gdb-target.dtd">',
        "<target>",
        "<architecture>intelgt</architecture>",
        f'<device vendor-id="{properties.vendor_id:#06x}" target-id="{properties.device_id:#06x}"'
        f" name={quoteattr(properties.name)}/>",
    ]
    number = 0
    for each, known, names in _described(device):
        bits = known.element_bits or each.bit_size
        count = each.bit_size // bits
        kind = f"uint{bits}"
        lines.append(f'<feature name="{_FEATURE}{known.feature}">')
        if count > 1:
            vector = f"vector{count}_{kind}"
            lines.append(f'<vector id="{vector}" type="{kind}" count="{count}"/>')
            kind = vector
        for name in names:
            lines.append(
                f'<reg name="{name}" bitsize="{each.bit_size}" type="{kind}" regnum="{number}"'
                f' group="{known.group}"/>'
            )
            number += 1
        lines.append("</feature>")
    return "\n".join([*lines, "</target>"]) + "\n"


def _status(device: SavedDevice, thread: SavedThread, number: int) -> bytes:
    """The registers of a thread, in the order of the description."""
    signal = 0
    if thread.took_exception:
        signal = _SIGTRAP if device.fault_address is None else _SIGSEGV
    parts = [_STATUS.pack(number, signal, 0)]
    for each, _, names in _described(device):
        data = thread.registers.get(each.type, b"").ljust(len(names) * each.byte_size, b"\0")
        size = each.bit_size // 8
        if size == each.byte_size:
            parts.append(data[: len(names) * size])
            continue
        starts = range(0, len(names) * each.byte_size, each.byte_size)
        parts += [data[start : start + size].ljust(size, b"\0") for start in starts]
    return b"".join(parts)


def _files(devices: list[SavedDevice]) -> bytes:
    """The modules: their ELF files are in the memory that is saved, and have device addresses."""
    modules = [each for device in devices for each in device.modules]
    places = (_FILE.pack(each.begin, each.end, 0) for each in modules)
    names = (f"module-{each.load:#x}".encode() + b"\0" for each in modules)
    return b"".join([_FILES.pack(len(modules), 1), *places, *names])
