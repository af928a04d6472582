"""Bit-fields are read and written where the compiler has them."""

from tests.support.packed_modules import MODULES
from tests.support.places import KERNELS

SOURCE = (KERNELS / "layouts" / "layouts.cl").read_text().splitlines()
LAST = next(n for n, text in enumerate(SOURCE, 1) if "// behind it" in text)
N = 5
# What is set, and what is shown then: 7 bits with a sign, and what does not fit.
STEPS = [
    ("print bits.b", N),
    ("print mixed.c", N),
    ("set var bits = bits", None),
    ("set var bits.a = 6", None),
    ("set var bits.c = 1", None),
    ("set var bits.d = 0xabcde", None),
    ("set var bits.e = 0x123456789", None),
    ("print bits.a", 6),
    ("print bits.b", N),
    ("print bits.c", 1),
    ("print bits.d", 0xABCDE),
    ("print bits.e", 0x123456789),
    ("set var bits.b = -3", None),
    ("print bits.b", -3),
    ("print bits.a", 6),
    ("set var mixed.x = 511", None),
    ("set var mixed.w = 21", None),
    ("set var mixed.colour = 5", None),
    ("print mixed.x", 511),
    ("print mixed.w", 21),
    ("print mixed.c", N),
    ("print (int) mixed.colour", 5),
]


def test_bit_fields_keep_to_themselves(debugger):
    program = [
        "zedbg",
        "kernel",
        f"{MODULES / 'layouts' / 'layouts.zebin'}",
        "--global",
        "1",
        "--local",
        "1",
    ]
    program += ["i32[16]", f"i32={N}"]
    given = [f"break layouts.cl:{LAST}", "run", *(command for command, _ in STEPS), "continue"]
    finished = debugger.json(given, program)
    answers = [each for each in finished.objects if "command" in each]
    assert [each["error"] for each in answers if not each["ok"]] == []
    shown = [each["rows"][0]["value"] for each in answers if each["command"] == "print"]
    assert shown == [value for command, value in STEPS if command.startswith("print ")]
