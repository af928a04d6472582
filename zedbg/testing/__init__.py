"""Testing kernels, and what is written for zedbg.

Kernels: the pytest plugin's fixtures, and comparisons of buffers; docs/testing-kernels.md is the
guide. Plugins: a session without a program. Each name is loaded when it is first used, since pytest
imports this package in runs that have no GPU test, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zedbg.lazy_names import loaded_when_used

if TYPE_CHECKING:
    from zedbg.testing.buffers import Buffer, assert_close, assert_equal
    from zedbg.testing.devices import Gpu
    from zedbg.testing.kernels import Kernel, KernelError, Kernels
    from zedbg.testing.plugin_session import PluginSession
    from zedbg.testing.programs import DebuggedPrograms
    from zedbg.testing.stand_in import StandInThread, array, structure

__all__ = [
    "Buffer",
    "DebuggedPrograms",
    "Gpu",
    "Kernel",
    "KernelError",
    "Kernels",
    "PluginSession",
    "StandInThread",
    "array",
    "assert_close",
    "assert_equal",
    "structure",
]
_MODULES = {
    "Buffer": "buffers",
    "DebuggedPrograms": "programs",
    "Gpu": "devices",
    "Kernel": "kernels",
    "KernelError": "kernels",
    "Kernels": "kernels",
    "PluginSession": "plugin_session",
    "StandInThread": "stand_in",
    "array": "stand_in",
    "assert_close": "buffers",
    "assert_equal": "buffers",
    "structure": "stand_in",
}
__getattr__ = loaded_when_used(__name__, _MODULES)
