"""Lines and tables that keep to the width of a terminal."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from zedbg.commands.rows.pane_rows import PaneRow
from zedbg.commands.rows.session_rows import SourceRow
from zedbg.frontends.text.appearance import Appearance, appearing, visible_width
from zedbg.frontends.text.fitting import broken, fitted, shortened_cell
from zedbg.frontends.text.text_panes import pane_lines

BOLD, RESET = "\x1b[1m", "\x1b[0m"


@example(["0", "0000000000000"], "\t", 20)
@given(
    st.lists(st.text("ab:.0{", min_size=1, max_size=15), min_size=1, max_size=30),
    st.sampled_from([" ", "  ", "\t"]),
    st.integers(20, 60),
)
def test_broken_lines_fit_and_have_all_words(words, blank, columns):
    line = blank.join(words)
    shown = list(broken(line, columns))
    assert " ".join(shown).split() == words
    # The indentation takes half of the width at most: only a longer word goes beyond the end.
    assert all(len(each) <= columns or len(each.split()) == 1 for each in shown)


def test_what_goes_on_is_below_the_text_after_a_name():
    assert list(broken("r2             {0x440d0, 0x4100, 0x440d8, 0x4100}", 40)) == [
        "r2             {0x440d0, 0x4100,",
        "               0x440d8, 0x4100}",
    ]
    stop = "Thread 1.1 hit Breakpoint 1, blur (in=0x41) at blur.cl:15"
    assert list(broken(stop, 44)) == [
        "Thread 1.1 hit Breakpoint 1, blur (in=0x41)",
        "    at blur.cl:15",
    ]
    assert list(broken("It is inlined here. Type finish.", 25)) == [
        "It is inlined here. Type",
        "finish.",
    ]


def test_tabs_are_as_wide_as_on_the_terminal():
    line = f"{BOLD}0x11060{RESET}:\tadd r2 r3"
    assert list(broken(line, 25)) == [line]
    assert [len(re.sub(r"\x1b\[\d+m", "", each)) for each in broken(line, 20)] == [19, 9]


def test_marked_lines_of_source_begin_where_the_others_do():
    rows = tuple(SourceRow("a.cl", line, "  if (x)", line == 8) for line in (7, 8))
    with appearing(Appearance(is_styled=True)):
        _, plain, marked = pane_lines(PaneRow("src", "src", 2, rows), 40)
    assert marked != re.sub(r"\x1b\[[0-9;]*m", "", marked)
    assert re.sub(r"\x1b\[[0-9;]*m", "", marked).index("if") == plain.index("if")


def test_styles_end_with_their_line():
    shown = list(broken(f"one {BOLD}two three{RESET} four", 8))
    assert [re.findall(r"\x1b\[\d+m", each) for each in shown] == [[BOLD, RESET]] * 2 + [[]]
    assert [visible_width(each) <= 13 for each in shown] == [True] * 3


def test_plain_output_is_not_broken():
    assert list(broken("word " * 100, 0)) == ["word " * 100]


def test_tables_keep_numbers_and_lose_the_middle_of_texts():
    cells = [["Id", "Address", "Frame"]]
    cells += [["1.1", "0x0000420000011060", f"{BOLD}outer::inner::function{RESET} at blur.cl:15"]]
    wide, narrow = fitted(cells, 0), fitted(cells, 50)
    assert wide[1].startswith("1.1  0x0000420000011060  " + BOLD)
    assert narrow[0].startswith("Id  Address            Frame")
    text = re.sub(r"\x1b\[\d+m", "", narrow[1])
    assert len(text) == 50 and text.startswith("1.1 0x0000420000011060 outer::")
    assert text.endswith("blur.cl:15") and "..." in text
    assert shortened_cell("short", 10) == "short"


def test_tables_of_numbers_only_are_left_to_the_breaks_of_lines():
    cells = [["Lane"] * 9, ["0x0000420000011060"] * 9]
    assert len(fitted(cells, 80)[1]) == 9 * 18 + 8
