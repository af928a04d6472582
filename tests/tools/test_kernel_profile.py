"""`zedbg kernel --profile` and `--trace`: what they say is what the instructions did."""

import json
from collections import Counter


def _run(debugger, vadd, *options):
    done = debugger.run("kernel", *vadd[2:], "--device", "dg2", "--json", *options)
    assert done.code == 0, done.err
    return json.loads(done.out)


def test_profile_counts_what_the_trace_lists(debugger, vadd):
    record = _run(debugger, vadd, "--profile", "--trace")
    (kernel,) = record["profile"]
    listed = [line for line in record["trace"] if not line.startswith("#")]
    assert kernel["kernel"] == "vadd"
    assert kernel["instructions"] == len(listed)
    assert sum(line["instructions"] for line in kernel["lines"]) == len(listed)
    by_line = Counter(text.rsplit("vadd.cl:", 1)[1] for text in listed if "vadd.cl:" in text)
    counted = {str(each["line"]): each["instructions"] for each in kernel["lines"] if each["line"]}
    assert counted == by_line


def test_lanes_that_fail_the_test_are_not_active_after_it(debugger, vadd):
    """Of 64 work-items 36 pass ``i < n``: four threads of 8 lanes, one of 4, three of none."""
    every = _run(debugger, vadd, "--profile")["profile"][0]
    assert {each["line"]: each["utilisation"] for each in every["lines"]}[4] == 1.0
    some = [word if word != "i32=64" else "i32=36" for word in vadd]
    record = _run(debugger, some, "--profile", "--trace")
    body = next(each for each in record["profile"][0]["lines"] if each["line"] == 4)
    assert body["utilisation"] < 1.0
    # The sums: one addition of floats for each work-item that passed.
    additions = [
        int(line.split()[2], 16).bit_count()
        for line in record["trace"]
        if " add (" in line and ":f" in line and "vadd.cl:4" in line
    ]
    assert sorted(additions, reverse=True)[:5] == [8, 8, 8, 8, 4] and sum(additions) == 36


def test_trace_takes_one_thread_of_one_group_up_to_its_limit(debugger, vadd):
    options = ["--trace", "--trace-group", "1", "--trace-thread", "2", "--trace-limit", "10"]
    lines = _run(debugger, vadd, *options)["trace"]
    assert len(lines) == 12
    assert all(line.split()[:2] == ["1,0,0", "2"] for line in lines[1:11])
    assert lines[11].startswith("# ") and "left out" in lines[11]


def test_profile_without_a_number_is_refused_in_one_line(debugger, vadd):
    done = debugger.run("kernel", *vadd[2:], "--device", "dg2", "--trace", "--trace-limit", "x")
    assert done.code == 1
    assert "'x' is not a number" in done.err and len(done.err.splitlines()) == 1
