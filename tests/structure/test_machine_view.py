"""docs/machine-view.json says what scripts see, and what breaks them raises its version."""

import copy
import json

import jsonschema
import pytest

from tests.support.machine_view import SCHEMA, assert_fits
from tests.support.places import REPOSITORY
from zedbg.commands.catalogue.catalogue import declared
from zedbg.commands.catalogue.machine_view import incompatibilities, machine_view
from zedbg.commands.catalogue.reference import machine_view_text
from zedbg.commands.rows.events import Event, MessageEvent, StopEvent
from zedbg.commands.rows.session_rows import ThreadRow
from zedbg.missing import Missing

GENERATE = "python -m zedbg.commands.catalogue.reference"


def test_the_schema_is_what_the_row_types_say():
    current = (REPOSITORY / "docs" / "machine-view.json").read_text() == machine_view_text()
    assert current, f"run: {GENERATE}"
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_every_event_and_every_command_is_in_it():
    events = {each["$ref"].rpartition("/")[2] for each in SCHEMA["$defs"]["Event"]["oneOf"]}
    assert events == {each.__name__ for each in Event.__subclasses__()}
    commands = [
        each["if"]["properties"]["command"]["const"]
        for each in SCHEMA["$defs"]["Answer"]["allOf"]
        if each
    ]
    assert set(commands) <= {each.name for each in declared()}
    assert {"info threads", "print", "break", "x", "backtrace"} <= set(commands)


THREAD = ThreadRow(
    id="1.1",
    name="ZE 0.0.0.0",
    state="stopped",
    kernel=None,
    workgroup=Missing("why"),
    lanes=(0, 1),
    pc=16,
    function=None,
    file=None,
    line=3,
    focused=True,
    focused_lane=0,
).to_json()
STOP = StopEvent(
    reason="step", breakpoint=None, kernel="k", file=None, line=None, pc=1, threads=()
).to_json()


def answer(**changes):
    whole = {"command": "info threads", "line": "i th", "ok": True, "rows": [THREAD]}
    return {name: value for name, value in (whole | changes).items() if value is not None}


def test_what_zedbg_writes_fits():
    failed = {"command": "print", "line": "p x", "ok": False, "error": "No symbol", "id": 7}
    assert_fits([answer(), failed, STOP, MessageEvent("hello").to_json(), answer(rows=[])])
    assert_fits([answer(command="a plugin's", rows=[{"anything": 1}])])


@pytest.mark.parametrize(
    "wrong",
    [
        answer(rows=None),
        answer(ok=False),
        answer(rows=[THREAD | {"line": "3"}]),
        answer(rows=[THREAD | {"more": 1}]),
        answer(rows=[{k: v for k, v in THREAD.items() if k != "pc"}]),
        answer(rows=[{"text": "x", "warning": False}]),
        answer(command="print"),
        STOP | {"event": "stopped"},
        STOP | {"pc": None},
        {"event": "stop"},
        {"text": "x"},
    ],
    ids=lambda each: json.dumps(each)[:60],
)
def test_what_does_not_fit_is_found(wrong):
    with pytest.raises(AssertionError):
        assert_fits([wrong])


def test_what_would_break_scripts_is_found_and_what_is_added_is_not():
    view = machine_view(declared())
    assert incompatibilities(SCHEMA, view) == []
    changed = copy.deepcopy(view)
    thread = changed["$defs"]["ThreadRow"]["properties"]
    thread["more"] = {"type": "string"}
    thread["line"] = {"type": "integer"}  # without null: less than before
    changed["$defs"]["NewRow"] = {"properties": {}}
    assert incompatibilities(view, changed) == []
    del thread["pc"]
    thread["id"] = {"type": "integer"}
    del changed["$defs"]["LaneRow"]
    assert set(incompatibilities(view, changed)) == {
        "ThreadRow.pc is gone",
        "ThreadRow.id has another type",
        "LaneRow is gone",
    }
