"""What a driver offers beyond the Level Zero API, asked for by name: other drivers lack it.

The simulated GPU's functions are in native/driver/xesim_debug_extension.h.
"""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.levelzero.core_driver import Driver
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
