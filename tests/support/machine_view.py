"""The schema of docs/machine-view.json, and whether what zedbg wrote fits it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

import jsonschema

from tests.support.places import REPOSITORY

SCHEMA = json.loads((REPOSITORY / "docs" / "machine-view.json").read_text())
_VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def assert_fits(objects: Iterable[Mapping[str, object]]) -> None:
    """Each of ``objects`` is what the schema says of an answer or event."""
    for each in objects:
        errors = [
            f"{error.json_path}: {error.message[:300]}" for error in _VALIDATOR.iter_errors(each)
        ]
        assert not errors, (each, errors)
