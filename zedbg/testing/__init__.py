"""Testing kernels, and what is written for zedbg.

Kernels: the pytest plugin's fixtures, and comparisons of buffers; docs/testing-kernels.md is the
guide. Plugins: a session without a program. Each name is loaded when it is first used, since pytest
imports this package in runs that have no GPU test, too.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

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
_HOMES = {
    "Buffer": "buffers",
    "DebuggedPrograms": "programs",
    "Gpu": "devices",
    "Kernel": "kernels",
    "KernelError": "kernels",
    "Kernels": "kernels",
    "PluginSession": "plugin_session",
    "assert_close": "buffers",
    "assert_equal": "buffers",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'zedbg.testing' has no attribute {name!r}")
    return getattr(import_module(f"zedbg.testing.{_HOMES.get(name, 'stand_in')}"), name)
