"""``--json``: every line is one object, in the shapes that scripts rely on."""

import json
import signal

COMMANDS = """\
break vadd.cl:3
run
print/l i
thread 1.6:2
print i
next
print c[i]
info threads
info registers r0
x/2fw a
disassemble
delete
continue
""".splitlines()


def events(objects, kind):
    return [each for each in objects if each.get("event") == kind]


def result(objects, command):
    (found,) = [each for each in objects if each.get("command") == command]
    return found


def is_triple(value):
    return isinstance(value, list) and [type(each) for each in value] == [int] * 3


def test_session_is_a_sequence_of_objects_with_the_fixed_shapes(debugger, vadd):
    done = debugger.json(
        COMMANDS,
        vadd,
    )
    objects = done.objects
    assert done.code == 0 and done.err == ""
    for each in objects:
        assert ("event" in each) != ("command" in each)
        if "command" in each:
            assert set(each) == {"command", "line", "ok", "rows"} and each["ok"] is True

    stop = events(objects, "stop")[0]
    assert stop["reason"] == "breakpoint" and stop["breakpoint"] == 1
    assert (stop["kernel"], stop["file"], stop["line"]) == ("vadd", "vadd.cl", 3)
    assert isinstance(stop["pc"], int) and stop["pc"] > 1 << 32
    assert [each["id"] for each in stop["threads"]] == [f"1.{n}" for n in range(1, 9)]
    for number, thread in enumerate(stop["threads"]):
        assert thread == {
            "id": f"1.{number + 1}",
            "name": f"ZE 0.0.0.{number}",
            "workgroup": [number // 4, 0, 0],
            "lanes": list(range(8)),
        }
    module = events(objects, "module")
    assert [each["action"] for each in module] == ["loaded", "unloaded"]
    assert all(each["kernels"] == ["vadd"] and each["debug_info"] is True for each in module)
    exited = events(objects, "exit")
    assert [each["code"] for each in exited] == [0]

    prints = [each["rows"] for each in objects if each.get("command") == "print"]
    assert prints[0] == [{"lane": n, "global_id": [n, 0, 0], "value": n} for n in range(8)]
    assert prints[1][0]["value"] == 42 and prints[2][0]["value"] == 0.0
    threads = result(objects, "info threads")["rows"]
    assert [each["focused"] for each in threads] == [n == 5 for n in range(8)]
    assert all(is_triple(each["workgroup"]) for each in threads)
    assert len(result(objects, "info registers")["rows"][0]["value"]) == 8
    assert result(objects, "x")["rows"][0]["values"] == [0.0, 1.0]
    code = result(objects, "disassemble")["rows"]
    (here,) = [each["address"] for each in code if each["current"]]
    assert here == events(objects, "stop")[1]["pc"]


def test_an_answer_has_the_line_as_it_was_typed(debugger, vadd):
    """So that answers and lines can be paired, of a breakpoint's commands too."""
    block = ["commands", "  p/l  b", "silent", "end"]
    done = debugger.json(["br vadd.cl:3", *block, "run", "p  q", "nonsense 1", "|"], vadd)
    answers = [each for each in done.objects if "command" in each]
    assert [(each["line"], each["command"], each["ok"]) for each in answers] == [
        ("br vadd.cl:3", "break", True),
        ("commands", "commands", True),
        ("run", "run", True),
        ("p/l  b", "print", True),
        ("p  q", "print", False),
        ("nonsense 1", "nonsense 1", False),
        ("|", "|", False),
    ]


def test_a_block_without_an_end_names_its_line(debugger, vadd):
    done = debugger.json(["tbreak vadd", "commands 1", "print i"], vadd)
    assert done.objects[-1]["line"] == "commands 1" and done.objects[-1]["ok"] is False


def test_what_the_program_writes_is_events_in_order_and_complete(debugger, vadd):
    done = debugger.json(["run"], vadd)
    output = events(done.objects, "output")
    assert {each["stream"] for each in output} == {"stdout"}
    assert [each["text"].split(":")[0] for each in output] == ["vadd"] + [
        f"argument {n}" for n in range(3)
    ]
    assert output[-1]["text"].endswith("crc32 23844f07\n")
    kinds = [each.get("event") for each in done.objects]
    assert max(n for n, kind in enumerate(kinds) if kind == "output") < kinds.index("exit")


def test_nothing_that_a_program_writes_is_lost_at_its_end(debugger):
    script = "seq 20000; printf 'no end of line'; echo error >&2; printf '\\377\\n' >&2"
    done = debugger.json(["run"], ["sh", "-c", script])
    output = events(done.objects, "output")
    streams = {
        name: "".join(each["text"] for each in output if each["stream"] == name)
        for name in ("stdout", "stderr")
    }
    assert streams["stdout"] == "".join(f"{n}\n" for n in range(1, 20001)) + "no end of line"
    assert streams["stderr"] == "error\n\ufffd\n"
    assert events(done.objects, "exit")[0]["code"] == 0


def test_output_comes_while_the_program_runs(debugger):
    """Not only when a command ends: `run` waits for this program until we let it go on."""
    fifo = debugger.folder / "fifo"
    running = debugger.start(
        ["sh", "-c", f"mkfifo {fifo}; echo waiting; read line < {fifo}; echo $line"], "--json"
    )
    running("run")
    running.expect(r'"text": "waiting\\n"')
    fifo.write_text("went on\n")
    running.expect(r'"text": "went on\\n"')
    running.expect(r'"event": "exit"')
    assert running.finish().code == 0


def test_failures_and_missing_values_have_their_shape(debugger, kernel_command):
    optimised = kernel_command(
        *["vadd", "--global", "16", "--local", "16", "f32[16]", "f32[16]", "f32[16]", "i32=16"],
        build="igc2-dg2-O2",
    )
    done = debugger.json(["next", "tbreak vadd.cl:4", "run", "info args", "frobnicate"], optimised)
    objects = done.objects
    assert objects[0] == {
        "command": "next",
        "line": "next",
        "ok": False,
        "error": "The program is not being run.",
    }
    (unknown,) = [each for each in objects if each.get("command") == "frobnicate"]
    assert unknown["ok"] is False and "frobnicate" in unknown["error"]
    arguments = result(objects, "info args")["rows"]
    values = [each["value"] for each in arguments]
    assert len(values) == 4
    for value in values:
        assert isinstance(value, int) or (set(value) == {"missing"} and value["missing"])
    assert "recomputed" in [each.get("source") for each in arguments]
    assert done.code == 1


def test_commands_on_standard_input_give_objects_without_a_prompt(debugger, vadd):
    running = debugger.start(vadd, "--json")
    running("break vadd")
    running("run")
    running.expect('"event": "stop"')
    running("quit")
    done = running.wait()
    assert done.objects[-1]["event"] in ("exit", "process")
    assert done.code == 0


def test_exit_by_a_signal_is_named(debugger):
    done = debugger.json(["run"], ["sh", "-c", "kill -SEGV $$"])
    (exited,) = events(done.objects, "exit")
    assert (exited["code"], exited["signal"]) == (128 + signal.SIGSEGV, "SIGSEGV")


def test_zedbg_kernel_itself_speaks_json(debugger, vadd):
    done = debugger.run("kernel", *vadd[2:], "--device", "dg2", "--json")
    (value,) = done.objects
    assert value["ok"] is True and value["kernel"] == "vadd"
    assert value["rows"][2]["values"] == [float(n + 2) for n in range(64)]
    assert value["rows"][2]["crc32"] == 0x23844F07
    wrong = debugger.run("kernel", "/no/such/file", "--global", "1", "--json")
    (value,) = [json.loads(line) for line in wrong.lines]
    assert value["ok"] is False and "/no/such/file" in value["error"]
    assert wrong.code == 1
