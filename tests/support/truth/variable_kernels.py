"""Random kernels, and their twins that write down every variable at every line.

Both texts of a kernel have the same lines. Where a line of the twin begins with ``T(line)``, it
first appends a record to the work-item's log: the line, then each scalar that the variables in
scope consist of, as a ``ulong``.

A kernel is made of kinds of statements. Whoever writes the judge of values looks at
:data:`DEVELOPED`, :data:`UNROLLED` and :data:`UNCOUNTED` only; what is held out is for measuring.
:mod:`tests.support.truth.passed_kernels` has more kinds.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

DEVELOPED = ("scalar", "loop", "branch", "load", "call")
UNROLLED = ("hinted", "nested")
HELD_OUT = ("vector", "structure", "array", "shared", "while", "wide")
HELD_OUT_LOOPS = ("strided", "downward", "leaving")
UNCOUNTED = ("bisecting", "dividing", "growing")
HELD_OUT_UNCOUNTED = ("walking", "draining")
COMPUTED = ("conversion", "function")
ITEMS, GROUP = 32, 16
INPUTS = 256
LOG_WORDS = 16384  # of a work-item
N = 5  # the argument n
FACTOR = 1.5  # the argument f

_INTEGERS = {"int": 4, "uint": 4, "short": 2, "ushort": 2, "char": 1, "uchar": 1}
_WIDE = {"long": 8, "ulong": 8}
_ROUNDING = ("", "_rte", "_rtz", "_rtp", "_rtn")
_INTEGER_FUNCTIONS = (
    *("(int)abs({a})", "min({a}, {b})", "max({a}, {b})", "clamp({a}, 3, 300)", "clz({a})"),
    *("mul24({a} & 0xfff, {b} & 0xff)", "mad24({a} & 0xff, {b} & 0xff, {a})", "popcount({a})"),
    *("hadd({a}, {b})", "rhadd({a}, {b})", "add_sat({a}, {b})", "sub_sat({a}, {b})"),
    *("mul_hi({a} * 65599, {b} * 65599)", "rotate({a}, 5)", "(int)abs_diff({a}, {b})"),
    *("(int)upsample((short)({a}), (ushort)({b}))", "select({a}, {b}, {a} > {b})"),
)
_FLOAT_FUNCTIONS = (
    *("floor({a})", "ceil({a})", "rint({a})", "round({a})", "trunc({a})", "fabs({a})"),
    *("fmin({a}, {b})", "fmax({a}, {b})", "clamp({a}, -4.0f, 2.5f)", "step(1.5f, {a})"),
    *("fmod({a}, 1.75f)", "fdim({a}, {b})", "copysign({a}, {b})", "select({a}, {b}, {a} < 1.0f)"),
)
_MASKS = {1: "0x3f", 2: "0x3fff", 4: "0xfffff", 8: "0xfffffffffL"}


@dataclass(frozen=True)
class Variable:
    """A variable of a kernel: ``leaves`` are the expressions of its scalars, with their types."""

    name: str
    type: str
    constant: bool
    leaves: tuple[tuple[str, str], ...]


@dataclass
class Kernel:
    """A kernel's two texts; ``scopes``: the variables that the log has at each line."""

    plain: str
    twin: str
    scopes: dict[int, list[Variable]]


_HEAD = """\
typedef struct { int a; ushort b; float c; } S;
int helper(int p, int q) {
  int r = p * 3 + q;
  if (q > 7) r -= p & 15;
  return r & 0xffff;
}
"""
_SIGNATURE = "kernel void k(global const int *in, global int *out, int n, float f{parameter}) {{\n"
_LOG = (
    "#define T(line) words[at++] = line\n#define L(x) words[at++] = (ulong)(x)",
    "//\n//",
)


@dataclass
class Maker:
    """Makes one kernel."""

    kinds: Sequence[str]
    seed: int
    chosen: random.Random
    plain: list[str] = field(default_factory=list)
    twin: list[str] = field(default_factory=list)
    scopes: dict[int, list[Variable]] = field(default_factory=dict)
    visible: list[Variable] = field(default_factory=list)
    count: int = 0
    depth: int = 1
    loops: int = 0
    fixed: set[str] = field(default_factory=set)  # counters, which only their loop changes
    first_line: int = 0

    def __post_init__(self) -> None:
        self.first_line = 4 + self.head().count("\n")  # after the log and the signature

    def head(self) -> str:
        """Types and helpers."""
        return _HEAD

    def line(self, text: str, log: bool = True) -> None:
        """A line of the kernel. Lines in front of the first are those of the head."""
        number = self.first_line + len(self.plain)
        indent = "  " * self.depth
        self.plain.append(indent + text)
        if log:
            self.scopes[number] = [each for each in self.visible if each.leaves]
            leaves = [leaf for each in self.visible for leaf in each.leaves]
            logs = "".join(f" L({_bits(*leaf)});" for leaf in leaves)
            text = f"T({number});{logs} {text}"
        self.twin.append(indent + text)

    def name(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def declare(self, name: str, kind: str, constant: bool, leaves: object = None) -> None:
        parts = leaves if isinstance(leaves, tuple) else ((name, kind),)
        self.visible.append(Variable(name, kind, constant, parts))

    # --- expressions -----------------------------------------------------------------------

    def scalars(self) -> list[tuple[str, str]]:
        return [leaf for each in self.visible for leaf in each.leaves]

    def atom(self) -> str:
        integers = [name for name, kind in self.scalars() if kind != "float"]
        if self.chosen.random() < 0.25 or not integers:
            return str(self.chosen.choice([1, 2, 3, 5, 7, 12, 100, 255, 1000]))
        name = self.chosen.choice(integers[-6:] if self.chosen.random() < 0.6 else integers)
        return name if dict(self.scalars())[name] in _INTEGERS else f"(int)({name} & 0xffff)"

    def integer(self, depth: int = 2) -> str:
        """An expression whose value is far from an overflow."""
        if depth == 0 or self.chosen.random() < 0.2:
            return f"({self.atom()} & 0xffff)" if self.chosen.random() < 0.3 else self.atom()
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        draw = self.chosen.randrange(10)
        if draw < 3:
            return f"({a} + {b})"
        if draw < 4:
            return f"({a} - {b})"
        if draw < 6:
            return f"(({a} & 0x3ff) * {self.chosen.choice(['3', '7', f'({b} & 63)'])})"
        if draw < 7:
            return f"({a} {self.chosen.choice('&|^')} {b})"
        if draw < 8:
            return (
                f"(({a} & 0xfff) {self.chosen.choice(['<<', '>>'])} {self.chosen.randrange(1, 6)})"
            )
        if draw < 9:
            return f"({self.condition(0)} ? {a} : {b})"
        return f"({a} & 0x7fff) % {self.chosen.choice([3, 5, 16, 17])}"

    def real(self) -> str:
        reals = [name for name, kind in self.scalars() if kind == "float"]
        a = self.chosen.choice(reals)
        draw = self.chosen.randrange(4)
        if draw == 0:
            return f"(float)({self.integer(1)} & 0xff) * 0.25f + {a} * 0.5f"
        if draw == 1:
            return f"{a} * 0.5f + {self.chosen.choice(reals)} * 0.125f"
        if draw == 2:
            return f"({a} - {self.chosen.choice(['1.0f', '0.5f', '2.25f'])}) * 0.75f"
        return f"({a} < {self.chosen.choice(['1.0f', '9.0f'])} ? {a} : {a} * 0.25f)"

    def condition(self, depth: int = 1) -> str:
        draw = self.chosen.randrange(3)
        if draw == 0:
            return f"(({self.integer(depth)} & 3) {self.chosen.choice(['==', '!='])} 1)"
        return f"({self.integer(depth)} {self.chosen.choice(['<', '>', '<='])} {self.atom()})"

    # --- statements ------------------------------------------------------------------------

    def block(self, budget: int) -> None:
        known = len(self.visible)
        while budget > 0:
            budget -= self.statement(budget)
        del self.visible[known:]

    def statement(self, budget: int) -> int:
        kind = self.chosen.choice(self.kinds)
        make = getattr(self, f"make_{kind}")
        cost: int = make(budget)
        return cost

    def make_scalar(self, budget: int) -> int:
        targets = [
            each
            for each in self.visible
            if not each.constant
            and each.name not in self.fixed
            and each.type in (*_INTEGERS, "float")
        ]
        if targets and self.chosen.random() < 0.45:
            target = self.chosen.choice(targets)
            if target.type == "float":
                self.line(f"{target.name} = {self.real()};")
            else:
                mask = _MASKS[_INTEGERS[target.type]]
                self.line(f"{target.name} = ({target.name} + {self.integer()}) & {mask};")
            return 1
        name, constant = self.name(), self.chosen.random() < 0.6
        kind = self.chosen.choice(["int", "int", "uint", *_INTEGERS, "float"])
        value = self.real() if kind == "float" else f"{self.integer()} & {_MASKS[_INTEGERS[kind]]}"
        self.line(f"{'const ' if constant else ''}{kind} {name} = {value};")
        self.declare(name, kind, constant)
        return 1

    def make_wide(self, budget: int) -> int:
        name = self.name()
        kind = self.chosen.choice(list(_WIDE))
        self.line(
            f"const {kind} {name} = (({kind})({self.integer()} & 0xffff) << 20) + {self.atom()};"
        )
        self.declare(name, kind, True)
        return 1

    def make_load(self, budget: int) -> int:
        name, constant = self.name(), self.chosen.random() < 0.7
        self.line(
            f"{'const ' if constant else ''}int {name} = in[{self.integer(1)} & {INPUTS - 1}];"
        )
        self.declare(name, "int", constant)
        return 1

    def make_call(self, budget: int) -> int:
        name = self.name()
        self.line(f"const int {name} = helper({self.integer(1)} & 0xfff, {self.integer(1)} & 15);")
        self.declare(name, "int", True)
        return 1

    def make_conversion(self, budget: int) -> int:
        name, kind = self.name(), self.chosen.choice(list(_INTEGERS))
        if self.chosen.random() < 0.75:
            rounding = self.chosen.choice(_ROUNDING)
            value = f"convert_{kind}_sat{rounding}(({self.real()}) * 1.375f)"
        else:
            value = f"convert_{kind}_sat({self.integer()} - 100)"
        self.line(f"const {kind} {name} = {value} & {_MASKS[_INTEGERS[kind]]};")
        self.declare(name, kind, True)
        return 1

    def make_function(self, budget: int) -> int:
        name = self.name()
        if self.chosen.random() < 0.6:
            kind, text = "int", self.chosen.choice(_INTEGER_FUNCTIONS)
            value = text.format(a=f"(int)({self.integer(1)})", b=f"(int)({self.integer(1)})")
            value += " & 0xfffff"
        else:
            kind, text = "float", self.chosen.choice(_FLOAT_FUNCTIONS)
            value = text.format(a=f"({self.real()})", b=f"({self.real()})")
        self.line(f"const {kind} {name} = {value};")
        self.declare(name, kind, True)
        return 1

    def make_loop(self, budget: int) -> int:
        if self.loops >= 2 or budget < 3:
            return self.make_scalar(budget)
        name = self.name()
        bound = self.chosen.choice(
            ["3", "4", "n", "(n & 3) + 2", f"(({self.atom()} & 3) + 1)", "n"]
        )
        return self.loop(f"for (int {name} = 0; {name} < {bound}; {name}++)", name, budget)

    def loop(self, head: str, counter: str, budget: int, last: str = "") -> int:
        """A loop with its own counter; ``last`` is its last line."""
        self.line(head + " {", log=False)
        inside = max(2, min(budget - 2, 5))
        known = len(self.visible)
        self.declare(counter, "int", False)
        self.fixed.add(counter)
        self.within(inside, loop=True, last=last)
        del self.visible[known:]
        self.line("}", log=False)
        return inside + 2

    def hint(self) -> str:
        """An attribute with which compilers unroll a loop in part."""
        return f"__attribute__((opencl_unroll_hint({self.chosen.choice([2, 2, 3, 4])})))"

    def make_hinted(self, budget: int) -> int:
        if self.loops >= 2 or budget < 3:
            return self.make_scalar(budget)
        name = self.name()
        bound = self.chosen.choice(["4", "6", "7", "8", "n", "n + 3", f"(({self.atom()} & 3) + 3)"])
        head = f"for (int {name} = 0; {name} < {bound}; {name}++)"
        return self.loop(f"{self.hint()} {head}", name, budget)

    def make_nested(self, budget: int) -> int:
        if self.loops or budget < 5:
            return self.make_scalar(budget)
        outer, inner = self.name(), self.name()
        bound = self.chosen.choice(["n", "n + 1", "12", f"(({self.atom()} & 3) + 3)"])
        first = f"for (int {outer} = 0; {outer} < {bound}; {outer}++) {{"
        self.line(first, log=False)
        known = len(self.visible)
        self.declare(outer, "int", False)
        self.fixed.add(outer)
        self.depth, self.loops = self.depth + 1, self.loops + 1
        self.make_scalar(1)
        second = f"for (int {inner} = 0; {inner} < {self.chosen.choice('234')}; {inner}++)"
        cost = self.loop(second, inner, budget - 3)
        self.make_scalar(1)
        self.depth, self.loops = self.depth - 1, self.loops - 1
        del self.visible[known:]
        self.line("}", log=False)
        return cost + 4

    def make_strided(self, budget: int) -> int:
        if self.loops >= 2 or budget < 3:
            return self.make_scalar(budget)
        name, step = self.name(), self.chosen.choice("23")
        bound = self.chosen.choice(["9", "n + 4", f"(({self.atom()} & 7) + 3)"])
        first = self.chosen.choice(["0", "1", "(gid & 1)"])
        head = f"for (int {name} = {first}; {name} < {bound}; {name} += {step})"
        return self.loop(f"{self.hint()} {head}", name, budget)

    def make_downward(self, budget: int) -> int:
        if self.loops >= 2 or budget < 3:
            return self.make_scalar(budget)
        name = self.name()
        first = self.chosen.choice(["7", "n", "n + 2", f"(({self.atom()} & 3) + 2)"])
        head = f"for (int {name} = {first}; {name} > 0; {name}--)"
        hint = self.hint() + " " if self.chosen.random() < 0.7 else ""
        return self.loop(hint + head, name, budget)

    def make_leaving(self, budget: int) -> int:
        if self.loops >= 2 or budget < 3:
            return self.make_scalar(budget)
        name = self.name()
        head = f"for (int {name} = 0; {name} < {self.chosen.choice(['6', '8', 'n'])}; {name}++)"
        hint = self.hint() + " " if self.chosen.random() < 0.5 else ""
        return self.loop(hint + head, name, budget, last=f"if (acc % 7 == {name}) break;")

    def make_while(self, budget: int) -> int:
        if self.loops >= 2 or budget < 4:
            return self.make_scalar(budget)
        name = self.name()
        self.line(f"int {name} = ({self.integer(1)} & 7) + 1;")
        self.declare(name, "int", False)
        self.fixed.add(name)
        self.line(f"while ({name} > 0) {{", log=False)
        inside = max(2, min(budget - 4, 4))
        self.within(inside, loop=True, last=f"{name} -= 2;")
        self.line("}", log=False)
        return inside + 4

    def uncounted(self, names: Sequence[str], head: str, budget: int, *last: str) -> int:
        """A loop that nothing counts: the ``last`` lines of its body change the variables
        ``names``, which are declared in front of it."""
        for each in names:
            self.declare(each, "int", False)
            self.fixed.add(each)
        self.line(head + " {", log=False)
        inside = max(1, min(budget - 4, 4))
        known = len(self.visible)
        self.depth, self.loops = self.depth + 1, self.loops + 1
        self.block(inside)
        for each in last:
            self.line(each)
        self.depth, self.loops = self.depth - 1, self.loops - 1
        del self.visible[known:]
        self.line("}", log=False)
        return inside + 4

    def make_bisecting(self, budget: int) -> int:
        if self.loops >= 2 or budget < 4:
            return self.make_scalar(budget)
        low, high = self.name(), self.name()
        self.line(f"int {low} = {self.integer(1)} & 7;")
        self.line(f"int {high} = ({self.integer(1)} & 31) + 2;")
        is_higher = self.chosen.choice(
            [f"in[({low} + {high}) / 2] < {self.atom()}", f"({self.integer(1)} + {low} & 3) == 1"]
        )
        middle = f"({low} + {high}) / 2"
        last = f"if ({is_higher}) {low} = {middle} + 1; else {high} = {middle};"
        return self.uncounted((low, high), f"while ({low} < {high})", budget, last)

    def make_dividing(self, budget: int) -> int:
        if self.loops >= 2 or budget < 4:
            return self.make_scalar(budget)
        greater, less = self.name(), self.name()
        self.line(f"int {greater} = ({self.integer(1)} & 0xff) + 30;")
        self.line(f"int {less} = ({self.integer(1)} & 0x1f) + 1;")
        return self.uncounted(
            (greater, less),
            f"while ({less} != 0)",
            budget,
            f"{{ int rest = {greater} % {less}; {greater} = {less}; {less} = rest; }}",
        )

    def make_growing(self, budget: int) -> int:
        if self.loops >= 2 or budget < 4:
            return self.make_scalar(budget)
        name = self.name()
        self.line(f"int {name} = ({self.integer(1)} & 15) + 1;")
        last = [f"{name} = {name} + ({name} >> 1) + ({self.integer(1)} & 3) + 1;"]
        if self.chosen.random() < 0.4:
            last.append(f"if ((acc + {name} & 7) == 3) break;")
        return self.uncounted((name,), f"while ({name} < 200)", budget, *last)

    def make_walking(self, budget: int) -> int:
        if self.loops >= 2 or budget < 4:
            return self.make_scalar(budget)
        name = self.name()
        self.line(f"int {name} = {self.integer(1)} & 0xff;")
        last = f"{name} = (in[{name}] & 0xff) % {name};"
        return self.uncounted((name,), f"while ({name} > 1)", budget, last)

    def make_draining(self, budget: int) -> int:
        if self.loops >= 2 or budget < 4:
            return self.make_scalar(budget)
        name, bit = self.name(), self.name()
        self.line(f"int {name} = {self.integer(1)} & 0x1ff, {bit} = 0;")
        return self.uncounted(
            (name, bit),
            f"while ({name} != 0)",
            budget,
            *(f"{bit} = {name} & -{name};", f"{name} ^= {bit};"),
        )

    def make_branch(self, budget: int) -> int:
        if self.depth > 3 or budget < 3:
            return self.make_scalar(budget)
        self.line(f"if {self.condition()} {{")
        first = max(1, min(budget - 2, 3))
        self.within(first)
        if self.chosen.random() < 0.5:
            self.line("} else {", log=False)
            self.within(2)
            first += 2
        self.line("}", log=False)
        return first + 2

    def within(self, budget: int, loop: bool = False, last: str = "") -> None:
        self.depth += 1
        self.loops += loop
        self.block(budget)
        if last:
            self.line(last)
        self.loops -= loop
        self.depth -= 1

    def make_vector(self, budget: int) -> int:
        vectors = [each for each in self.visible if each.type == "int4"]
        if vectors and self.chosen.random() < 0.5:
            target = self.chosen.choice(vectors).name
            if self.chosen.random() < 0.5:
                self.line(f"{target}.{self.chosen.choice('xyzw')} = {self.integer()} & 0xffff;")
            else:
                self.line(f"{target} = ({target}.yzwx + {self.atom()}) & 0xffff;")
            return 1
        name = self.name()
        parts = ", ".join(f"{self.integer(1)} & 0xfff" for _ in range(4))
        self.line(f"int4 {name} = (int4)({parts});")
        self.declare(name, "int4", False, tuple((f"{name}.{c}", "int") for c in "xyzw"))
        return 1

    def make_structure(self, budget: int) -> int:
        structures = [each for each in self.visible if each.type == "S"]
        if structures and self.chosen.random() < 0.5:
            target = self.chosen.choice(structures).name
            member, mask = self.chosen.choice([("a", "0xffff"), ("b", "0x3fff")])
            self.line(f"{target}.{member} = {self.integer()} & {mask};")
            return 1
        name = self.name()
        self.line(
            f"S {name} = {{{self.integer(1)} & 0xfff, {self.integer(1)} & 0xff, {self.real()}}};"
        )
        leaves = (f"{name}.a", "int"), (f"{name}.b", "ushort"), (f"{name}.c", "float")
        self.declare(name, "S", False, leaves)
        return 1

    def make_array(self, budget: int) -> int:
        arrays = [each for each in self.visible if each.type == "int[4]"]
        if arrays and self.chosen.random() < 0.6:
            target = self.chosen.choice(arrays).name
            self.line(f"{target}[{self.integer(1)} & 3] = {self.integer()} & 0xffff;")
            return 1
        name = self.name()
        parts = ", ".join(f"{self.integer(1)} & 0xfff" for _ in range(4))
        self.line(f"int {name}[4] = {{{parts}}};")
        self.declare(name, "int[4]", False, tuple((f"{name}[{i}]", "int") for i in range(4)))
        return 1

    def make_shared(self, budget: int) -> int:
        if self.depth > 1:
            return self.make_scalar(budget)
        name = self.name()
        self.line(f"sh[lid] = {self.integer()} & 0xffff;")
        self.line("barrier(CLK_LOCAL_MEM_FENCE);", log=False)
        self.line(f"const int {name} = sh[lid ^ {self.chosen.choice([1, 2, 5])}];")
        self.declare(name, "int", True)
        self.line("barrier(CLK_LOCAL_MEM_FENCE);", log=False)
        return 4

    def start(self) -> None:
        """What the statements use."""
        self.declare("n", "int", True)
        self.declare("f", "float", True)
        self.line("const int gid = get_global_id(0);", log=False)
        self.declare("gid", "int", True)
        self.line("const int lid = get_local_id(0);", log=False)
        self.declare("lid", "int", True)
        if "shared" in self.kinds:
            self.line(f"local int sh[{GROUP}];", log=False)

    def make(self, budget: int) -> None:
        self.start()
        self.line("int acc = gid + 1;")
        self.declare("acc", "int", False)
        while budget > 0:
            budget -= self.statement(budget)
        parts = [
            f"(int)({name} & 0xff)" if kind != "float" else f"(int)({name} * 4.0f)"
            for name, kind in self.scalars()
        ]
        self.line(f"out[gid] = {' ^ '.join(parts)};")


def _bits(expression: str, kind: str) -> str:
    return f"as_uint({expression})" if kind == "float" else expression


def kernel(
    seed: int, kinds: Sequence[str] = DEVELOPED, budget: int = 16, makes: type[Maker] = Maker
) -> Kernel:
    """The kernel of ``seed``: ``budget`` statements or so, of ``kinds``, which ``makes`` knows."""
    maker = makes(kinds, seed, random.Random(f"{seed} {' '.join(kinds)}"))
    maker.make(budget)
    texts = []
    for is_twin, body in enumerate((maker.plain, maker.twin)):
        parameter = ", global ulong *record" if is_twin else ""
        head = f"{_LOG[1 - is_twin]}\n{maker.head()}{_SIGNATURE.format(parameter=parameter)}"
        assert head.count("\n") == maker.first_line - 1
        lines = list(body)
        if is_twin:
            start = f"global ulong *words = record + get_global_id(0) * {LOG_WORDS}; int at = 1;"
            lines[0] = f"  {start} {lines[0].strip()}"
            lines.append("  words[0] = at;")
        texts.append(head + "\n".join([*lines, "}"]) + "\n")
    return Kernel(texts[0], texts[1], maker.scopes)
