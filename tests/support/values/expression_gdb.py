"""Runs inside GDB, stopped in expressions.c: answers requests, a JSON object a line, with others.

Request: ``expression``, ``format`` (the letter of print/F, maybe empty), ``language`` (c or opencl)
and ``kept`` (variables that the expression may change: they are put back). Answer: for each lane
[text, type], or [error].
"""

import json
import os

import gdb

LANES = int(os.environ["LANES"])


def lane_frames():
    """The frames of the work-items, by lane: the last one called is the innermost."""
    frame, found = gdb.newest_frame(), []
    while frame is not None:
        if frame.name() == "expressions":
            found.append(frame)
        frame = frame.older()
    assert len(found) == LANES
    return found[::-1]


def evaluated(request):
    """The text and type in the selected frame. What is computed in another language is shown in
    C's way, too."""
    shown = request["expression"]
    verb = f"output/{request['format']}" if request["format"] else "output"
    gdb.execute(f"set language {request['language']}")
    try:
        kind = gdb.execute(f"whatis {request['expression']}", to_string=True)
        if request["language"] != "c":
            value = gdb.parse_and_eval(request["expression"])
            gdb.set_convenience_variable("value", value)
            gdb.execute("set language c")
            shown = "$value"
        text = gdb.execute(f"{verb} {shown}", to_string=True)
    except gdb.error as error:
        return [str(error)]
    return [text, kind.strip().splitlines()[-1].removeprefix("type = ")]


def answer(request):
    memory = gdb.selected_inferior()
    found = []
    for frame in FRAMES:
        frame.select()
        gdb.execute("set language c")
        kept = []
        for name in request["kept"]:
            place = gdb.parse_and_eval(name)
            data = bytes(memory.read_memory(place.address, place.type.sizeof))
            kept.append((int(place.address), data))
        found.append(evaluated(request))
        for address, data in kept:
            memory.write_memory(address, data)
    return found


gdb.execute("set width 0")
gdb.execute("set confirm off")
gdb.execute("break stop", to_string=True)
gdb.execute(f"run {os.environ['ITEMS']}", to_string=True)
FRAMES = lane_frames()
with (
    os.fdopen(int(os.environ["REQUESTS"])) as requests,
    os.fdopen(int(os.environ["ANSWERS"]), "w") as answers,
):
    for line in requests:
        print(json.dumps(answer(json.loads(line))), file=answers, flush=True)
