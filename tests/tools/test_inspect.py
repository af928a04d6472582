"""``zedbg inspect`` and ``zeinfo`` as people and scripts use them."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.support.packed_modules import ZEBINS
from tests.support.places import KERNELS
from zedbg.tools.inspect.reading import read_whole
from zedbg.zebin import ZebinError

MODULE = ZEBINS / "igc2-dg2-O0" / "private.zebin"


def inspect(*arguments):
    command = [sys.executable, "-m", "zedbg.frontends.main", "inspect", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def lines_of(*arguments):
    done = inspect(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def rows_of(*arguments):
    (line,) = lines_of(*arguments, "--json")
    result = json.loads(line)
    assert (result["command"], result["ok"]) == ("inspect", True)
    return result["rows"]


def test_the_page_shows_a_kernel_author_what_the_kernel_is_and_takes():
    lines = lines_of(MODULE)
    assert lines[0].startswith("private.zebin: native module (zebin), ")
    assert "  device      dg2 (12.55.8), 64-bit addresses" in lines
    assert any(line.startswith("kernel priv at ") for line in lines)
    assert "  private   568 bytes a lane, 4544 bytes a thread" in lines
    words = [" ".join(line.split()) for line in lines]
    assert "0 __global const int* in buffer 8 24 stateless readonly" in words
    assert "cross-thread 32 8 r5.0-7 +0 arg_bypointer 1 (out)" in words


def test_json_has_the_same_as_objects_of_named_kinds():
    rows = rows_of(MODULE)
    (module,) = [row for row in rows if row["kind"] == "module"]
    assert (module["ip_version"], module["kernels"]) == ("12.55.8", ["priv", "privsmall"])
    kernels = [row for row in rows if row["kind"] == "kernel"]
    assert [row["name"] for row in kernels] == module["kernels"]
    assert kernels[0]["resources"]["private_per_lane"] == 568
    assert [a["name"] for a in kernels[0]["arguments"]] == ["in", "out", "n"]
    assert not [row for row in rows if row["kind"] == "finding"]


def test_kernels_and_sections_are_chosen_by_pattern():
    assert [row["name"] for row in rows_of(MODULE, "--kernel", "*small")] == ["privsmall"]
    text = lines_of(MODULE, "--section", ".misc.buildOptions")
    assert any("-cl-opt-disable" in line for line in text)
    code = lines_of(MODULE, "--section", ".text.priv")
    assert any(line.startswith("0x100:  ") for line in code)
    symbols = rows_of(MODULE, "--section", ".symtab")
    assert {"priv", "privsmall", "_entry"} <= {r["name"] for r in symbols if r["kind"] == "symbol"}


def test_addresses_names_and_lines_lead_to_each_other():
    (by_line,) = rows_of(MODULE, "--at", "private.cl:7")[:1]
    (by_address,) = rows_of(MODULE, "--at", hex(by_line["address"]))
    assert by_address == by_line
    assert (by_line["kernel"], by_line["line"]) == ("priv", 7)
    (by_name,) = rows_of(MODULE, "--at", "privsmall")
    assert (by_name["symbol"], by_name["offset"], by_name["line"]) == ("privsmall", 0, 19)


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ((), 2, "the following arguments are required"),
        (("no-such-file",), 1, "no-such-file: No such file"),
        ((KERNELS / "src" / "vadd.cl",), 1, "no format of device code"),
        ((KERNELS,), 1, "directory"),
        ((MODULE, "--kernel", "nothing"), 1, "no kernel matches nothing: there are priv, privs"),
        ((MODULE, "--section", ".nothing"), 1, "no section .nothing: there are .text.priv"),
        ((MODULE, "--at", "0x99999999"), 1, "nothing at 0x99999999"),
        ((MODULE, "--colour"), 2, "--colour"),
    ],
)
def test_what_cannot_be_shown_is_one_line(arguments, status, words):
    done = inspect(*arguments)
    assert done.returncode == status
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("zedbg inspect: ") and words in line
    (as_json,) = inspect(*arguments, "--json").stdout.splitlines()
    assert json.loads(as_json)["ok"] is False
    assert words in json.loads(as_json)["error"]


def test_names_in_a_file_cannot_command_the_terminal(tmp_path):
    hostile = MODULE.read_bytes().replace(b"privsmall", b"priv\x1b[2Jx")
    path = tmp_path / "hostile.zebin"
    path.write_bytes(hostile)
    done = inspect(path)
    assert "\x1b" not in done.stdout + done.stderr


def test_no_driver_and_no_loader_is_needed(tmp_path):
    program = (
        "import sys\n"
        "from zedbg.frontends.main import main\n"
        f"status = main(['inspect', {str(MODULE)!r}])\n"
        "maps = open('/proc/self/maps').read()\n"
        "assert 'libze_' not in maps and 'libzedbg' not in maps\n"
        "sys.exit(status)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_zeinfo_of_the_focused_kernel_shows_the_same_in_a_session(debugger, vadd):
    lines = debugger.batch(["break vadd.cl:3", "run", "zeinfo", "zeinfo v*"], vadd).lines
    pages = [line for line in lines if line.startswith("kernel vadd")]
    assert len(pages) == 2
    assert any("__global const float* a" in line for line in lines)
    objects = debugger.json(["break vadd.cl:3", "run", "zeinfo", "zeinfo no"], vadd).objects
    shown, refused = [each for each in objects if each.get("command", "").startswith("zeinfo")]
    assert [a["name"] for a in shown["rows"][0]["arguments"]] == ["a", "b", "c", "n"]
    assert refused["error"] == 'No kernel matches "no" in the loaded modules.'


@pytest.mark.parametrize(
    "make", [lambda path: os.mkfifo(path), lambda path: path.symlink_to("/dev/zero")]
)
def test_what_may_have_no_end_is_not_read(make, tmp_path):
    make(tmp_path / "endless")
    done = inspect(tmp_path / "endless")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith(
        "not a regular file: pipes and devices may have no end, copy it to a file\n"
    )


# Runs what its first argument says, then inspects. Modules are imported before, of which some are
# imported where they are needed: others may not be allowed to read them.
BEHIND = """
import contextlib, io, os, resource, sys
from zedbg.tools.inspect.main import main
with contextlib.redirect_stderr(io.StringIO()):
    main(["no-such-file"])
exec(sys.argv[1])
sys.exit(main(sys.argv[2:]))
"""
AS_NOBODY = "os.geteuid() or (os.setgroups([]), os.setgid(65534), os.setuid(65534))"
IN_4_GIB = "resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32))"


def test_a_file_that_may_not_be_read_is_one_line():
    # Not in tmp_path: no other user may enter that.
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)
        secret = Path(directory) / "secret.zebin"
        secret.write_bytes(MODULE.read_bytes())
        secret.chmod(0)
        command = [sys.executable, "-c", BEHIND, AS_NOBODY, secret]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"zedbg inspect: {secret}: Permission denied\n"


def test_an_empty_file_is_one_line(tmp_path):
    (tmp_path / "empty").write_bytes(b"")
    done = inspect(tmp_path / "empty")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "zedbg inspect: empty: the file is empty\n"


def test_a_file_that_is_cut_off_while_it_is_read_says_so(tmp_path):
    path = tmp_path / "shrinking.zebin"
    path.write_bytes(MODULE.read_bytes())
    with path.open("rb", buffering=0) as file:
        size = path.stat().st_size
        os.truncate(path, 1000)
        with pytest.raises(ZebinError) as caught:
            read_whole(file, size, "shrinking.zebin")
    assert str(caught.value) == (
        "shrinking.zebin: the file became shorter while it was read, and ends at byte 0x3e8, "
        f"expected {size} bytes as when it was opened: try again"
    )


def test_a_file_larger_than_memory_is_one_line(tmp_path):
    path = tmp_path / "sparse"
    path.touch()
    os.truncate(path, 1 << 40)  # takes no room on the disk
    command = [sys.executable, "-c", BEHIND, IN_4_GIB, path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert "bytes do not fit into memory" in line


def test_a_full_disk_ends_in_one_line():
    command = [sys.executable, "-m", "zedbg.frontends.main", "inspect", str(MODULE)]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "zedbg inspect: standard output: No space left on device\n"


def quality_of(module, kernel):
    rows = rows_of(module, "--debug-quality", "--kernel", kernel)
    (row,) = (each for each in rows if each["kind"] == "debug quality")
    parts = [row[name] for name in ("checked", "recomputable", "unchecked", "lost")]
    assert sum(parts) == row["pairs"] > 0
    assert row["placed"] == row["checked"] + row["unchecked"]
    assert sum(each["lines"] for each in row["lost_variables"]) == row["lost"]
    return row


@pytest.mark.parametrize("compiler", ["igc1", "igc2"])
def test_the_quality_of_debug_information_is_that_of_the_compiler_and_level(compiler):
    plain = quality_of(ZEBINS / f"{compiler}-dg2-O0" / "mandel.zebin", "mandel")
    assert plain["unchecked"] == plain["recomputable"] == 0  # all that has a place lies in memory
    optimised = quality_of(ZEBINS / f"{compiler}-dg2-O2" / "mandel.zebin", "mandel")
    assert optimised["recomputable"] > 0 < optimised["lost"]
    assert plain["checked"] / plain["pairs"] > optimised["checked"] / optimised["pairs"]
    assert {"zr", "zi"} <= {each["name"] for each in optimised["lost_variables"]}
    assert "-cl-opt-disable" in optimised["advice"]


def test_the_quality_of_debug_information_is_shown_in_shares():
    lines = lines_of(ZEBINS / "igc2-dg2-O0" / "mandel.zebin", "--debug-quality")
    assert " ".join(lines[0].split()) == "Kernel Pairs Placed Checked Recomputable Unchecked Lost"
    assert " ".join(lines[1].split()[2:]) == "100.0 % 100.0 % 0.0 % 0.0 % 0.0 %"
    done = inspect(ZEBINS / "igc2-dg2-O0" / "mandel.zebin", "--debug-quality", "--kernel", "x*")
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "there are mandel" in done.stderr
