"""The random programs of tests/kernels/truth/random.cl: those of ``structured_programs``, with each
variable stored after each of its assignments. To write the text:
``python -m tests.support.truth.truth_programs``.
"""

import random
import re

from tests.support.kernels.structured_programs import program

SEEDS = (1, 2, 3, 7, 8, 10, 13, 14, 15, 18, 19, 31, 32, 34, 39, 42)
_ASSIGNMENT = re.compile(r"^( +)([abch]) [-+*^&|]?= .*;$")
_STORES = 24  # of a kernel, at most
_SIGNATURE = "(global const uint *in, global uint *out) {"


def instrumented(seed: int) -> str:
    """The kernel of ``seed`` and its functions; the kernel stores what it assigns."""
    text = program(seed)
    functions, kernel = text[: text.index("kernel void")], text[text.index("kernel void") :]
    lines = kernel.splitlines()
    assignments = [i for i, line in enumerate(lines) if _ASSIGNMENT.match(line)]
    chosen = assignments
    if len(assignments) > _STORES:
        chosen = sorted(random.Random(seed).sample(assignments, _STORES))
    found = []
    for index, line in enumerate(lines):
        found.append(line)
        if index in chosen:
            match = _ASSIGNMENT.match(line)
            assert match is not None
            found.append(f"{match[1]}T({chosen.index(index)}, {match[2]});")
    stores = len(chosen)
    text = "\n".join(found) + "\n"
    text = text.replace(_SIGNATURE, "(global const uint *in, global ulong *truth, int n) {")
    text = text.replace("size_t i = get_global_id(0);", "size_t i = get_global_id(0), gid = i;")
    text = re.sub(r"out\[2 \* i\] = h; out\[2 \* i \+ 1\] = (.*?); return;", "return;", text)
    ending = (
        f"  T({stores}, h);\n  T({stores + 1}, a);\n  T({stores + 2}, b);\n  T({stores + 3}, c);\n"
    )
    text = re.sub(r"  out\[2 \* i\] = h;\n  out\[2 \* i \+ 1\] = a \^ b \^ c;\n", ending, text)
    return functions + text


def source() -> str:
    """The text of random.cl."""
    return "".join(
        ["// Made by tests/support/truth/truth_programs.py.\n", *map(instrumented, SEEDS)]
    )


if __name__ == "__main__":
    print(source(), end="")
