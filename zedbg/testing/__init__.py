"""Testing what is written for zedbg: plugins without a program."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zedbg.testing.plugin_session import PluginSession
    from zedbg.testing.stand_in import StandInThread, array, structure

__all__ = ["PluginSession", "StandInThread", "array", "structure"]
_HOMES = {"PluginSession": "plugin_session"}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'zedbg.testing' has no attribute {name!r}")
    return getattr(import_module(f"zedbg.testing.{_HOMES.get(name, 'stand_in')}"), name)
