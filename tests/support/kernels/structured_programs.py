"""Random OpenCL C kernels that do little but branch, for comparing devices with the host.

Every kernel has ``(global const uint *in, global uint *out)``: two input words and two results for
each work-item. Work-items take different paths through nested conditions, switches, loops with
``break`` and ``continue``, jumps out of loops and back, early returns, and calls of functions that
are not inlined. `h` notes the path that a work-item took, so that a wrong turn shows in the result.

Programs are the same for the same seed. They end: every turn of a loop and every jump back takes
one off `fuel`. All arithmetic is unsigned, so nothing is undefined. They are C as well, and what
they ought to leave is what the host's C compiler makes of them.
"""

from __future__ import annotations

import ctypes
import functools
import random
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.support.kernels.kernel_case import Array, Case

# The programs of tests/kernels/corpus/control/branches.cl.
COMMITTED = (1, 2, 3, 6, 7, 8, 10, 13, 14, 15, 18, 19, 31, 32, 34, 39, 42)
_WORK_ITEMS = 64
_VARIABLES = ("a", "b", "c", "h")
_DEEPEST = 4


class _Writer:
    """Writes one function; `fuel`, `h` and the variables are in scope everywhere in it."""

    def __init__(self, choose: random.Random, functions: list[str], result: str | None) -> None:
        self._choose = choose
        self._functions = functions  # that may be called
        self._result = result  # the expression that the function returns; None: it is a kernel
        self._lines: list[str] = []
        self._counters = 0
        self._labels = 0
        self._budget = choose.randint(14, 30)  # statements

    def text(self) -> str:
        self._block(0, loop=False, switch=False)
        return "\n".join(self._lines)

    def _write(self, depth: int, line: str) -> None:
        self._lines.append("  " * (depth + 1) + line)

    def _value(self, depth: int = 0) -> str:
        choose = self._choose
        kind = choose.randrange(9 if depth < 2 else 4)
        if kind < 3:
            return choose.choice(_VARIABLES)
        if kind == 3:
            return f"{choose.choice((1, 2, 3, 5, 7, 12, 255, 4096, 0x9E3779B9))}u"
        left, right = self._value(depth + 1), self._value(depth + 1)
        if kind == 8:
            return f"({left} >> ({right} & 15u))"
        return f"({left} {choose.choice('+-*^&|')} {right})"

    def _condition(self) -> str:
        choose = self._choose
        variable = choose.choice(_VARIABLES)
        kind = choose.randrange(5)
        if kind == 0:
            return f"({variable} & {choose.choice((1, 2, 3, 4, 6, 7))}u) != 0u"
        if kind == 1:
            return f"{self._value(1)} < {self._value(1)}"
        if kind == 2:
            return f"{variable} % {choose.choice((3, 5, 7, 11))}u == {choose.randrange(3)}u"
        if kind == 3:
            operator = choose.choice(("&&", "||"))
            return f"(({variable} & 1u) {operator} {self._value(1)} > {self._value(1)})"
        return f"(lane + {choose.randrange(9)}u) % {choose.choice((2, 3, 4, 8))}u == 0u"

    def _block(self, depth: int, *, loop: bool, switch: bool) -> None:
        for _ in range(self._choose.randint(1, 4) if depth else 6):
            self._statement(depth, loop=loop, switch=switch)

    def _statement(self, depth: int, *, loop: bool, switch: bool) -> None:
        self._budget -= 1
        simple = [self._assign, self._assign, self._mark]
        if self._functions:
            simple.append(self._call)
        if depth == 0 or (depth < _DEEPEST and self._budget > 0):
            nested = [self._if, self._if, self._switch, self._for, self._while, self._do]
            self._choose.choice([*simple, *nested, *nested, self._jump_back, self._jump_over])(
                depth, loop, switch
            )
        else:
            leaving = [self._return] if depth > 0 else []
            if loop:
                leaving += [self._leave_loop, self._leave_loop]
            self._choose.choice([*simple, *leaving])(depth, loop, switch)

    def _assign(self, depth: int, loop: bool, switch: bool) -> None:
        operator = self._choose.choice(("=", "+=", "^=", "-=", "*="))
        self._write(depth, f"{self._choose.choice('abc')} {operator} {self._value()};")

    def _mark(self, depth: int, loop: bool, switch: bool) -> None:
        self._write(depth, f"h = h * 31u + {self._choose.randrange(1, 999)}u;")

    def _call(self, depth: int, loop: bool, switch: bool) -> None:
        function = self._choose.choice(self._functions)
        target = self._choose.choice("abc")
        self._write(depth, f"{target} ^= {function}({self._value(1)}, {self._value(1)}, lane);")

    def _if(self, depth: int, loop: bool, switch: bool) -> None:
        self._write(depth, f"if ({self._condition()}) {{")
        self._block(depth + 1, loop=loop, switch=switch)
        if self._choose.random() < 0.6:
            self._write(depth, "} else {")
            self._block(depth + 1, loop=loop, switch=switch)
        self._write(depth, "}")

    def _switch(self, depth: int, loop: bool, switch: bool) -> None:
        self._write(depth, f"switch ({self._value(1)} % {self._choose.choice((4, 5, 7))}u) {{")
        for case in self._choose.sample(range(7), self._choose.randint(2, 5)):
            self._write(depth, f"case {case}:")
            self._block(depth + 1, loop=loop, switch=True)
            if self._choose.random() < 0.7:
                self._write(depth + 1, "break;")
        self._write(depth, "default:")
        self._mark(depth + 1, loop, switch)
        self._write(depth, "}")

    def _new_counter(self) -> str:
        self._counters += 1
        return f"k{self._counters}"

    def _for(self, depth: int, loop: bool, switch: bool) -> None:
        counter = self._new_counter()
        bound = self._choose.choice(("a & 7u", "b & 3u", "(lane & 3u) + 1u", "5u"))
        self._write(
            depth,
            f"for (uint {counter} = 0, e{counter} = {bound}; {counter} < e{counter} && fuel != 0u; "
            f"++{counter}, fuel -= fuel != 0u) {{",
        )
        self._block(depth + 1, loop=True, switch=False)
        self._write(depth, "}")

    def _while(self, depth: int, loop: bool, switch: bool) -> None:
        self._write(depth, f"while (fuel != 0u && {self._condition()}) {{")
        self._write(depth + 1, "--fuel;")
        self._block(depth + 1, loop=True, switch=False)
        self._write(depth, "}")

    def _do(self, depth: int, loop: bool, switch: bool) -> None:
        self._write(depth, "do {")
        self._block(depth + 1, loop=True, switch=False)
        self._write(depth, f"}} while (fuel > 1u && --fuel != 0u && {self._condition()});")

    def _leave_loop(self, depth: int, loop: bool, switch: bool) -> None:
        word = self._choose.choice(("break", "continue"))
        if word == "continue":
            self._write(depth, "if (fuel == 0u || --fuel == 0u) goto done;")
        self._write(depth, f"if ({self._condition()}) {word};")

    def _return(self, depth: int, loop: bool, switch: bool) -> None:
        if self._result is None:
            action = f"{{ out[2 * i] = h; out[2 * i + 1] = {self._value()}; return; }}"
        else:
            action = f"return {self._value()};"
        if self._choose.random() < 0.5:
            action = "goto done;"
        self._write(depth, f"if ({self._condition()}) {action}")

    def _new_label(self) -> str:
        self._labels += 1
        return f"label{self._labels}"

    def _jump_back(self, depth: int, loop: bool, switch: bool) -> None:
        label = self._new_label()
        self._write(depth, f"{label}:;")
        self._block(depth + 1, loop=loop, switch=switch)
        self._write(depth, f"if (fuel != 0u && {self._condition()}) {{ --fuel; goto {label}; }}")

    def _jump_over(self, depth: int, loop: bool, switch: bool) -> None:
        label = self._new_label()
        self._write(depth, f"if ({self._condition()}) goto {label};")
        self._write(depth, "{")
        self._block(depth + 1, loop=loop, switch=switch)
        self._write(depth, "}")
        self._write(depth, f"{label}:;")


def _function(choose: random.Random, name: str, functions: list[str]) -> str:
    body = _Writer(choose, functions, "a ^ b ^ c ^ h").text()
    return f"""__attribute__((noinline)) uint {name}(uint a, uint b, uint lane) {{
  uint c = a + b, h = {choose.randrange(99)}u, fuel = 12u;
{body}
done:
  return a ^ b ^ c ^ h;
}}
"""


def _kernel(choose: random.Random, name: str, functions: list[str]) -> str:
    body = _Writer(choose, functions, None).text()
    return f"""kernel void {name}(global const uint *in, global uint *out) {{
  size_t i = get_global_id(0);
  uint lane = (uint)i, a = in[2 * i], b = in[2 * i + 1], c = lane * 7u, h = 1u, fuel = 60u;
{body}
done:
  out[2 * i] = h;
  out[2 * i + 1] = a ^ b ^ c;
}}
"""


def kernel_name(seed: int) -> str:
    """The kernel of a program."""
    return f"branches_{seed}"


def program(seed: int) -> str:
    """The source of one kernel, and of the functions that it calls."""
    choose = random.Random(seed)
    functions: list[str] = []
    texts = []
    for number in range(choose.choice((0, 0, 1, 2))):
        name = f"function_{seed}_{number}"
        texts.append(_function(choose, name, functions[:]))
        functions.append(name)
    texts.append(_kernel(choose, kernel_name(seed), functions))
    return "".join(texts)


def corpus_source() -> str:
    """The text of branches.cl."""
    return "".join(
        ["// Made by tests/support/kernels/structured_programs.py.\n", *map(program, COMMITTED)]
    )


def launch(seed: int) -> Case:
    """The launch of a program's kernel."""
    inputs = np.random.default_rng(seed).integers(0, 1 << 32, 2 * _WORK_ITEMS, np.uint32)
    inputs[::3] %= 16  # small numbers, for which conditions differ
    results = np.zeros(2 * _WORK_ITEMS, np.uint32)

    def reference(arguments: Sequence[Array], lanes: int) -> None:
        arguments[1][:] = _committed_results()[seed]

    return Case(
        kernel_name(seed),
        "branches",
        (_WORK_ITEMS,),
        (32,),
        [inputs, results],
        reference=reference,
    )


# What OpenCL C has and C has not, for compiling the programs for the host.
_HOST_NAMES = """#include <stddef.h>
typedef unsigned uint;
static size_t work_item;
#define get_global_id(dimension) work_item
#define global
#define kernel static
"""


def host_program(seeds: list[int]) -> str:
    """A C file that runs them: `run(number, work_items, in, out)`; number counts seeds."""
    cases = "\n".join(
        f"    case {number}: {kernel_name(seed)}(in, out); break;"
        for number, seed in enumerate(seeds)
    )
    return f"""{_HOST_NAMES}{"".join(map(program, seeds))}
void run(int number, size_t work_items, const uint *in, uint *out) {{
  for (work_item = 0; work_item < work_items; ++work_item) switch (number) {{
{cases}
  }}
}}
"""


def run_on_host(seeds: list[int], directory: Path) -> list[Array]:
    """What each program leaves in `out`, as the C compiler understands it. Uses ``directory``."""
    source, library = directory / "host.c", directory / "host.so"
    source.write_text(host_program(seeds))
    command = ["cc", "-O1", "-w", "-shared", "-fPIC", "-o", str(library), str(source)]
    subprocess.run(command, check=True)
    run = ctypes.CDLL(str(library)).run
    run.argtypes = [ctypes.c_int, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p]
    results = []
    for number, seed in enumerate(seeds):
        inputs, out = (np.array(value) for value in launch(seed).arguments)
        run(number, _WORK_ITEMS, inputs.ctypes.data, out.ctypes.data)
        results.append(out)
    return results


@functools.cache
def _committed_results() -> dict[int, Array]:
    with tempfile.TemporaryDirectory() as directory:
        results = run_on_host(list(COMMITTED), Path(directory))
    return dict(zip(COMMITTED, results, strict=True))


if __name__ == "__main__":
    print(corpus_source(), end="")
