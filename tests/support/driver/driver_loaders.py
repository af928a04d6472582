"""The ways in which a program can reach the simulated driver: loaders, and their settings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.support.driver.newest_loader import command_prefix, make
from tests.support.places import REPOSITORY
from zedbg.tools.fetch.packages import FetchError

SETTINGS: Mapping[str, Mapping[str, str]] = {
    "plain": {},
    "intercept": {"ZE_ENABLE_LOADER_INTERCEPT": "1"},
    "validation": {
        "ZE_ENABLE_VALIDATION_LAYER": "1",
        "ZE_ENABLE_PARAMETER_VALIDATION": "1",
        "ZE_ENABLE_THREADING_VALIDATION": "1",
    },
    "tracing": {"ZE_ENABLE_TRACING_LAYER": "1"},
    "debuggable": {"ZET_ENABLE_PROGRAM_DEBUGGING": "1"},
}
# The newest layer takes every immediate list for a closed one and refuses to append to it, so the
# lifetime of handles is left to the system's.
LIFETIME = {**SETTINGS["validation"], "ZE_ENABLE_HANDLE_LIFETIME": "1"}
# What programs leave behind, and how they use events: lines on stderr.
CHECKERS = {
    "ZE_ENABLE_VALIDATION_LAYER": "1",
    "ZEL_ENABLE_BASIC_LEAK_CHECKER": "1",
    "ZEL_ENABLE_EVENTS_CHECKER": "1",
}
NAMES = (*SETTINGS, "lifetime", *(f"newest-{name}" for name in SETTINGS))


@dataclass(frozen=True)
class Loader:
    """A way to start programs: what goes before the command, and into its environment."""

    environment: Mapping[str, str] = field(default_factory=dict)
    prefix: tuple[str, ...] = ()


def named(name: str) -> Loader:
    """The loader of that name (one of NAMES); skips the test where the newest is out of reach."""
    if name == "lifetime":
        return Loader(LIFETIME)
    if name.startswith("newest-"):
        settings = (SETTINGS | {"checkers": CHECKERS})[name.removeprefix("newest-")]
        return Loader(settings, tuple(command_prefix(newest_directory())))
    return Loader(SETTINGS[name])


def newest_directory() -> Path:
    """A directory with the newest loader: `ZEDBG_NEWEST_LOADER`, or one made in build/."""
    chosen = os.environ.get("ZEDBG_NEWEST_LOADER")
    try:
        return make(Path(chosen) if chosen else REPOSITORY / "build" / "newest-loader")
    except FetchError as error:
        pytest.skip(f"the newest Level Zero loader cannot be downloaded: {error}")
