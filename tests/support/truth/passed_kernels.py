"""Kinds of statements of random kernels that hand memory on: structures and pointers that helpers
are given, pointers in structures, results of atomics, and memory that other work-items write.

What a work-item computes does not depend on the order of the others: it has slots of its own, and
touches those of another one between two barriers, where no third one does.
"""

from __future__ import annotations

from tests.support.truth.variable_kernels import GROUP, Maker

PASSED = ("handed", "returned", "pointing", "aliasing", "atomic", "exchanged", "exchanging")

_HELPERS = """\
typedef struct {{ S s; int x[3]; }} R;
typedef struct {{ {space}int *at; int step; int total; }} P;
typedef struct {{ local int *at; int step; int total; }} Q;
{inlined}void change({space}S *s, int by) {{
  if (by & 1) s->a = (s->a + by) & 0xffff;
  s->b = (s->b + by) & 0x3fff;
  s->c = s->c * 0.5f + (float)(by & 7);
}}
{inlined}int weight(const {space}S *s) {{ return (s->a * 3 + s->b) & 0xffff; }}
{inlined}void mix({space}R *r, int by) {{
  r->x[by & 1] = (r->x[2] + r->s.a) & 0xffff;
  for (int i = 0; i < 3; i++) r->x[i] = (r->x[i] + i * by) & 0xffff;
  r->s.a = (r->s.a + r->x[0]) & 0xffff;
}}
{inlined}int shift({space}int *x, int by) {{
  int last = x[3];
  for (int i = 3; i > 0; i--) x[i] = (x[i - 1] + by) & 0xffff;
  x[0] = last;
  return last & 0xfff;
}}
{inlined}void swap({space}S *s, {space}S *t) {{ int a = s->a; s->a = t->a; t->a = a; }}
{inlined}S made(int a, int b) {{ S s = {{a, b, (float)(a & 15) * 0.5f}}; return s; }}
{inlined}S moved(S s, int by) {{ s.a = (s.a + by) & 0xffff; s.b ^= by & 0xff; return s; }}
{inlined}int apart(S s, S t) {{ return (s.a > t.a ? s.a - t.a : t.a - s.a) & 0xffff; }}
{inlined}void push({space}P *p, int value) {{
  p->at[p->step] = value;
  p->total = (p->total + value) & 0xffff;
  p->step = (p->step + 1) & 3;
}}
{inlined}int follow(const {space}P *p, int by) {{ return p->at[(p->step + by) & 3]; }}
"""
_ATOMICS = (
    *("atomic_add({at}, {a})", "atomic_sub({at}, {a})", "atomic_xchg({at}, {a})"),
    *("atomic_or({at}, {a})", "atomic_and({at}, {a})", "atomic_xor({at}, {a})"),
    *("atomic_min({at}, {a})", "atomic_max({at}, {a})", "atomic_inc({at})", "atomic_dec({at})"),
    *("atomic_cmpxchg({at}, {a}, {b})", "atomic_cmpxchg({at}, ({at})[0], {b})"),
)
_ARRAY = "int[4]"  # the type of what ``array`` declares
_LOWER, _UPPER = "lower + 4 * lid", "upper + 4 * lid"
_LOCAL = (_LOWER, _UPPER)  # a work-item's own local memory


class PassedMaker(Maker):
    """Makes a kernel of these kinds, among the others."""

    def head(self) -> str:
        if not set(PASSED) & set(self.kinds):
            return super().head()
        helpers = _HELPERS.format(space=self.space(), inlined=self.inlined())
        return super().head() + helpers

    def space(self) -> str:
        """The address space of pointers to private memory; without one it is the generic one."""
        return "private " if self.seed % 4 else ""

    def inlined(self) -> str:
        return "" if self.seed % 3 else "__attribute__((noinline)) "

    def start(self) -> None:
        super().start()
        if not set(PASSED) & set(self.kinds):
            return
        slots = 4 * GROUP
        self.line(f"local int lower[{slots}], upper[{slots}];", log=False)
        self.line(f"local int own[{GROUP}], others[{GROUP}], total;", log=False)
        fill = "lower[4 * lid + i] = gid + i; upper[4 * lid + i] = gid * 3 ^ i;"
        self.line(f"for (int i = 0; i < 4; i++) {{ {fill} }}", log=False)
        self.line("own[lid] = gid & 7; others[lid] = gid + 40; out[gid] = gid * 5;", log=False)
        self.make_array(1)
        self.make_structure(1)
        if self.chosen.random() < 0.5:
            self.new_record()

    # --- what there is -----------------------------------------------------------------------

    def named(self, kind: str, before: str = "") -> list[str]:
        """The variables of a type, or those that were declared before another one."""
        found = []
        for each in self.visible:
            if each.name == before:
                break
            if each.type == kind:
                found.append(each.name)
        return found

    def small(self, mask: str = "0xff") -> str:
        return f"{self.integer(1)} & {mask}"

    def result(self, value: str) -> int:
        """Declares a constant of that value."""
        name = self.name()
        self.line(f"const int {name} = {value};")
        self.declare(name, "int", True)
        return 1

    def one_of(self, first: str, second: str) -> str:
        return f"{self.condition()} ? {first} : {second}"

    def draw(self, names: list[str]) -> str:
        return self.chosen.choice(names)

    def new_structure(self, value: str) -> int:
        name = self.name()
        self.line(f"S {name} = {value};")
        leaves = (f"{name}.a", "int"), (f"{name}.b", "ushort"), (f"{name}.c", "float")
        self.declare(name, "S", False, leaves)
        return 1

    def new_record(self) -> int:
        name = self.name()
        first = f"{{{self.small()}, {self.small()}, {self.real()}}}"
        parts = ", ".join(self.small() for _ in range(3))
        self.line(f"R {name} = {{{first}, {{{parts}}}}};")
        leaves = [(f"{name}.s.a", "int"), (f"{name}.s.b", "ushort"), (f"{name}.s.c", "float")]
        leaves += [(f"{name}.x[{i}]", "int") for i in range(3)]
        self.declare(name, "R", False, tuple(leaves))
        return 1

    # --- structures that helpers are given -----------------------------------------------------

    def make_handed(self, budget: int) -> int:
        structures, records, arrays = (self.named(each) for each in ("S", "R", _ARRAY))
        draw = self.chosen.randrange(8)
        if draw == 0 and arrays:
            return self.result(f"shift({self.draw(arrays)}, {self.small()})")
        if draw < 4 and records:
            record = self.draw(records)
            if self.chosen.random() < 0.6:
                self.line(f"mix(&{record}, {self.small()});")
            elif self.chosen.random() < 0.5:
                self.line(f"change(&{record}.s, {self.small()});")
            else:
                self.line(f"{record}.x[{self.integer(1)} & 1] = {self.small('0xffff')};")
            return 1
        if draw < 4 or not structures:
            return self.new_record()
        structure, other = self.draw(structures), self.draw(structures)
        if draw == 4:
            return self.result(f"weight(&{structure})")
        if draw == 5:
            self.line(f"swap(&{structure}, &{other});")
        else:
            self.line(f"change(&{structure}, {self.small()});")
        return 1

    def make_returned(self, budget: int) -> int:
        structures, draw = self.named("S"), self.chosen.randrange(8)
        if draw < 2 or not structures:
            return self.new_structure(f"made({self.small('0xfff')}, {self.small()})")
        structure, other = self.draw(structures), self.draw(structures)
        if draw == 2:
            return self.result(f"apart({structure}, {other})")
        if draw == 3:
            return self.new_structure(self.one_of(structure, other))
        if draw == 4:
            return self.new_structure(f"moved({structure}, {self.small()})")
        self.line(f"{structure} = moved({other}, {self.small()});")
        return 1

    # --- pointers ------------------------------------------------------------------------------

    def memory(self, kind: str, before: str = "") -> list[str]:
        """What a structure's pointer may point to: four integers each. PoCL has no generic
        pointers, so those that one compiler takes for generic point to private memory only."""
        return list(_LOCAL) if kind == "Q" else self.named(_ARRAY, before)

    def target(self, memory: list[str]) -> str:
        """One of ``memory``, or one by a condition."""
        first, second = self.draw(memory), self.draw(memory)
        return self.one_of(first, second) if self.chosen.random() < 0.7 else first

    def make_pointing(self, budget: int) -> int:
        known = self.named("P") + self.named("Q")
        if not known or self.chosen.random() < 0.25:
            kind = self.chosen.choice("PQ")
            memory = self.memory(kind)
            if not memory:
                return self.make_array(budget)
            name = self.name()
            parts = f"{self.target(memory)}, {self.small('3')}, {self.small('0xfff')}"
            self.line(f"{kind} {name} = {{{parts}}};")
            leaves = (f"{name}.step", "int"), (f"{name}.total", "int")
            self.declare(name, kind, False, leaves)
            return 1
        name = self.draw(known)
        kind = "Q" if name in self.named("Q") else "P"
        draw = self.chosen.randrange(7)
        if draw == 0:
            self.line(f"{name}.at = {self.target(self.memory(kind, name))};")
        elif draw == 1:
            self.line(f"{name}.at[{self.small('3')}] = {self.small('0xffff')};")
        elif draw == 2:
            self.line(f"{name}.total = ({name}.total + {name}.at[{name}.step]) & 0xffff;")
        elif draw == 3:
            self.line(f"{name}.step = ({name}.step + {self.integer(1)}) & 3;")
        elif draw == 4 and kind == "P":
            self.line(f"push(&{name}, {self.small('0xfff')});")
        elif draw == 5 and kind == "P":
            return self.result(f"follow(&{name}, {self.small('3')})")
        else:
            return self.result(f"{name}.at[{self.small('3')}]")
        return 1

    def make_aliasing(self, budget: int) -> int:
        """A pointer variable, of which the log has nothing, or something that is done with it."""
        draw = self.chosen.randrange(6)
        structures = self.named("private S *")
        if structures and draw < 4:
            name = self.draw(structures)
            if draw == 0:
                return self.result(f"({name}->a + {name}->b) & 0xffff")
            if draw == 1:
                self.line(f"{name}->b = {self.small('0x3fff')};")
            elif draw == 2:
                self.line(f"change({name}, {self.small()});")
            else:
                memory = self.named("S", before=name)
                self.line(f"{name} = {self.one_of(*(f'&{self.draw(memory)}' for _ in range(2)))};")
            return 1
        integers = self.named("private int *")
        if integers and draw < 5:
            name = self.draw(integers)
            if self.chosen.random() < 0.5:
                return self.result(f"{name}[{self.small('1')}]")
            self.line(f"{name}[{self.small('1')}] = {self.small('0xffff')};")
            return 1
        arrays, known = self.named(_ARRAY), self.named("S")
        name = self.name()
        if arrays and self.chosen.random() < 0.5:
            kind = "private int *"
            parts = [f"{self.draw(arrays)} + {place}" for place in self.chosen.sample("012", 2)]
        elif known:
            kind, parts = "private S *", [f"&{self.draw(known)}" for _ in range(2)]
        else:
            return self.make_structure(budget)
        self.line(f"{kind}{name} = {self.one_of(*parts)};")
        self.declare(name, kind, False, ())
        return 1

    # --- atomics, and memory of other work-items -----------------------------------------------

    def atomic(self, at: str) -> str:
        text = self.chosen.choice(_ATOMICS)
        return text.format(at=at, a=self.small(), b=self.small("0xfff"))

    def make_atomic(self, budget: int) -> int:
        """An atomic on a slot of the work-item's own."""
        slots = ["out + gid", "own + lid", f"{_LOWER} + ({self.small('3')})"]
        made = self.atomic(self.chosen.choice(slots))
        if self.chosen.random() < 0.2:
            self.line(f"{made};")
            return 1
        return self.result(f"{made} & 0xffff")

    def make_exchanged(self, budget: int) -> int:
        return self.make_scalar(budget) if self.depth > 1 else self.exchange()

    def exchange(self) -> int:
        """What other work-items of the group left; all of them must come here."""
        distance = self.chosen.choice([1, 2, 5])
        draw = self.chosen.randrange(5)
        if draw == 4:
            self.barrier()
            self.line("if (lid == 0) total = 0;", log=False)
            self.barrier()
            self.line(f"atomic_add(&total, {self.small()});")
            self.barrier()
            cost = self.result("total")
        else:
            slots, place = self.chosen.choice([("others", "lid"), ("out", "gid")])
            other = f"{place} ^ {distance}"
            if place == "lid" and self.chosen.random() < 0.5:
                other = f"(lid + {distance}) & {GROUP - 1}"
            if draw < 3:
                self.line(f"{slots}[{place}] = {self.small('0xffff')};")
            self.barrier(slots == "out")
            if draw < 2:
                cost = self.result(f"{slots}[{other}] & 0xffff")
            else:
                cost = self.result(f"{self.atomic(f'{slots} + ({other})')} & 0xffff")
        self.barrier(True)
        return cost + 4

    def barrier(self, is_global: bool = False) -> None:
        also = " | CLK_GLOBAL_MEM_FENCE" if is_global else ""
        self.line(f"barrier(CLK_LOCAL_MEM_FENCE{also});", log=False)

    def make_exchanging(self, budget: int) -> int:
        """A loop that all work-items are in as often, with exchanges."""
        if self.depth > 1 or budget < 5:
            return self.make_scalar(budget)
        name = self.name()
        bound = self.chosen.choice(["3", "4", "n", "(n & 1) + 2"])
        self.line(f"for (int {name} = 0; {name} < {bound}; {name}++) {{", log=False)
        known = len(self.visible)
        self.declare(name, "int", False)
        self.fixed.add(name)
        self.depth, self.loops = self.depth + 1, self.loops + 1
        for _ in range(self.chosen.randrange(3)):
            self.statement(2)
        self.exchange()
        self.statement(3)
        self.depth, self.loops = self.depth - 1, self.loops - 1
        del self.visible[known:]
        self.line("}", log=False)
        return 7
