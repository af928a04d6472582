"""zedbg doctor on this machine, which has no GPU but the simulated one."""

import json


def test_the_doctor_finds_the_simulated_gpu(debugger):
    done = debugger.run("doctor", "--json")
    rows = json.loads(done.out)["rows"]
    simulated, driver = (row for row in rows if row["check"] == "simulated GPU")
    assert driver["found"].endswith("libze_sim_gpu.so.1")
    assert simulated["state"] == "ok" and "Arc" in simulated["found"]
    assert done.code == int(any(row["state"] == "wrong" for row in rows))
    assert done.err == ""


def test_a_damaged_driver_is_named_and_not_run_into(debugger, tmp_path):
    garbage = tmp_path / "libze_sim_gpu.so.1"
    garbage.write_bytes(b"\x7fELF" + bytes(1000))
    done = debugger.run("doctor", ZEDBG_SIM_DRIVER=str(garbage))
    assert done.code == 1
    assert any(line.startswith("wrong    simulated GPU") for line in done.lines)


def test_a_wrong_option_is_one_line(debugger):
    done = debugger.run("doctor", "--nosuch")
    assert (done.code, done.err.count("\n")) == (2, 1)
