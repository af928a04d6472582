"""A module on a device, and what has been read of it there."""

from __future__ import annotations

from dataclasses import dataclass, field

from zedbg.engine.modules.header_copy import HeaderCopy
from zedbg.engine.modules.module_code import ModuleCode


@dataclass(frozen=True, eq=False)
class LoadedModule(ModuleCode):
    """A module that process ``pid`` loaded on a device.

    ``begin``, ``end``: where its ELF is in the session's default memory space; ``load``: its lowest
    device address. ``image`` is None when the program's driver keeps no ELF for it.
    """

    number: int
    pid: int
    begin: int
    end: int
    load: int
    # Sizes of implicit arguments that have been read, by the address of their place in the code.
    implicit_sizes: dict[int, int] = field(default_factory=dict, init=False, repr=False)
    # Where kernels keep their threads' headers, by the address of their code.
    header_copies: dict[int, HeaderCopy | None] = field(
        default_factory=dict, init=False, repr=False
    )
