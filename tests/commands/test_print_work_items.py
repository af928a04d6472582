"""print/w: every stopped work-item at once, compared with what the kernel computes; its files."""

import csv

import numpy
import pytest

COUNT = 64


@pytest.fixture
def stopped(debugger, vadd):
    """Rows of commands at the line where every work-item (c = iota + 2) is about to store."""

    def rows(*commands, program=None):
        finished = debugger.json(["break vadd.cl:4", "run", *commands], program or vadd)
        found = [each for each in finished.objects if "command" in each][2:]
        assert all(each["ok"] for each in found), found
        return [each["rows"] for each in found]

    return rows


@pytest.mark.parametrize("build", ["igc1-dg2-O0", "igc2-dg2-O0"])
def test_every_work_item_has_a_row_and_the_kernel_agrees(stopped, kernel_command, build):
    sizes = ["--global", str(COUNT), "--local", "32"]
    arguments = ["f32[64]=iota", "f32[64]=2", "f32[64]", "i32=64"]
    program = kernel_command("vadd", *sizes, *arguments, build=build)
    (rows,) = stopped("print/w a[i] + b[i]", program=program)
    items, summary = rows[:-1], rows[-1]
    assert [each["global_id"] for each in items] == [[n, 0, 0] for n in range(COUNT)]
    assert [each["local_id"] for each in items] == [[n % 32, 0, 0] for n in range(COUNT)]
    assert [each["workgroup"] for each in items] == [[n // 32, 0, 0] for n in range(COUNT)]
    assert [each["value"] for each in items] == [n + 2.0 for n in range(COUNT)]
    assert summary == {
        "items": COUNT,
        "missing": 0,
        "min": 2.0,
        "max": 65.0,
        "mean": 33.5,
        "nan": 0,
        "distinct": COUNT,
    }


def test_values_that_are_no_numbers_have_no_mean(stopped):
    (rows,) = stopped("print/w $_local_id")
    assert rows[3]["value"] == [3, 0, 0]
    assert rows[-1]["mean"] is None
    assert rows[-1]["distinct"] == 32


def test_lanes_that_are_not_there_say_so(debugger, kernel_command):
    sizes = ["--global", "16", "--local", "16"]
    arguments = ["f32[16]=iota", "f32[16]=2", "f32[16]", "i32=5"]
    program = kernel_command("vadd", *sizes, *arguments)
    finished = debugger.json(["break vadd.cl:4", "run", "print/w i"], program)
    (rows,) = [each["rows"] for each in finished.objects if each.get("command") == "print"]
    values = [each["value"] for each in rows[:-1]]
    assert values[:5] == list(range(5))
    assert values[5] == {"missing": "lane 5 is inactive"}
    assert rows[-1]["missing"] == rows[-1]["items"] - 5


def test_nan_counts_and_does_not_spoil_the_rest(stopped):
    (rows,) = stopped("print/w i == 3 ? 0.0f / 0.0f : a[i]")
    assert rows[-1]["nan"] == 1
    assert (rows[-1]["min"], rows[-1]["max"]) == (0.0, 63.0)


def test_the_human_view_is_capped_and_has_a_picture(debugger, vadd):
    start = ["break vadd.cl:4", "run"]
    finished = debugger.batch([*start, "set print work-items 4", "print/w a[i]"], vadd)
    at = finished.lines.index("Work-item  Lane   Value")
    assert finished.lines[at + 1] == "(0,0,0)    1.1:0  0"
    assert finished.lines[at + 5] == "... and 60 more (set print work-items 0 lists all)"
    assert finished.lines[at + 6] == "64 work-items, min 0, max 63, mean 31.5, 64 distinct"
    strip = finished.lines[at + 8]
    assert len(strip.strip().strip("|")) == 32
    assert strip.strip().startswith("|  ")
    assert strip.endswith("@@|")


def test_files_hold_what_was_printed(stopped, tmp_path):
    (rows,) = stopped("print/w a[i] * 2 --csv values.csv --npy values.npy")
    assert [row["text"].split()[-1] for row in rows[-2:]] == ["values.csv.", "values.npy."]
    with (tmp_path / "values.csv").open() as file:
        table = list(csv.DictReader(file))
    assert [float(row["value"]) for row in table] == [2.0 * n for n in range(COUNT)]
    assert [int(row["global_x"]) for row in table] == list(range(COUNT))
    array = numpy.load(tmp_path / "values.npy")
    assert array["value"].dtype == numpy.float32
    assert array["value"].tolist() == [2.0 * n for n in range(COUNT)]
    assert array["global_id"][:, 0].tolist() == list(range(COUNT))
    assert array["valid"].all()


def test_vectors_and_integers_keep_their_types_in_files(stopped, tmp_path):
    stopped("print/w $_global_id --npy ids.npy", "print/w (short)-i --npy short.npy")
    ids = numpy.load(tmp_path / "ids.npy")["value"]
    assert (ids.dtype, ids.shape) == (numpy.uint32, (COUNT, 3))
    short = numpy.load(tmp_path / "short.npy")["value"]
    assert short.dtype == numpy.int16
    assert short.tolist() == [-n for n in range(COUNT)]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("print/w nothing", 'No symbol "nothing" in current context'),
        ("print/w", "print needs EXPRESSION"),
        ("print/w i --csv /no/such/folder/x.csv", "No such file or directory"),
        ("print/w i = 3", "The expression of print/w cannot assign"),
    ],
)
def test_what_is_wrong_is_one_line(debugger, vadd, command, message):
    finished = debugger.batch(["break vadd.cl:4", "run", command], vadd)
    assert finished.code == 1
    assert len(finished.err.splitlines()) == 1
    assert message in finished.err
