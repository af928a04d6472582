"""The loader's layers, with which a suite of others runs; they check calls or record them."""

from __future__ import annotations

from collections.abc import Mapping

from tests.support.driver.driver_loaders import CHECKERS, LIFETIME, SETTINGS

#: What the environment has for each. All but ``events`` refuse calls that they complain of.
LAYERS: Mapping[str, Mapping[str, str]] = {
    "validation": SETTINGS["validation"],
    "lifetime": LIFETIME,
    "events": CHECKERS,
    "tracing": SETTINGS["tracing"],
}
_COMPLAINT = "Warning: "


def complaints(error_output: str) -> list[str]:
    """The lines in which the check of events complains of what a program does with them."""
    return [line for line in error_output.splitlines() if line.startswith(_COMPLAINT)]
