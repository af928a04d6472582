"""Opens the Level Zero loader once per process, and creates cffi objects for the other modules."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

from zedbg.levelzero.compiled_declarations import ffi
from zedbg.levelzero.level_zero_errors import LoaderMissing, LoaderTooOld, check

__all__ = [
    "LOADER_NAME",
    "CData",
    "enumerate_handles",
    "ffi",
    "function",
    "library",
    "loader_is_open",
    "new_structure",
    "optional_function",
    "text",
]

LOADER_NAME = "libze_loader.so.1"

# What cffi hands out: structures, pointers, entry points. Its stubs type none of it further.
CData = Any

_lock = threading.Lock()
_library: CData = None
_initialized = False


def library() -> CData:
    """The loader's entry points, initialised (zeInit).

    The environment that chooses a driver must be set before the first call
    (:func:`zedbg.levelzero.selection.select_driver`). Raises LoaderMissing, or the LevelZeroError
    of zeInit.
    """
    global _initialized
    with _lock:
        opened = _open()
        if not _initialized:
            check(function("zeInit")(0), "initialise Level Zero")
            _initialized = True
        return opened


def loader_is_open() -> bool:
    """Whether this process opened the loader already: the choice of driver is then final."""
    return _library is not None


def function(name: str) -> CData:
    """The entry point ``name`` of the loader; LoaderTooOld when it has none."""
    found = optional_function(name)
    if found is None:
        raise LoaderTooOld(f"{LOADER_NAME} has no {name}: install a newer Level Zero loader")
    return found


def optional_function(name: str) -> CData | None:
    """The entry point ``name``, or None when this loader does not export it."""
    try:
        return getattr(_open(), name)
    except ffi.error:
        return None


def _open() -> CData:
    global _library
    if _library is None:
        try:
            _library = ffi.dlopen(LOADER_NAME)
        except OSError as error:
            raise LoaderMissing(
                f"the Level Zero loader cannot be opened ({error}): install it, on Debian and "
                "Ubuntu with: apt install libze1"
            ) from None
    return _library


def new_structure(type_name: str, structure_type: int) -> CData:
    """A zeroed structure of ``type_name`` (``ze_module_desc_t``) with its ``stype`` set."""
    structure: CData = ffi.new(_pointer_to(type_name))
    structure.stype = structure_type
    return structure


@lru_cache(maxsize=256)
def _pointer_to(type_name: str) -> CData:
    """The type of pointers to ``type_name``: to look it up takes longer than most calls."""
    return ffi.typeof(f"{type_name} *")


def enumerate_handles(
    call: CData, handle_type: str, attempted: str, *leading: CData
) -> list[CData]:
    """The handles that a Get call (count first, then the list) gives."""
    count = ffi.new("uint32_t *")
    check(call(*leading, count, ffi.NULL), attempted)
    if count[0] == 0:
        return []
    handles = ffi.new(f"{handle_type}[]", count[0])
    check(call(*leading, count, handles), attempted)
    return [handles[index] for index in range(count[0])]


def text(characters: CData, limit: int = -1) -> str:
    """The C string at ``characters``, at most ``limit`` bytes; damaged UTF-8 is replaced."""
    data = ffi.string(characters, limit)
    return data.decode(errors="replace") if isinstance(data, bytes) else data
