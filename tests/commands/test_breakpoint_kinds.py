"""Breakpoints that log, mean many kernels, or catch launches; where sources are found."""

import re
import shutil

import pytest


def events(finished, kind):
    return [each for each in finished.objects if each.get("event") == kind]


def test_a_log_shows_values_of_the_lanes_that_hit_and_nothing_stops(debugger, vadd):
    finished = debugger.json(
        ['break vadd.cl:4 if i > 60 log "i={i} sum={a[i] + b[i]}"', "run"], vadd
    )
    assert not events(finished, "stop")
    logs = events(finished, "log")
    assert [each["text"] for each in logs] == ["i=61 sum=63", "i=62 sum=64", "i=63 sum=65"]
    assert [each["global_id"] for each in logs] == [[61, 0, 0], [62, 0, 0], [63, 0, 0]]
    assert [each["lanes"] for each in logs] == [[5], [6], [7]]
    assert events(finished, "exit")[0]["code"] == 0


def test_a_log_says_the_same_words_once_for_all_lanes(debugger, vadd):
    finished = debugger.batch(['break vadd.cl:4 log "n={n} {nothing}"', "run", "info b"], vadd)
    logs = [line for line in finished.lines if line.startswith("[1.")]
    assert sorted(logs) == [
        f'[1.{thread}:0-7] n=64 <No symbol "nothing" in current context>' for thread in range(1, 9)
    ]
    assert '\tlog "n={n} {nothing}"' in finished.lines
    assert "\tbreakpoint already hit 8 times" in finished.lines


def test_a_log_without_quotes_is_refused(debugger):
    finished = debugger.batch(["break vadd.cl:4 log i"], ["true"])
    assert 'log takes a text in quotes, as in: log "i={i}"' in finished.err


@pytest.fixture
def private(kernel_command):
    """A module with two kernels, priv and privsmall."""
    sizes = ["--global", "8", "--local", "8"]
    arguments = ["i32[64]=iota", "i32[8]"]
    program = kernel_command("private", *sizes, *arguments)
    program[2] += ":privsmall"
    return program


def test_a_glob_means_every_kernel_that_fits(debugger, private):
    finished = debugger.json(["break kernel priv*", "run", "info breakpoints"], private)
    assert events(finished, "stop")[0]["kernel"] == "privsmall"
    row = next(each for each in finished.objects if each.get("command") == "info breakpoints")
    kernels = {place["kernel"] for place in row["rows"][0]["locations"]}
    assert kernels == {"priv", "privsmall"}


def test_a_glob_that_fits_nothing_stays_pending(debugger, private):
    finished = debugger.batch(["break kernel q*", "run"], private)
    assert 'no module of the program has a kernel "q*"; nearest: priv, privsmall.' in finished.out


def test_a_launch_is_caught_once(debugger, vadd):
    finished = debugger.json(["catch launch v*", "run", "continue"], vadd)
    (stop,) = events(finished, "stop")
    assert stop["kernel"] == "vadd"
    assert [thread["workgroup"] for thread in stop["threads"]] == [[0, 0, 0]]
    assert events(finished, "exit")[0]["code"] == 0


def test_sources_are_found_where_they_were_moved_to(debugger, vadd, kernel_sources, tmp_path):
    moved = tmp_path / "moved"
    moved.mkdir()
    shutil.copy(kernel_sources / "vadd.cl", moved / "vadd.cl")
    start = ["break vadd.cl:3", "run"]
    shown = debugger.batch([*start, "info source"], vadd)
    assert "Its text is not found" in shown.lines
    recorded = re.search(r"^Compilation directory is (.+)$", shown.out, re.MULTILINE)[1]
    finished = debugger.batch(
        [
            f"set substitute-path {recorded} {moved}",
            *start,
            "info source",
            "show substitute-path",
            "unset substitute-path",
            "show substitute-path",
        ],
        vadd,
    )
    assert "3\t  if (i < n)" in finished.lines
    assert f"Located in {moved / 'vadd.cl'}, 5 lines" in finished.lines
    assert f"{recorded} -> {moved}" in finished.lines
    assert finished.lines.count("No source directory is substituted.") == 1
