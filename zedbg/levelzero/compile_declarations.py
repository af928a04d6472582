"""``python -m zedbg.levelzero.compile_declarations``: compiles the C declarations for cffi.

To read them takes a tenth of a second, at each start of each program that uses Level Zero; what
comes of it is in ``compiled_declarations.py``, which is made here and never edited. Run it after a
change of ``declarations_core.py`` or ``declarations_debug.py``; a test holds that somebody did.
"""

from __future__ import annotations

from pathlib import Path

import cffi

from zedbg.levelzero.declarations_core import CORE_DECLARATIONS
from zedbg.levelzero.declarations_debug import (
    DEBUG_DECLARATIONS,
    EXTENSION_DECLARATIONS,
    EXTENSION_STRUCTURES,
    OPTIONAL_DEBUG_DECLARATIONS,
)

COMPILED = Path(__file__).with_name("compiled_declarations.py")


def compile_to(path: Path) -> None:
    """Writes the module that has all declarations as cffi's own tables to ``path``."""
    ffi = cffi.FFI()
    for declarations in (
        CORE_DECLARATIONS,
        DEBUG_DECLARATIONS,
        OPTIONAL_DEBUG_DECLARATIONS,
        EXTENSION_STRUCTURES,
        EXTENSION_DECLARATIONS,
    ):
        ffi.cdef(declarations)
    ffi.set_source(f"{__package__}.{COMPILED.stem}", None)
    ffi.emit_python_code(str(path))


if __name__ == "__main__":
    compile_to(COMPILED)
