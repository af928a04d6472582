"""Views of what is stopped: groups of threads, lanes, work-groups, registers, code, names."""

import re

import pytest

from zedbg.commands.framework.changes import Changes
from zedbg.commands.rows.session_rows import InstructionRow
from zedbg.frontends.text.appearance import (
    Appearance,
    Style,
    appearing,
    shortened,
    styled,
    visible_width,
)
from zedbg.frontends.text.rendering import render, table
from zedbg.frontends.text.text_code import branch_lines
from zedbg.xe.isa.platform import Platform
from zedbg.xe.register_fields import register_fields
from zedbg.xe.registers import RegisterKind


def test_threads_lanes_and_workgroups_of_a_stop(debugger, vadd):
    commands = ["info threads/g", "info workgroups", "info lanes", "info registers cr0 sr0 ce"]
    commands += ["disassemble $pc,+1", "disassemble"]
    finished = debugger.json(["break vadd.cl:3", "run", *commands], vadd)
    answers = [each["rows"] for each in finished.objects if each.get("command", "")[:4] in
               ("info", "disa")]  # fmt: skip
    threads, groups, lanes, registers, inside, code = answers
    assert [(row["count"], row["ids"], row["lanes"]) for row in threads] == [(8, ["1.1-8"], 64)]
    assert threads[0]["workgroups"] == {"count": 2, "first": [0, 0, 0], "last": [1, 0, 0]}
    assert [(row["workgroup"], row["stopped"], row["threads"], row["ids"]) for row in groups] == [
        ([0, 0, 0], 4, 4, ["1.1-4"]),
        ([1, 0, 0], 4, 4, ["1.5-8"]),
    ]
    assert groups[0]["places"] == ["vadd.cl:3 (4)"]
    pc = next(row["address"] for row in code if row["current"])
    assert {(row["pc"], row["place"], row["dispatched"]) for row in lanes} == {
        (pc, "vadd.cl:3", True)
    }
    control, state, enabled = (row["fields"] for row in registers)
    assert control["rounding"] == "to nearest even"
    assert state["dispatched lanes"] == enabled["enabled lanes"] == "0xff [0-7]"
    assert [row["address"] for row in inside] == [pc]
    assert [row["lanes"] for row in code if row["current"]] == [list(range(8))]


def test_all_registers_are_shown_or_those_that_are_named(debugger, vadd):
    commands = ["info all-registers", "info all-registers r10 cr0", "info registers r10 cr0"]
    finished = debugger.json(["break vadd.cl:3", "run", *commands], vadd)
    everything, named, expected = (
        each["rows"] for each in finished.objects if "registers" in each.get("command", "")
    )
    assert [row["register"] for row in named] == ["r10", "cr0"]
    assert named == expected
    assert {row["register"] for row in everything} >= {"pc", "r10", "r127", "cr0", "acc0"}


def test_disassembly_begins_at_an_instruction(debugger, vadd):
    """Instructions have two lengths: from the middle of one, others would be read."""
    commands = ["break vadd", "run", "disassemble", "disassemble $pc+8,+24"]
    finished = debugger.json(commands, vadd)
    whole, part = (
        each["rows"] for each in finished.objects if each.get("command") == "disassemble"
    )
    texts = {row["address"]: row["text"] for row in whole}
    assert part and all(texts[row["address"]] == row["text"] for row in part)


def test_disassembly_with_its_source(debugger, vadd, kernel_sources):
    commands = [f"directory {kernel_sources}", "break vadd.cl:3", "run", "disassemble/s"]
    finished = debugger.json(commands, vadd)
    (rows,) = (each["rows"] for each in finished.objects if each.get("command") == "disassemble")
    assert rows[0] == {"text": "vadd.cl:"}
    here = next(number for number, row in enumerate(rows) if row.get("current") and "offset" in row)
    lines = [row for row in rows[:here] if "offset" not in row and "line" in row]
    assert (lines[-1]["line"], lines[-1]["text"].split()) == (3, ["if", "(i", "<", "n)"])


def test_meaning_of_control_register_bits():
    data = b"".join(word.to_bytes(4, "little") for word in (0x30 | 1 << 7, 0, 0x1230, 0))
    assert register_fields(RegisterKind.CR, Platform.XE2, data) == {
        "rounding": "to zero",
        "denormals of double": "flushed",
        "denormals of float": "kept",
        "denormals of half": "flushed",
        "ip": "0x1230",
    }
    assert register_fields(RegisterKind.GRF, Platform.XE2, bytes(32)) == {}
    flag = register_fields(RegisterKind.FLAG, Platform.XE2, b"\5\0\0\0")
    assert flag == {"true in lanes": "0x5 [0 2]"}


@pytest.mark.parametrize("device", ["dg2", "pvc", "bmg"])
def test_state_register_says_which_thread_it_is(debugger, kernel_command, device):
    """Its fields, beside the name that the driver gives the same thread."""
    program = kernel_command(
        "reduce", "--global", "2048", "--local", "16", "i32[2048]=iota", "i32[128]", "local[64]",
        "i32=2048", build=f"igc2-{device}-O0",
    )  # fmt: skip
    commands = ["break reduce_slm", "run", "thread apply all info registers sr0"]
    finished = debugger.json(commands, program, f"--sim={device}")
    names = {}
    for applied in [each for each in finished.objects if each.get("command") == "thread apply"]:
        for thread in applied["rows"]:
            (register,) = thread["rows"]
            names[thread["name"]] = register["fields"]
    assert len(names) == 256 * 8 // (8 if device == "dg2" else 16)
    for name, fields in names.items():
        _slice, subslice, unit, thread = map(int, name.removeprefix("ZE ").split("."))
        assert fields["thread"] == thread
        if device == "dg2":
            assert (fields["dual subslice"], 8 * fields["subslice"] + fields["EU"]) == (
                subslice,
                unit,
            )
        else:
            wide = 8 * fields["slice"] if device == "pvc" else 0
            assert (wide + fields["subslice"], fields["EU"]) == (subslice, unit)
        assert device != "bmg" or fields["slice"] == _slice


@pytest.mark.parametrize(
    ("name", "most", "shown"),
    [
        ("vadd", 3, "...d"),
        ("vadd", 0, "vadd"),
        ("ns::Foo<int, float>::bar(int, char const*)", 30, "ns::Foo<...>::bar(...)"),
        ("ns::Foo<int, float>::bar(int, char const*)", 20, "...::bar(...)"),
        ("Grid::operator()(sycl::id<2>) const", 30, "Grid::operator()(...) const"),
        (
            "main::{lambda(sycl::handler&)#1}::operator()(sycl::handler&) const::{lambda(int)#1}",
            40,
            "...::{lambda(...)#1}",
        ),
        ("a_long_c_name", 10, "..._c_name"),
    ],
)
def test_of_long_names_the_tail_is_shown(name, most, shown):
    assert shortened(name, most) == shown
    assert not most or len(shown) <= most or most < 4


def test_what_was_not_shown_before_has_not_changed():
    changes = Changes()
    assert not changes.has_changed("i", "1", 1)
    assert not changes.has_changed("i", "2", 1)  # the same stop
    assert changes.has_changed("i", "3", 2)
    assert changes.has_changed("i", "3", 2)  # shown again
    assert not changes.has_changed("i", "3", 3)


def instruction(address, *targets, **fields):
    return InstructionRow(
        address=address,
        function="k",
        offset=address,
        text="nop",
        current=False,
        breakpoint=fields.get("breakpoint", False),
        targets=targets,
    )


def test_lines_from_branches_to_their_targets():
    rows = [instruction(0, 64), instruction(16, 48), instruction(32), instruction(48, 0)]
    rows += [instruction(64), instruction(80, 4096)]
    assert branch_lines(rows, draws=False) == [
        "//-> ",
        "||/- ",
        "|||  ",
        "|\\\\> ",
        "\\--> ",
        "     ",
    ]
    drawn = branch_lines(rows, draws=True)
    assert len({len(line) for line in drawn}) == 1
    assert drawn[4].rstrip().endswith(">") and drawn[5].isspace()


def test_no_sequences_and_no_drawings_outside_of_a_terminal():
    rows = [instruction(0, 32, breakpoint=True), instruction(16), instruction(32)]
    assert render(rows)[0] == f"   {0:#018x} <+0>:\tnop"
    with appearing(Appearance(columns=80, is_styled=True, draws=True)):
        first = render(rows)[0]
        cells = [styled(Style.FILE, "a.cl"), "b"]
        (line, _) = table(cells, [("long name", "c")])
    assert first.startswith("  *╭─") and "\x1b[34m" in first
    assert visible_width(line) == len("long name  b")
    assert "\x1b" not in "".join(render(rows))


def test_long_names_are_short_in_the_terminal_only(debugger, vadd):
    text = debugger.batch(["break vadd.cl:3", "set print symbol-max 3", "run"], vadd).out
    assert re.search(r"with lanes \[0-7\], vadd \(", text)
