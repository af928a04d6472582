"""The planted bugs through the Python API: the same facts as at the prompt."""

import math
import shlex
import sys

import pytest

import zedbg
from tests.support.kernels.planted_bugs import BUGS, FOLDER_OF_MODULES


def facts_of_prompt(finished):
    """Where it stopped, and what ``print`` gave: one value, those of lanes, those of work-items."""
    (stop,) = [each for each in finished.objects if each.get("event") == "stop"]
    facts = [(stop["reason"], stop["line"], len(stop["threads"]), stop["threads"][0]["lanes"])]
    for answer in finished.objects:
        if answer.get("command") == "print":
            assert answer["ok"], answer
            values = [row["value"] for row in answer["rows"] if "value" in row]
            facts.append((answer["line"], values))
    return facts


def facts_of_api(program, script):
    """The same, by the calls that the commands of ``script`` are."""
    session = zedbg.launch(program, sim="dg2", output=lambda stream, text: None)
    try:
        facts, stop, thread, lane = [], None, None, None
        for command in script:
            word, _, rest = command.partition(" ")
            if word == "break":
                place, _, condition = rest.partition(" if ")
                session.breakpoints.add(place, condition=condition or None)
            elif word == "run":
                stop = session.next_stop(timeout=60)
                thread = stop.thread
                lane = thread.lanes.hit[0]
                line = thread.frames[0].line
                facts.append((stop.reason.value, line, len(stop.threads), thread.lanes.hit))
            elif word == "workitem":
                thread, lane = session.work_item(*map(int, rest.split(",")))
            elif word == "print/l":
                facts.append((command, thread[rest].lanes))
            elif word == "print/w":
                facts.append((command, list(stop[rest].by_work_item.values())))
            elif word.startswith("print"):
                facts.append((command, [thread[rest][getattr(lane, "number", lane)]]))
        return facts
    finally:
        session.kill()


def in_words(facts):
    """With NaN as JSON has it: as a number it would not even equal itself."""

    def word(value):
        return "nan" if isinstance(value, float) and math.isnan(value) else value

    return [(what, *rest[:-1], [word(each) for each in rest[-1]]) for what, *rest in facts]


@pytest.mark.parametrize("name", BUGS)
@pytest.mark.cases(2)
def test_the_api_gives_the_facts_of_the_prompt(debugger, name):
    launch, script, _ = BUGS[name]
    arguments = ["kernel", str(FOLDER_OF_MODULES / f"{name}.zebin"), *launch]
    at_prompt = facts_of_prompt(debugger.json(script, ["zedbg", *arguments]))
    program = [sys.executable, "-m", "zedbg.frontends.main", *arguments]
    assert len(at_prompt) > 1, shlex.join(script)
    assert in_words(facts_of_api(program, script)) == in_words(at_prompt)
