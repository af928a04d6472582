"""Any requests, in any order, to a program that is stopped: answers, and no defect of zedbg."""

from __future__ import annotations

import random

import pytest

from tests.support.dap.dap_client import RequestFailed
from tests.support.places import KERNELS
from zedbg.frontends.dap.server import Connection
from zedbg.frontends.dap.session.registry import HANDLERS

assert Connection  # which declares the requests
VADD = str(KERNELS / "src" / "vadd.cl")
# These end the session, or wait for what may never come.
LEFT_OUT = {"launch", "attach", "disconnect", "terminate", "restart", "initialize"}
LEFT_OUT |= {"configurationDone", "pause", "continue"}
MOVES = {"next", "stepIn", "stepOut", "goto"}
EXPRESSIONS = [
    "i",
    "a[i]",
    "i +",
    "",
    "*a",
    "$r10",
    "$pc",
    "c[i] = 3",
    "(float4)1",
    "x::y",
    "\0",
    "i" * 999,
]
LINES = [
    "info threads",
    "thread 1.3:2",
    "p/l i",
    "x/4xw a",
    "print )",
    "break 3",
    "list",
    "info",
    "|",
    "# c",
]


class Arguments:
    """Random arguments: mostly of the right type, often of what is there, sometimes anything."""

    def __init__(self, random_: random.Random) -> None:
        self._random = random_
        self.thread = self.frame = 0
        self.reference = "0x0"

    def of(self, command: str) -> dict:
        pick, number = self._random.choice, self._random.randrange
        numbers = [0, 1, 2, -1, 7, number(60), 1 << 40, self.thread]
        source = pick([{"path": VADD}, {"path": "/x.cl"}, {"sourceReference": 1}, {"name": "y"}])
        place = pick([self.reference, "slm:1.1:0x0", "slm:9.9:0", "", "0x10", "-1", str(1 << 63)])
        text = pick(LINES if command in ("evaluate", "completions") else EXPRESSIONS)
        return {
            "threadId": pick([self.thread, self.thread, pick(numbers)]),
            "frameId": pick([self.frame, self.frame, number(40)]),
            "variablesReference": number(60),
            "start": pick(numbers),
            "count": pick([0, 1, 5, 4096, -1]),
            "startFrame": number(3),
            "levels": number(3),
            "filter": pick(["named", "indexed"]),
            "name": pick(["i", "a", "[1]", "r3", "*a", "", "9"]),
            "value": pick(EXPRESSIONS),
            "expression": pick([text, pick(EXPRESSIONS)]),
            "context": pick(["repl", "hover", "watch", "clipboard", "else"]),
            "format": {"hex": pick([True, False])},
            "text": text,
            "column": pick(numbers),
            "source": source,
            "line": pick([0, 3, 4, -5, 99999]),
            "endLine": pick([4, 99]),
            "sourceReference": number(4),
            "targetId": number(60),
            "granularity": pick(["line", "instruction", "statement"]),
            "memoryReference": place,
            "offset": pick([0, 4, -8, 1 << 62, -(1 << 62)]),
            "instructionOffset": pick([0, -3, 5000, -(1 << 50)]),
            "instructionCount": pick([0, 1, 40, -1]),
            "data": pick(["AAAA", "!", ""]),
            "dataId": pick(["1.1:0 #0 c[i]", "1.1:99 #7 i", "x"]),
            "filters": pick([[], ["load"], ["what"]]),
            "breakpoints": pick(
                [
                    [],
                    [{"line": number(9), "condition": pick(EXPRESSIONS), "name": "vadd"}],
                    [{"name": pick(["vadd", "kernel v*", ")("])}],
                    [{"instructionReference": place, "offset": pick([0, 16, -16])}],
                    [{"dataId": "1.1:0 #0 c[i]"}],
                ]
            ),
            "thread": pick(["1.2", "1.2:3", "1.*", "", "x"]),
            "workItem": pick([[5], [1, 2, 3], [], [-1], [1, 2, 3, 4]]),
            "lane": pick([0, 5, 31, 99, -1]),
            "group": number(4),
            "startModule": number(3),
            "moduleCount": number(3),
            "singleThread": True,
            "asAddress": pick([True, False]),
        }


@pytest.mark.cases(0)
@pytest.mark.parametrize("seed", range(8))
def test_random_requests_have_answers_and_find_no_defect(editor, vadd, seed):
    random_ = random.Random(seed)
    editor.begin(vadd, lambda: editor.break_at(VADD, 3))
    given = Arguments(random_)
    given.thread = editor.stopped()["threadId"]
    commands = sorted(HANDLERS.keys() - LEFT_OUT)
    for _ in range(150):
        if random_.random() < 0.2 or not given.frame:
            try:
                frame = editor.frame(given.thread)
                given.frame, given.reference = frame["id"], frame["instructionPointerReference"]
                editor.scopes(given.frame)
            except RequestFailed:
                pass
        command = random_.choice(commands)
        arguments = given.of(command)
        kept = random_.sample(sorted(arguments), random_.randint(10, len(arguments)))
        number = editor.send_unchecked(command, {name: arguments[name] for name in kept})
        try:
            editor.response(number)
        except RequestFailed as error:
            assert "internal error:" not in str(error.message), (command, arguments)
            continue
        if command in MOVES:
            stop = editor.stopped_or_ended()
            if stop is None or stop["threadId"] == 1:
                break
            given.thread = stop["threadId"]
    assert "internal error:" not in editor.output
    assert editor.request("threads")["threads"]
