"""Plugins where a program runs: handlers that let it go on, breakpoints that never decide."""

from tests.support.places import REPOSITORY

DEMO = REPOSITORY / "zedbg" / "tools" / "demo"
BLUR = ["zedbg", "kernel", f"{DEMO}/blur.zebin", "--global", "64", "--local", "16"]
BLUR += ["f32[64]=iota", "f32[64]", "i32=64"]
PLUGIN = """
import zedbg

class Trap(zedbg.PluginBreakpoint):
    def stop(self, thread, lanes):
        while True:
            pass

class SetTrap(zedbg.Command):
    def __init__(self):
        super().__init__("trap")
        self.stops = 0

    def invoke(self, argument, from_tty):
        return f"number {Trap(argument).number}"

command = SetTrap()

@zedbg.events.stop.connect
def go_on(stop):
    command.stops += 1
    if command.stops < 3:
        command.context.run("continue")
"""


def test_handlers_let_the_program_go_on_and_stuck_breakpoints_stop_it(debugger, tmp_path):
    (tmp_path / "going.py").write_text(PLUGIN)
    commands = ["set plugin-timeout 1", "source going.py"]
    commands += [f"break blur.cl:{line}" for line in (13, 15, 16)]
    commands += ["run", "trap blur.cl:18", "continue", "info breakpoints", "plugin enable going"]
    done = debugger.json([*commands, "info breakpoints", "plugin disable going", "continue"], BLUR)
    lines = [each["line"] for each in done.objects if each.get("event") == "stop"]
    assert lines == [13, 15, 16, 18]
    warnings = [each["text"] for each in done.objects if each.get("warning")]
    assert any("stop of breakpoint 4 took longer than 1 s" in each for each in warnings)
    answers = {each["line"]: each for each in done.objects if "command" in each}
    assert [row["number"] for row in answers["info breakpoints"]["rows"]] == [1, 2, 3, 4]
    assert {each["event"] for each in done.objects if "event" in each} >= {"stop", "exit"}
