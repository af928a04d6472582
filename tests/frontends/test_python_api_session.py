"""The session of the shell's test as a Python script: ``import zedbg``, in a process of its own."""

import subprocess
import sys

from tests.support.frontends.debugger_process import LIMIT_SECONDS, eventually, is_alive

SESSION = """
import json, sys
from zedbg.engine.sessions import opening

said = []
write = lambda stream, text: said.append(text)
with opening.launch(sys.argv[1:], sim="dg2", output=write) as session:
    hit = session.break_at("vadd.cl:3")
    stop = session.continue_()
    facts = {
        "threads": [one.thread.id for one in stop],
        "groups": [group.workgroup for group in stop.groups],
        "line": stop.location.line,
        "hits": hit.hits,
    }
    thread = session.thread(1, 6)
    session.select(thread, 2)
    facts["item"] = thread.global_ids()[2]
    facts["lanes"] = [lane.index for lane in thread.lanes if lane.active]
    facts["i"] = thread.evaluate("i").of(2).number
    facts["i of lanes"] = [value.number for _, value in thread.evaluate("i")]
    facts["i of two"] = thread.evaluate("i", [0, 7]).numbers
    facts["type"] = thread.evaluate("a[i]").type.name
    facts["next"] = session.step_line(over_calls=True).location.line
    before = thread.pc
    facts["moved"] = session.step_instruction().location.pc > before
    facts["step"] = session.step_line().location.line
    facts["c[i]"] = thread.evaluate("c[i]").of(2).number
    facts["r0"] = thread.registers["r0"].type.size, thread.registers["r0.ud"].type.name
    facts["workgroup"] = thread.evaluate("$r0.ud[1]").first.number
    facts["memory"] = [thread.evaluate(f"a[{n}]").first.number for n in range(4)]
    facts["frames"] = [frame.location.function for frame in thread.backtrace().frames]
    session.breakpoints.delete(hit)
    facts["code"] = session.continue_().code
facts["said"] = said[-1]
print(json.dumps(facts))
"""


def test_script_sees_what_the_shell_sees(debugger, vadd):
    assert debugger.run_script(SESSION, *vadd) == {
        "threads": [f"1.{n}" for n in range(1, 9)],
        "groups": [[0, 0, 0], [1, 0, 0]],
        "line": 3,
        "hits": 8,
        "item": [42, 0, 0],
        "lanes": list(range(8)),
        "i": 42,
        "i of lanes": list(range(40, 48)),
        "i of two": [40, 47],
        "type": "const float",
        "next": 4,
        "moved": True,
        "step": 5,
        "c[i]": 44.0,
        "r0": [32, "unsigned int [8]"],
        "workgroup": 1,
        "memory": [0.0, 1.0, 2.0, 3.0],
        "frames": ["vadd"],
        "code": 0,
        "said": "argument 2: f32[64] = 2 3 4 5 6 7 8 9 ...  crc32 23844f07\n",
    }


CONDITIONS = """
import json, sys
from zedbg.engine.sessions import opening
from zedbg import UserError

facts = {"errors": []}
quiet = lambda stream, text: None
with opening.launch(sys.argv[1:], sim="dg2", output=quiet) as session:
    def refused(what, *arguments, **named):
        try:
            what(*arguments, **named)
        except UserError as error:
            facts["errors"].append([type(error).__name__, str(error)])

    hit = session.break_at("vadd.cl:3", condition="a[i] == 42.0 || i == 3")
    stop = session.continue_()
    facts["hits"] = [[one.thread.number, one.lanes] for one in stop]
    thread = session.focus.thread
    refused(session.break_at, "vadd.cl:4", condition="a[i] ==")
    refused(session.break_at, "vadd.cl:4", condition="i = 3")
    refused(session.breakpoints.set_condition, hit, "(")
    refused(session.watch, "nothing")
    refused(thread.evaluate, "nothing")
    refused(thread.registers.__getitem__, "r999")
    facts["kept"] = hit.condition.text
    facts["breakpoints"] = len(session.breakpoints)
    session.breakpoints.delete(hit)
    facts["code"] = session.continue_().code
print(json.dumps(facts))
"""


def test_conditions_are_texts_and_what_is_wrong_is_a_typed_line(debugger, vadd):
    facts = debugger.run_script(CONDITIONS, *vadd)
    assert facts["hits"] == [[1, 0b1000], [6, 0b100]]
    names = ["ConditionError"] * 3 + ["EvaluationError"] * 3
    assert [name for name, _ in facts["errors"]] == names
    assert all(text and "\n" not in text for _, text in facts["errors"])
    assert facts["kept"] == "a[i] == 42.0 || i == 3"
    assert (facts["breakpoints"], facts["code"]) == (1, 0)


ATTACH = """
import json, sys
from zedbg.engine.sessions import opening

session = opening.attach(int(sys.argv[1]), sim="dg2")
stop = session.stop
thread = stop.focus.thread
thread.evaluate("stop[0] = 1", [0])
facts = {"reason": stop.reason.value, "kernel": stop.location.kernel, "lanes": stop.focus.lanes}
session.detach()
print(json.dumps(facts))
"""


def test_script_attaches_to_an_endless_kernel_and_lets_it_end(debugger, endless):
    words = ["kernel", *endless[2:], "--device", "dg2"]
    program = debugger.spawn(
        ["zedbg", *words],
        env=debugger.environment | {"ZET_ENABLE_PROGRAM_DEBUGGING": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    facts = debugger.run_script(WAIT_FOR_KERNEL + ATTACH, str(program.pid))
    assert facts == {"reason": "interrupt", "kernel": "endless", "lanes": 0xFFFF}
    out, _ = program.communicate(timeout=LIMIT_SECONDS)
    assert program.returncode == 0
    assert "argument 0: i32[1] = 1 " in out


# Attaches until the program is inside of its kernel: before that there is nothing to look at.
WAIT_FOR_KERNEL = """
import sys, time
from zedbg.engine.sessions import opening
from zedbg.engine.engine_errors import AttachError

while True:
    try:
        with opening.attach(int(sys.argv[1]), sim="dg2") as session:
            if session.stop.threads:
                break
    except AttachError:
        pass
    time.sleep(0.05)
"""

LEAVES = """
import json, os, sys
from zedbg.engine.sessions import opening
session = opening.launch(sys.argv[2:], sim="dg2")
session.break_at("vadd.cl:3")
session.continue_()
print(json.dumps(session.process.pid), flush=True)
exec(sys.argv[1])
"""


def test_script_that_ends_without_a_word_leaves_the_program_running(debugger, vadd):
    script = debugger.folder / "leaves.py"
    script.write_text(LEAVES)
    for end, code in (("pass", 0), ("sys.exit(3)", 3), ("1 / 0", 1)):
        done = subprocess.run(
            [sys.executable, script, end, *vadd],
            env=debugger.environment,
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
        )
        pid, *rest = done.stdout.splitlines()
        assert done.returncode == code
        # The program shares our pipe: it was read to its end, with the right result.
        assert rest[-1].endswith("crc32 23844f07")
        eventually(lambda pid=int(pid): not is_alive(pid), "the program ends")
