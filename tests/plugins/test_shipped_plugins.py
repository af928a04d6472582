"""The plugins that ship with zedbg."""

import signal
import struct
import subprocess
import sys
import time
import zlib

import numpy
import pytest

from tests.support.packed_modules import ZEBINS
from tests.support.places import REPOSITORY
from zedbg import CommandError
from zedbg.commands.extending.finding import SHIPPED
from zedbg.testing import PluginSession, StandInThread, array, structure

DEMO = REPOSITORY / "zedbg" / "tools" / "demo"
BLUR = ["zedbg", "kernel", f"{DEMO}/blur.zebin", "--global", "64", "--local", "16"]
BLUR += ["f32[64]=iota", "f32[64]", "i32=64"]


def test_the_index_of_shipped_plugins_is_what_they_add():
    files = {each.stem for each in (REPOSITORY / "plugins").glob("*.py")}
    assert {each.name for each in SHIPPED} == files
    for shipped in SHIPPED:
        with PluginSession(shipped.file) as session:
            added = [each.description for each in session.plugin.contributions]
            commands = {each[len("command ") :] for each in added if each.startswith("command ")}
            assert commands == set(shipped.commands), shipped.name
            assert len(added) > len(commands) or not shipped.types
            for command in commands:
                assert "Usage:" in session.text(f"help {command}")


def size_array(*values):
    return structure("A", {"common_array": array("ulong", len(values))}), {"common_array": values}


def sycl(name, members):
    """A value of a SYCL type whose members are pairs of a type and a value."""
    kind = structure(name, {each: kind for each, (kind, _) in members.items()})
    return kind, {each: value for each, (_, value) in members.items()}


def id_of(*values, name="id"):
    _, value = size_array(*values)
    return structure(
        f"sycl::_V1::{name}<{len(values)}>", {"common_array": array("ulong", len(values))}
    ), value


ITEM = sycl(
    "sycl::_V1::detail::ItemBase<2, false>",
    {"MExtent": id_of(8, 8, name="range"), "MIndex": id_of(3, 4)},
)
VALUES = {
    "place": (id_of(3, 4), "(3, 4)"),
    "old": (
        (
            structure("cl::sycl::range<1>", {"common_array": array("ulong", 1)}),
            {"common_array": [7]},
        ),
        "(7)",
    ),
    "launch": (
        sycl(
            "sycl::_V1::nd_range<2>",
            {
                "globalSize": id_of(8, 8, name="range"),
                "localSize": id_of(4, 2, name="range"),
                "offset": id_of(0, 0),
            },
        ),
        "(8, 8) in groups of (4, 2)",
    ),
    "item": (sycl("sycl::_V1::item<2, false>", {"MImpl": ITEM}), "(3, 4) of (8, 8)"),
    "here": (
        sycl(
            "sycl::_V1::nd_item<2>",
            {
                "globalItem": sycl("sycl::_V1::item<2, true>", {"MImpl": ITEM}),
                "localItem": sycl("sycl::_V1::item<2, false>", {"MImpl": ITEM}),
            },
        ),
        "(3, 4), (3, 4) in its group",
    ),
    "group": (
        sycl(
            "sycl::_V1::group<1>",
            {"index": id_of(2), "groupRange": id_of(9, name="range")},
        ),
        "(2) of (9)",
    ),
    "four": (
        sycl("sycl::_V1::vec<float, 4>", {"m_Data": (array("float", 4), [1, 2, 3, 4.5])}),
        "{1, 2, 3, 4.5}",
    ),
    "three": (
        sycl("sycl::_V1::vec<int, 3>", {"m_Data": (array("int", 4), [1, 2, 3, 0])}),
        "{1, 2, 3}",
    ),
    "many": (sycl("sycl::_V1::marray<int, 2>", {"MData": (array("int", 2), [4, 5])}), "{4, 5}"),
    "half": (
        sycl("sycl::_V1::detail::half_impl::half", {"Data": (array("uchar", 2), [0, 0x3E])}),
        "1.5",
    ),
    "brain": (sycl("sycl::_V1::ext::oneapi::bfloat16", {"value": ("ushort", 0x4020)}), "2.5"),
    "buffer": (
        sycl(
            "sycl::_V1::accessor<float, 1, sycl::_V1::access::mode::read>",
            {
                "impl": sycl(
                    "sycl::_V1::detail::AccessorImplDevice<1>",
                    {
                        "Offset": id_of(4),
                        "AccessRange": id_of(16, name="range"),
                        "MemRange": id_of(64, name="range"),
                    },
                ),
                "MData": ("ulong", 0x1000),
            },
        ),
        "(16) at 0x1000 from (4)",
    ),
    "pointer": (sycl("sycl::_V1::multi_ptr<float, 1>", {"m_Pointer": ("ulong", 0x20)}), "0x20"),
}


def test_sycl_values_are_shown_as_people_write_them():
    file = next(each.file for each in SHIPPED if each.name == "sycl_printers")
    variables = {name: value for name, (value, _) in VALUES.items()}
    with PluginSession(file, [StandInThread(width=1, variables=variables)]) as session:
        shown = {name: session.text(f"output {name}") for name in VALUES}
        assert shown == {name: text for name, (_, text) in VALUES.items()}
        assert session.messages == []


def test_plugins_at_a_stop(debugger, tmp_path):
    right = numpy.arange(64, dtype="f4")
    numpy.save(tmp_path / "right.npy", right)
    right[20:22] = 99
    numpy.save(tmp_path / "wrong.npy", right)
    (tmp_path / "right.csv").write_text(",".join(map(str, range(64))))
    right[:8].tofile(tmp_path / "eight.bin")
    commands = [
        f"directory {DEMO}",
        "break blur.cl:15",
        "run",
        "compare *in@64 right.npy",
        "compare in[i] right.csv",
        "compare in[i] wrong.npy 0.001",
        "compare *in@9 eight.bin",
        "compare in[i] nosuch.npy",
        "compare in[i]",
        "python import numpy; expected = numpy.arange(64.0); expected[3] = 7",
        "compare in[i] =expected",
        "compare in[i] =numpy.arange(64)",
        "compare in[i] =nosuch",
        "heatmap in[i]",
        "heatmap in[i] --png heat.png",
        "heatmap in",
        "occupancy",
        "hang-report",
        "usm",
        "usm in + 1",
        "usm 0",
        "kernel-report report.html",
        "plugin list",
    ]
    done = debugger.json(commands, BLUR)
    answers = {each["line"]: each for each in done.objects if "command" in each}
    said = {line: each.get("rows") or each.get("error") for line, each in answers.items()}
    assert said["compare *in@64 right.npy"] == [{"text": "All 64 values are as in right.npy."}]
    assert said["compare in[i] right.csv"] == [{"text": "All 64 values are as in right.csv."}]
    wrong = said["compare in[i] wrong.npy 0.001"]
    assert wrong[0]["text"] == "2 of 64 values differ, by 79 at most."
    assert [row["at"] for row in wrong[1:]] == [f"({x},0,0)" for x in range(18, 23)]
    assert wrong[3] == {"at": "(20,0,0)", "value": 20.0, "expected": 99.0, "": "<- first"}
    assert said["compare *in@9 eight.bin"][0]["text"].startswith("1 of 9 values differ")
    assert "nosuch.npy" in said["compare in[i] nosuch.npy"]
    assert "Usage" in said["compare in[i]"]
    first = said["compare in[i] =expected"]
    assert first[0]["text"] == "1 of 64 values differ, by 4 at most."
    assert first[3]["at"] == "(3,0,0)" and first[3]["expected"] == 7.0
    assert said["compare in[i] =numpy.arange(64)"][0]["text"].startswith("All 64 values")
    assert "nosuch" in said["compare in[i] =nosuch"]
    picture = said["heatmap in[i]"]
    assert picture[0]["text"] == "in[i]: 0 to 63" and picture[1]["text"][1] == " "
    assert picture[1]["text"].endswith("@|") and len(picture) == 2
    assert pixels((tmp_path / "heat.png").read_bytes()) == (64, 1, (68, 1, 84), (253, 231, 37))
    assert said["occupancy"] == [
        {
            "kernel": "blur",
            "device": 1,
            "GRF": 128,
            "threads of a group": 2,
            "groups of a subslice": 64,
            "limited by": "threads",
            "occupancy": "100%",
            "now": "8 of 4096 threads",
        }
    ]
    assert said["hang-report"][0] == {"threads": 8, "at": "blur blur.cl:15", "": ""}
    assert {row["pointer"] for row in said["usm"]} == {"in", "out"}
    assert "4 bytes after where argument in points" in said["usm in + 1"][0]["memory"].replace(
        "0x", ""
    )
    assert said["usm 0"][0]["memory"] == "null"
    page = (tmp_path / "report.html").read_text()
    for text in ("average(left, in[i], right)", "100%", "blur.cl:15", "<td>128"):
        assert text in page, text
    states = {row["name"]: row["state"] for row in said["plugin list"]}
    assert states["sycl_printers"] == "not loaded" and states["heatmap"] == "enabled"


def pixels(data):
    """Width, height, and the first and the last pixel of a PNG file."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, position = {}, 8
    while position < len(data):
        (size,) = struct.unpack_from(">I", data, position)
        name, body = data[position + 4 : position + 8], data[position + 8 : position + 8 + size]
        (check,) = struct.unpack_from(">I", data, position + 8 + size)
        assert zlib.crc32(name + body) == check
        chunks[name], position = body, position + 12 + size
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, *_ = struct.unpack(">2I5B", chunks[b"IHDR"])
    lines = zlib.decompress(chunks[b"IDAT"])
    assert len(lines) == height * (1 + 3 * width)
    return width, height, tuple(lines[1:4]), tuple(lines[-3:])


def test_hang_report_names_who_waits_at_a_barrier(debugger):
    module = ZEBINS / "igc2-dg2-O0" / "lonely_barrier.zebin"
    program = [
        "zedbg",
        "kernel",
        f"{module}:crossed_barrier",
        "--global",
        "64",
        "--local",
        "64",
        "i32[64]",
    ]
    running = debugger.start(program, "--json")
    running("break crossed_barrier")
    running("run")
    running.expect('"event": "stop"')
    running("delete")
    running("continue")
    time.sleep(1)
    running.send_signal(signal.SIGINT)
    running.expect('"reason": "interrupt"')
    running("hang-report")
    running.expect('"command": "hang-report".*"ok": true')
    finished = running.finish()
    (answer,) = [each for each in finished.objects if each.get("command") == "hang-report"]
    texts = [row["text"] for row in answer["rows"] if "text" in row]
    assert len(texts) == 1 and texts[0].startswith("Work-group (0,0,0): 4 of 8 threads wait at ")
    assert "not there: " in texts[0]


def test_what_plugins_need_is_said_in_one_line():
    for name, line, reason in (
        ("heatmap", "heatmap", "Usage"),
        ("occupancy", "occupancy", "No stopped thread|not being run"),
        ("hang_report", "hang-report", "No thread|not being run"),
        ("kernel_report", "kernel-report", "Usage"),
    ):
        file = next(each.file for each in SHIPPED if each.name == name)
        with PluginSession(file) as session, pytest.raises(CommandError, match=reason):
            session.run(line)


@pytest.mark.cases(0)
@pytest.mark.parametrize("options", ["--strict"])
def test_the_examples_pass_a_type_checker(options):
    files = [str(REPOSITORY / "plugins" / each.file.name) for each in SHIPPED]
    command = [sys.executable, "-m", "mypy", options, *files]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
