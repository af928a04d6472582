"""Names of a package that are loaded when they are first used (PEP 562).

Most of zedbg (inspecting files, completing command lines) needs neither the loader nor the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module


def loaded_when_used(package: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """The ``__getattr__`` of ``package``, which finds each name of ``modules`` in the module of the
    package that it is mapped to."""

    def find(name: str) -> object:
        module = modules.get(name)
        if module is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{module}"), name)

    return find
