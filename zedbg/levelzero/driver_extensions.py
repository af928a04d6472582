"""What a driver offers beyond the Level Zero API, asked for by name: other drivers lack it.

The simulated GPU's functions are in native/driver/xesim_debug_extension.h.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from zedbg.levelzero.core_driver import Driver
from zedbg.levelzero.level_zero_errors import check
from zedbg.levelzero.loader import CData, ffi, function


@dataclass(frozen=True)
class ExtensionFunction:
    """A function by its ``name``, and the ``pointer`` type that declares it."""

    name: str
    pointer: str


EXCEPTION_REASON = ExtensionFunction(
    "xesimDebugGetExceptionReason", "xesim_pfnDebugGetExceptionReason_t"
)


def extension_function(driver: Driver, wanted: ExtensionFunction) -> CData | None:
    """The function ``wanted`` of ``driver`` (zeDriverGetExtensionFunctionAddress); None when the
    driver does not offer it."""
    address = ffi.new("void **")
    look_up = function("zeDriverGetExtensionFunctionAddress")
    if look_up(driver.handle, wanted.name.encode(), address) or address[0] == ffi.NULL:
        return None
    return ffi.cast(wanted.pointer, address[0])


class SessionExtension:
    """Functions on one debug session that belong together; a driver offers all of them or none."""

    functions: ClassVar[tuple[str, ...]]  # their names, without xesimDebug

    def __init__(self, handle: CData, found: dict[str, CData], subject: str) -> None:
        self._handle = handle
        self._found = found
        self._subject = subject

    @classmethod
    def offered(cls, driver: Driver, handle: CData, subject: str) -> Self | None:
        """The functions on the session ``handle``; None when ``driver`` does not offer them.
        ``subject`` names the session in errors."""
        found: dict[str, CData] = {}
        for name in cls.functions:
            wanted = ExtensionFunction(f"xesimDebug{name}", f"xesim_pfnDebug{name}_t")
            offered = extension_function(driver, wanted)
            if offered is None:
                return None
            found[name] = offered
        return cls(handle, found, subject)

    def _call(self, name: str, attempted: str, *arguments: object) -> None:
        """Raises LevelZeroError when the driver refuses to do what was ``attempted``."""
        result = self._found[name](self._handle, *arguments)
        if result:
            check(result, attempted, self._subject)
