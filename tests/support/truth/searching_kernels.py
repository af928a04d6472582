"""Kinds of statements of random kernels that search: loops whose condition looks ahead, and loops
that are left in several places, with loops in them that compilers copy."""

from __future__ import annotations

from tests.support.truth.passed_kernels import PassedMaker

SEARCHING = ("ahead", "parsing", "scanning")

_HELPERS = """\
{inlined}int run(global const int *in, int at, int most) {{
  for (int k = 0; k < most; k++) {{
    if (in[(at + k) & 255] % 3 == 0)
      return k + 1;
  }}
  return 0;
}}
{inlined}bool take(global const int *in, int *at, int *value) {{
  int found = 0, shift = 0;
  while (*at < 60 && shift < 12) {{
    const int part = in[*at & 255];
    *at += 1;
    found |= (part & 15) << shift;
    if (part & 16) {{
      *value = found;
      return true;
    }}
    shift += 4;
  }}
  return false;
}}
"""


class SearchingMaker(PassedMaker):
    """Makes a kernel of these kinds, among the others."""

    def head(self) -> str:
        if not set(SEARCHING) & set(self.kinds):
            return super().head()
        return super().head() + _HELPERS.format(inlined=self.inlined())

    def is_full(self, budget: int) -> bool:
        """Whether there is no room for one more loop."""
        return self.loops >= 2 or budget < 4

    def maybe_hint(self) -> str:
        """An attribute that asks compilers to copy the body of a loop, or nothing."""
        return f"{self.hint()} " if self.chosen.random() < 0.25 else ""

    def make_ahead(self, budget: int) -> int:
        """A loop that goes on while a number after that of its counter is less than a bound."""
        if self.is_full(budget):
            return self.make_scalar(budget)
        name, ahead = self.name(), self.chosen.choice("1123")
        bound = self.chosen.choice(["5", "n", "n + 2", f"(({self.atom()} & 3) + 3)"])
        condition = self.chosen.choice([f"{name} + {ahead} < {bound}", f"{name} < {bound} - 1"])
        first = self.chosen.choice(["0", "0", "1", "(lid & 1)"])
        step = self.chosen.choice([f"{name}++", f"{name} += 2"])
        draw = self.chosen.random()
        last = f"if ((acc + {name} & 7) == 3) break;" if draw < 0.3 else ""
        if draw < 0.7:
            head = f"{self.maybe_hint()}for (int {name} = {first}; {condition}; {step})"
            return self.loop(head, name, budget, last)
        self.line(f"int {name} = {first};")
        head = f"{self.maybe_hint()}while ({condition})"
        return self.uncounted((name,), head, budget, f"{step};")

    def make_parsing(self, budget: int) -> int:
        """A loop over numbers that a helper finds in memory, which data ends in several places."""
        if self.is_full(budget):
            return self.make_scalar(budget)
        at, value, state = self.name(), self.name(), self.name()
        self.line(f"int {at} = {self.small('15')}, {value} = 0, {state} = 0;")
        mask = self.chosen.choice("37")
        found = self.chosen.choice([f"{value} & {mask}", f"({value} >> 2) & {mask}"])
        last = [
            f"if (!take(in, &{at}, &{value})) {{ {state} = 1; break; }}",
            f"if (({found}) == 1) {{ {state} = 2; {self.chosen.choice(['break', 'continue'])}; }}",
            f"acc = (acc + {value}) & 0xfffff;",
        ]
        if self.chosen.random() < 0.5:
            last = [*last[:1], *last[2:], last[1]]
        condition = self.chosen.choice([f"{state} == 0 && {at} < 40", f"{state} == 0"])
        head = f"{self.maybe_hint()}while ({condition})"
        return self.uncounted((at, value, state), head, budget, *last)

    def make_scanning(self, budget: int) -> int:
        """A loop over runs, each of which a loop within goes through, which may end both."""
        if self.is_full(budget) or self.loops:
            return self.make_scalar(budget)
        at, length, state = self.name(), self.name(), self.name()
        self.line(f"int {at} = {self.small('15')}, {length} = 0, {state} = 0;")
        self.line(f"{self.maybe_hint()}while ({state} == 0 && {at} < 50) {{", log=False)
        for each in (at, length, state):
            self.declare(each, "int", False)
            self.fixed.add(each)
        known = len(self.visible)
        self.depth, self.loops = self.depth + 1, self.loops + 1
        self.line(f"{length} = run(in, {at}, {self.chosen.choice('456')});")
        self.line(f"if ({length} == 0) {{ {state} = 1; break; }}")
        cost = 1 if self.chosen.random() < 0.5 else self.statement(1)
        counter = self.name()
        last = f"if (in[({at} + {counter}) & 255] % 11 == 5) {{ {state} = 2; break; }}"
        head = f"for (int {counter} = 0; {counter} < {length}; {counter}++)"
        cost += self.loop(head, counter, budget - 3, last if self.chosen.random() < 0.7 else "")
        self.line(f"{at} += {length};")
        self.depth, self.loops = self.depth - 1, self.loops - 1
        del self.visible[known:]
        self.line("}", log=False)
        return cost + 5
