"""Public scripts for GDB do in zedbg what they do in GDB; with --all, since they are compiled for
and downloaded."""

import os
import re
import subprocess
import sys
import zipfile

import pytest

from tests.support.places import REPOSITORY
from tests.support.plugins.in_both import HERE, in_both, stopped_in_gdb
from zedbg.commands.extending.finding import SHIPPED
from zedbg.testing import PluginSession, StandInThread

PACKAGES = REPOSITORY / "build" / "gdb-scripts"
ONLY_ALL = pytest.mark.cases(0)


def package(name):
    """A folder with a package of PyPI, and what it needs."""
    folder = PACKAGES / name
    if not folder.exists():
        command = [sys.executable, "-m", "pip", "install", "-q", "--target", str(folder), name]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"the package cannot be downloaded: {done.stderr[-300:]}")
    return folder


def script_of(folder, name, modules):
    """A file that imports what a package has for GDB."""
    file = folder / f"{name}.py"
    file.write_text(f"import sys\nsys.path.insert(0, '{package(name)}')\nimport gdb, {modules}\n")
    return file


def sycl_runtime():
    """Its wheel's headers and script, unpacked: nothing of what it needs is used."""
    folder = PACKAGES / "intel-sycl-rt"
    if not folder.exists():
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "intel-sycl-rt"]
        wheels = PACKAGES / "wheels"
        done = subprocess.run([*command, "-d", str(wheels)], capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"the package cannot be downloaded: {done.stderr[-300:]}")
        (wheel,) = wheels.glob("intel_sycl_rt-*.whl")
        with zipfile.ZipFile(wheel) as opened:
            wanted = ("/include/", "-gdb.py")
            names = [each for each in opened.namelist() if any(w in each for w in wanted)]
            opened.extractall(folder, names)
        wheel.unlink()
    (data,) = folder.glob("*.data/data")
    return data


def assert_same(shown, least):
    assert [each for each in shown.messages if "switched off" in each] == []
    symbol = re.compile(r" <[\w+]+>|-{3,}")  # GDB says whose address it is; and tables get wider
    different = {
        command: (text, shown.zedbg[command])
        for command, text in shown.gdb.items()
        if symbol.sub("", text).split() != symbol.sub("", shown.zedbg[command]).split()
    }
    assert different == {} and len(shown.gdb) >= least


@ONLY_ALL
@pytest.mark.parametrize("name", ["libstdc++"])
def test_printers_of_libstdcxx(tmp_path, name):
    program, source = tmp_path / "containers", HERE / "containers.cpp"
    options = ["-std=c++17", "-g", "-O0", "-no-pie"]
    subprocess.run(["g++", *options, str(source), "-o", str(program)], check=True)
    script = tmp_path / "printers.py"
    script.write_text(
        "import sys\nsys.path.insert(0, '/usr/share/gcc/python')\nimport gdb\n"
        "from libstdcxx.v6.printers import register_libstdcxx_printers\n"
        "register_libstdcxx_printers(None)\n"
    )
    names = "integers nothing bits points brief longer names lists set list deque hashed unique "
    names += "shared some none variant tuple array bitset number pair nested"
    commands = [f"output {each}" for each in names.split()]
    assert_same(in_both(program, "stop", script, commands, tmp_path), 20)


#: What zedbg's own plugin shows of the same.
SYCL_VALUES = {
    "one": "(7)",
    "three": "(2, 3, 4)",
    "place": "(5, 6)",
    "floats": "{1, 2, 3, 4.5}",
    "integers": "{1, 2, 3}",
    "many": "{4, 5, 6}",
    "half": "1.5",
    "brain": "2.5",
    "launch": "(8, 8) in groups of (4, 4)",
}


@ONLY_ALL
@pytest.mark.parametrize("name", ["SYCL"])
def test_printers_that_come_with_the_sycl_runtime(tmp_path, name):
    data = sycl_runtime()
    program, source = tmp_path / "values", HERE / "sycl_values.cpp"
    options = ["-std=c++17", "-w", "-g", "-O0", "-no-pie", f"-I{data}/include"]
    options += ["-Wl,--unresolved-symbols=ignore-all"]  # of the runtime: nothing calls it
    subprocess.run(["clang++", *options, str(source), "-o", str(program)], check=True)
    script = next(iter(sorted(data.glob("lib/libsycl.so.*-gdb.py"))))
    names = ["one", "three", "single", "place"]  # what it has printers for
    commands = [f"output {each}" for each in names] + ["output launch.globalSize"]
    assert_same(in_both(program, "stop", script, commands, tmp_path), 5)
    _, thread = stopped_in_gdb(program, "stop", script, [], tmp_path)
    (ours,) = (each.file for each in SHIPPED if each.name == "sycl_printers")
    with PluginSession(ours, [thread]) as session:
        assert {name: session.text(f"output {name}") for name in SYCL_VALUES} == SYCL_VALUES


@ONLY_ALL
@pytest.mark.parametrize("name", ["freertos-gdb"])
def test_freertos_gdb_shows_tasks(tmp_path, name):
    program = tmp_path / "tasks"
    options = ["-g", "-O0", "-no-pie"]
    subprocess.run(["gcc", *options, str(HERE / "tasks.c"), "-o", str(program)], check=True)
    script = tmp_path / "freertos.py"
    script.write_text(
        f"import sys\nsys.path.insert(0, '{package(name)}')\nimport gdb, freertos_gdb\n"
    )
    shown = in_both(program, "stop", script, ["freertos task", "freertos queue"], tmp_path)
    assert_same(shown, 2)
    assert "worker" in shown.gdb["freertos task"]


@ONLY_ALL
@pytest.mark.parametrize("name", ["arm-gdb"])
def test_arm_gdb_decodes_registers_in_memory(tmp_path, name):
    script = script_of(tmp_path, name, "arm_gdb")
    memory = {0xE000E000: bytes(0xD00) + bytes.fromhex("41c20f41") + bytes(0x2FC)}
    with PluginSession(script, [StandInThread(memory=memory)]) as session:
        text = session.text("arm scb")
        assert re.search(r"CPUID\s*= 410fc241", text) and "Cortex-M4" in text, text
        assert session.plugin.state.value == "enabled"
        assert "scb" in session.complete("arm ")


@ONLY_ALL
@pytest.mark.parametrize("name", ["asm2cfg"])
def test_asm2cfg_loads_and_says_what_it_does_not_know(tmp_path, name):
    folder = package(name)
    (script,) = folder.glob("bin/gdb_asm2cfg.py")
    loaded = tmp_path / "asm2cfg_plugin.py"
    loaded.write_text(f"import sys\nsys.path.insert(0, '{folder}')\n" + script.read_text())
    with PluginSession(loaded, [StandInThread()]) as session:
        session.run("set skipcalls on")
        assert session.rows("show skipcalls")[0]["value"] == "on"
        with pytest.raises(Exception, match="unknown platform: intelgt"):
            session.run("viewcfg")
        assert session.plugin.state.value == "enabled"


BOOST_PRINTERS = os.environ.get("ZEDBG_BOOST_PRINTERS", "")


#: What the printers say of what the program has; in GDB 13 they fail with a TypeError.
BOOST_VALUES = {
    "array": "{1, 2, 3}",
    "some": "boost::optional<int> is initialized = {value = 42}",
    "none": "boost::optional<int> is not initialized",
    "number": "(boost::variant<...>) type = double = {double = 2.5}",
    "set": "boost::container::flat_set<int> size=3 capacity=3 = {1, 2, 3}",
    "map": "boost::container::flat_map<int, double> size=2 capacity=2 = {[1] = 1.5, [2] = 2.5}",
    "day": "(boost::gregorian::date) 2026-11-23",
    "moment": "(boost::posix_time::ptime) 2026-11-23 01:01:01Z",
    "yes": "(boost::logic::tribool) true",
    "maybe": "(boost::logic::tribool) indeterminate",
    "shared": "count 1, weak count 1 = {value = 8}",
    "empty": "uninitialized",
    "range": "boost::iterator_range<int*> of length 3 = {1, 2, 3}",
}


@ONLY_ALL
@pytest.mark.skipif(not BOOST_PRINTERS, reason="Boost-Pretty-Printer is asked for by name")
@pytest.mark.parametrize("name", ["Boost"])
def test_printers_of_boost(tmp_path, name):
    """With Boost's own headers; the printers are in no package: ZEDBG_BOOST_PRINTERS names their
    folder."""
    program, source = tmp_path / "values", HERE / "boost_values.cpp"
    options = ["-std=c++17", "-w", "-g", "-O0", "-no-pie"]
    subprocess.run(["g++", *options, str(source), "-o", str(program)], check=True)
    script = tmp_path / "printers.py"
    script.write_text(
        f"import sys\nsys.path.insert(0, {BOOST_PRINTERS!r})\nimport gdb, boost\n"
        "boost.register_printers(boost_version=(1, 71, 0))  # the newest that they know\n"
    )
    _, thread = stopped_in_gdb(program, "stop", script, [], tmp_path)
    with PluginSession(script, [thread]) as session:
        session.run("set plugin-timeout 100")
        shown = {name: session.text(f"output {name}") for name in BOOST_VALUES}
        assert shown == BOOST_VALUES
        assert [each for each in session.messages if "switched off" in each] == []
