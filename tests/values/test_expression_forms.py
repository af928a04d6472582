"""Every form of expression as a user types them at a stop: what each says, on each device."""

import re

import numpy as np
import pytest

from tests.support.packed_modules import MODULES
from tests.support.places import KERNELS
from tests.support.values.expression_values import LANES, items

EXPRESSIONS = KERNELS / "expressions"
LINE = next(
    number
    for number, line in enumerate((EXPRESSIONS / "expressions.cl").read_text().splitlines(), 1)
    if "out[id].i = i;" in line
)
# Typed at the stop in lane 0, and shown; what stands for nothing to show is empty.
TYPED = [
    ("print i", "0"),
    ("print $", "0"),
    ("print $$1 + 5", "5"),
    ("output j", "3"),
    # registers: whole, as elements, partly written
    ("set var $r20.ud[0] = 0", ""),
    ("set var $r20.f[3] = 1.5", ""),
    ("print $r20.f[3]", "1.5"),
    ("print/x $r20.ud[3]", "0x3fc00000"),
    ("set var $r20.hf[1] = 2.5", ""),
    ("print $r20.hf[0:2]", "{0, 2.5}"),
    ("set var $r20.bf[0] = -1", ""),
    ("print/x $r20.ud[0]", "0x4100bf80"),
    ("set var $r20.b[2] = -1", ""),
    ("print/x $r20.uw[1]", "0x41ff"),
    ("print sizeof($acc0) == sizeof($r20)", "1"),
    ("set var $acc0.f[1] = 4", ""),
    ("print $acc0.f[1]", "4"),
    ("print $cr0[2] == $ip", "1"),
    ("print/x $ce", "0xff"),
    # the work
    ("print $_lane", "0"),
    ("print $_simd_width >= 8", "1"),
    ("print $_workgroup", "{0, 0, 0}"),
    ("print $_local_id", "{0, 0, 0}"),
    ("print $_global_id[0]", "0"),
    ("print $_local_size", f"{{{LANES}, 1, 1}}"),
    ("print $_global_size", "<the kernel does not use the global size>"),
    ("print $_kernel", '"expressions"'),
    ("print $_thread", "1"),
    ("print $_hit_count", "1"),
    ("print $bpnum", "1"),
    ("print $pc == (void *) ($ip + $pc - $cr0[2])", "1"),
    # names of the user's
    ("set var $mine = i + 4", ""),
    ("print $mine * 2", "8"),
    ("print $mine += 1", "5"),
    ("print $nothing", "void"),
    # parts, slices, spaces
    ("print row[1:3]", "{-3, -3}"),
    ("print row[1]@2", "{-3, -3}"),
    ("print mine->text", '"hello\\000\\000"'),
    ("print iv.xw", "{-2, 1073741824}"),
    ("set var iv.yx = (int2)(5, 6)", ""),
    ("print iv", "{6, 5, 3, 1073741824}"),
    ("print iv > 4 ? iv : -iv", "{6, 5, -3, 1073741824}"),
    ("print *@global &mine->j", "3"),
    ("print *@constant &mine->i", "0"),
    ("print *@private &j", "3"),
    ("print (record.at.x, record.at.y)", "7"),
    ("set var record.at.y += 2", ""),
    ("print record.at", "{x = 0, y = 9}"),
    ("print j > 2 && (j += 10)", "1"),
    ("print j", "13"),
    ("print j < 2 && (j = 0)", "0"),
    ("print j--", "13"),
    ("print/x j", "0xc"),
    ("set var f = 0.25", ""),
    ("print f == .25 ? 'y' : 'n'", "121"),
    # examining memory
    ("x/2dw &mine->i", "0\t3"),
    ("print $__", "3"),
    ("print $_ == &mine->j", "1"),
    ("x/2fw &mine->f", "0.5\t0.100000001"),
    ("x/2f16 &mine->f", "0\t1.75"),
    ("x/2bf16 &mine->f", "0\t0.5"),
    ("print $__ * 2", "1"),
    ("x/s mine->text", '"hello"'),
    ("print $__", '"hello"'),
    ("x/1dg @global mine", "-5"),
    ("whatis $_", "type = long *"),
]
MARK = "-- next --"
BUILDS = ["dg2-O0", "pvc-O0", "bmg-O0"]


@pytest.mark.cases(2)
@pytest.mark.parametrize("build", BUILDS)
def test_every_form_says_what_it_should(build, debugger, tmp_path):
    (tmp_path / "items.bin").write_bytes(items())
    size = len(items())
    program = [
        "zedbg",
        "kernel",
        f"{MODULES / 'expressions' / f'expressions-{build}.zebin'}:expressions",
    ]
    program += ["--global", str(LANES), "--local", str(LANES)]
    program += [f"u8[{size}]=@items.bin", f"u8[{size}]", "i32=0", "f32=1"]
    commands = [each for command, _ in TYPED for each in (f"echo {MARK}", command)]
    start = [f"directory {EXPRESSIONS}", f"break expressions.cl:{LINE}", "run"]
    device = f"--sim={build.split('-')[0]}"
    finished = debugger.batch([*start, *commands, f"echo {MARK}"], program, device)
    answers = "\n".join(finished.lines).split(MARK)[1:-1]
    wrong = []
    for (command, expected), answer in zip(TYPED, answers, strict=True):
        shown = re.sub(r"^\$\d+ = ", "", answer.strip("\n"))
        if command.startswith("x/"):
            shown = shown.split(":\t")[-1]
        if shown != expected:
            wrong.append((command, shown, expected))
    assert not wrong, finished.err


def test_what_needs_no_thread_is_evaluated_without_one(debugger):
    finished = debugger.batch(
        ["print 6 * 7", "set var $a = 2", "print $a << 3", "whatis sizeof(int)", "print x"]
    )
    assert finished.lines == ["$1 = 42", "$2 = 16", "type = unsigned long"]
    assert finished.err.strip() == "No thread is stopped."


def test_functions_of_opencl_that_are_computed_without_a_device(debugger):
    """Against NumPy, with the numbers at which they differ."""
    numbers = {"0.0f/0.0f": np.float32("nan"), "1.0f/0.0f": np.float32("inf")}
    numbers |= {f"{each}f": np.float32(each) for each in (-2.5, -0.0, 3.5)}
    told = {"isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite}
    expected = {f"{name}({x})": int(f(v)) for name, f in told.items() for x, v in numbers.items()}
    for name, function in {"fmin": np.fmin, "fmax": np.fmax}.items():
        for x, one in numbers.items():
            for y, other in numbers.items():
                expected[f"{name}({x}, {y}) == {float(function(one, other))}"] = int(
                    not np.isnan(function(one, other))
                )
    expected = {text.replace(" == inf", " == 1.0/0").replace(" == nan", " == 0"): value
                for text, value in expected.items()}  # fmt: skip
    expected |= {"fabs(-2.5f) == 2.5": 1, "abs(-3)": 3, "max(-1, 2) + min(7L, 5)": 7}
    expected |= {"max(1u, -1) == 0xffffffff": 1, "isnan(max(0.0f/0.0f, 1.0f))": 1}
    asked = [f"print {each}" for each in expected]
    finished = debugger.batch([*asked, "print min(1)", 'print isnan("a")', "print sqrt(4)"])
    assert [line.split(" = ")[1] for line in finished.lines] == [str(x) for x in expected.values()]
    assert finished.err.splitlines() == [
        "min takes 2 arguments.",
        "Argument to arithmetic operation not a number or boolean.",
        "sqrt cannot be called: only the device runs functions of a program.",
    ]


def test_the_exit_code_is_known_when_the_program_has_ended(debugger, vadd):
    finished = debugger.batch(["run", "print $_exitcode", "print $_exitcode + 1"], vadd)
    assert finished.lines[-2:] == ["$1 = 0", "$2 = 1"]
