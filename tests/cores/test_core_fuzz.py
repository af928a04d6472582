"""Damaged core files: one line that says so, or a session that can be looked at; never more."""

import contextlib
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import zedbg
from zedbg.cores.core_file_error import CoreFileError
from zedbg.cores.opening import open_core
from zedbg.engine import Session, SessionState
from zedbg.user_error import UserError

RELAXED = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))

numbers = st.sampled_from([0, 1, 2, 0x7F, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 40, (1 << 64) - 1])
changes = st.lists(st.tuples(st.floats(0, 1, exclude_max=True), numbers), max_size=4)


@pytest.fixture(scope="module")
def core(core_folder):
    """A core file of eight threads, as bytes."""
    return (core_folder / "without").read_bytes()


def look(path):
    """All that a user would ask first."""
    with Session() as session:
        try:
            open_core(session, path)
        except CoreFileError as error:
            assert "\n" not in str(error)
            assert session.state is SessionState.NO_PROCESS
            return
        for thread in session.stopped_threads():
            with contextlib.suppress(UserError):
                thread.backtrace()
                thread.global_ids()
                thread.evaluate("i")
        assert session.state is SessionState.STOPPED


@RELAXED
@given(
    changed=changes,
    near_start=changes,
    cut=st.sampled_from([0, 0, 0, 0.001, 0.5, 0.9999]),
)
def test_a_damaged_core_ends_in_one_line_or_can_be_looked_at(
    core, tmp_path_factory, changed, near_start, cut
):
    damaged = bytearray(core[: len(core) - int(cut * len(core))])
    notes = min(len(damaged), 60_000)  # where the headers, the notes and the JSON are
    for places, size in ((changed, len(damaged)), (near_start, notes)):
        for place, number in places:
            start = int(place * size) & ~3
            damaged[start : start + 8] = number.to_bytes(8, "little")[: len(damaged) - start]
    path = tmp_path_factory.mktemp("damaged") / "core"
    path.write_bytes(damaged)
    look(path)


@pytest.mark.parametrize(
    ("found", "given"),
    [
        (b'"pid": ', b'"pid": []'),
        (b'"devices": [', b'"devices": 7,"x": ['),
        (b'"slices": ', b'"slices": -'),
        (b'"slices": ', b'"slices": 9999999'),
        (b'"byte_size": ', b'"byte_size": 9999999'),
        (b'"layout": ', b'"layout": 9'),
        (b'"focus": ', b'"focus": {}, "x": '),
        (b'"host": ', b'"host": 7, "x": '),
        (b'"breakpoints": [', b'"breakpoints": [{}, '),
    ],
)
def test_damaged_words_are_named(core, tmp_path, found, given):
    assert found in core
    start = core.index(found)
    path = tmp_path / "core"
    path.write_bytes(core[:start] + given + core[start + len(given) :])
    with Session() as session, pytest.raises(CoreFileError, match="Cannot read"):
        open_core(session, path)


def test_other_files_are_refused_in_one_line(tmp_path):
    with Session() as session:
        for name in (sys.executable, "/dev/null", str(tmp_path), "/nowhere", zedbg.__file__):
            with pytest.raises(CoreFileError, match="Cannot read"):
                open_core(session, tmp_path / name)
