"""``grid``: buffers and shared local memory as lines of values, and as pictures."""

import pytest

from zedbg.commands.rows.grid_rows import GridRow
from zedbg.frontends.text.appearance import Appearance, appearing
from zedbg.frontends.text.rendering import render


@pytest.fixture
def matmul(kernel_command):
    """A group of 16x16 that keeps tiles of 16x16 in local memory; A counts up, B is 1."""
    sizes = ["--global", "16,16", "--local", "16,16"]
    arguments = ["f32[256]=iota", "f32[256]=1", "f32[256]", "i32=16", "i32=16", "i32=16"]
    return kernel_command("matmul", *sizes, *arguments)


def rows_of(finished):
    return [each["rows"][0] for each in finished.objects if each.get("command") == "grid"]


def test_grids_of_a_buffer_and_of_local_memory(debugger, matmul):
    commands = ["tbreak matmul.cl:13", "run", "grid A 16x16", "grid &As[0][0] 16x16"]
    commands += ["grid A+17 3x2 stride 16", "grid/x (int *)A 2x1", "grid @slm (float *)64 4x1"]
    finished = debugger.json(commands, matmul)
    buffer, tile, part, words, local = rows_of(finished)
    counted = [[16.0 * row + column for column in range(16)] for row in range(16)]
    assert buffer["values"] == tile["values"] == counted
    assert part["values"] == [line[1:4] for line in counted[1:3]] and part["stride"] == 16
    assert words["values"] == [[0, 0x3F800000]]
    assert local["values"] == [counted[1][:4]]
    text = debugger.batch([*commands[:2], "grid A 4x2 stride 16", "grid/p A 16x4"], matmul).out
    assert "   0  1  2  3\n0  0  1  2  3\n1 16 17 18 19\n" in text
    assert "16x4 const float, 0 to 63" in text and "|#####%%%%%%%@@@@|" in text


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        ("A", "Give a pointer and a shape"),
        ("A 0x3", "A grid has 1 to 65536 values."),
        ("A 999x999", "A grid has 1 to 65536 values."),
        ("nosuch 2x2", 'No symbol "nosuch"'),
        ("(int *)0 2x2", "Line 0 of the grid: "),
        ("M 2x2", "Line 0 of the grid: "),
        ("", "grid needs WHAT"),
    ],
)
@pytest.mark.cases(3)
def test_what_is_no_grid_is_refused(debugger, matmul, request_, error):
    done = debugger.batch(["tbreak matmul.cl:13", "run", f"grid {request_}"], matmul)
    assert done.err.startswith(error) and len(done.err.splitlines()) == 1


def test_pictures_are_as_wide_as_the_terminal_and_grey_where_it_has_colours():
    row = GridRow("p", "float", 4, 3, 4, tuple((0.0, 1.0, 2.0, float("nan")) for _ in range(3)),
                  picture=True)  # fmt: skip
    assert render([row]) == ["4x3 float, 0 to 2", *["| =@!|"] * 3]
    with appearing(Appearance(columns=80, is_styled=True, draws=True)):
        drawn = render([row])
    assert len(drawn) == 3 and drawn[1].count("▀") == 4
    assert "\x1b[38;5;232m\x1b[48;5;232m▀" in drawn[1] and drawn[2].endswith("\x1b[0m")
    with appearing(Appearance(columns=4)):
        assert render([row])[-1] == "(2 columns more than the terminal has)"


def test_wide_grids_are_shown_in_parts():
    texts = tuple(tuple(str(column) for column in range(12)) for _ in range(2))
    row = GridRow("p", "int", 12, 2, 12, (), texts)
    with appearing(Appearance(columns=20)):
        lines = render([row])
    assert len(lines) == 6 and all(len(line) <= 20 for line in lines)
    assert lines[0].split() == ["0", "1", "2", "3", "4", "5"]
