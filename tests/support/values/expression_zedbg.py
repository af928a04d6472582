"""``expression_zedbg.py DEVICE MODULE ITEMS``: stops a kernel of kernels/expressions and answers
requests as expression_gdb.py does; for what cannot be shown in a lane the answer is [reason]."""

import contextlib
import json
import os
import sys
from pathlib import Path

from tests.support.places import KERNELS
from zedbg.engine.sessions import opening
from zedbg.missing import Missing
from zedbg.values.expressions.api import Expression, evaluate
from zedbg.values.expressions.evaluator import LaneEvaluator
from zedbg.values.formats.formatting import FormatOptions, format_value, type_name
from zedbg.values.typed.evaluation_error import EvaluationError

_LINE = "out[id].i = i;"


def _answer(request, thread, lanes):
    if not request["kept"]:
        return _evaluated(request, thread, lanes)
    # What assigns is evaluated for one work-item after the other, as `set var` does.
    answers = []
    for lane in lanes:
        kept = [evaluate(each, thread, (lane,)).first for each in request["kept"]]
        answers += _evaluated(request, thread, (lane,))
        access = LaneEvaluator(thread, (lane,)).access
        for value in kept:
            # What cannot be written (a constant, what is optimised out) has not been.
            with contextlib.suppress(EvaluationError):
                access.store(value.home, value.data)
        # All is again as the program made it.
        thread.device.hand_writes._launches.clear()
        thread.stop_cache.clear()
    return answers


def _evaluated(request, thread, lanes):
    expression, options = request["expression"], FormatOptions(request["format"])
    try:
        kind = type_name(Expression(expression, thread.debug_info).type(thread))
        return [
            [value.reason]
            if isinstance(value, Missing)
            else [f"doubtful: {value.doubt}"]
            if value.doubt is not None
            else [format_value(value, options), kind]
            for _, value in evaluate(expression, thread, lanes)
        ]
    except EvaluationError as error:
        return [[str(error)]] * len(lanes)


def main(device, module, items):
    source = KERNELS / "expressions" / "expressions.cl"
    lines = source.read_text().splitlines()
    number = next(n for n, line in enumerate(lines, 1) if _LINE in line)
    size = Path(items).stat().st_size
    lanes = range(int(os.environ["LANES"]))
    program = [sys.executable, "-m", "zedbg.frontends.main", "kernel", f"{module}:expressions"]
    program += ["--global", str(len(lanes)), "--local", str(len(lanes))]
    program += [f"u8[{size}]=@{items}", f"u8[{size}]", "i32=0", "f32=1"]
    with opening.launch(program, sim=device, output=lambda stream, text: None) as session:
        session.break_at(f"expressions.cl:{number}")
        stop = session.continue_(timeout=120)
        (hit,) = stop
        for line in sys.stdin:
            print(json.dumps(_answer(json.loads(line), hit.thread, lanes)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
