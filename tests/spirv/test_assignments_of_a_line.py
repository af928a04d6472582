"""Which line an assignment is of that takes no code: SPIR-V does not say it."""

import pytest

from tests.support.sycl.ocloc import compiled
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.module.code import SpirvCode

KERNEL = """kernel void k(global const int *in, global int *out, global int *count, int n) {
  int i = get_global_id(0);
  int mine = 7;
  if (in[i] > n) {
    out[i] = mine = 2;
    atomic_inc(count);
  } else if (in[i] < 0) {
    mine = 3;
    out[i] = n;
  } else {
    out[i] = mine = n;
    atomic_dec(count);
  }
  int other = mine + in[i + 1];
  count[i + 1] = other;
  int amount = in[i + 2];
  if (in[i + 3] == 3)
    amount = -n;
  else if (in[i + 3] == 0)
    amount = 0;
  out[i + 2] = amount;
}"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """Gives what a variable has at a line: the numbers of constants, ``n``, another result, None
    where that is not said."""
    folder = tmp_path_factory.mktemp("lines")
    options = ("-spv_only", "-options", "-cl-std=CL2.0 -g")
    code = SpirvCode(compiled(folder, KERNEL, *options), "kernel")
    model = Model(code)
    function = max(code.functions.values(), key=lambda each: len(each.blocks))
    values = model.variables(function)

    def known(value):
        named = {function.parameters[3]: "n", None: None, **code.constants}
        return named.get(value, "a result")

    def shown(name, declared, line):
        (variable,) = values.declared(name, declared)
        return [
            known(given.value)
            for point in values.points(line, 0)
            for state in values.at(variable, point)
            for given in state
        ]

    return shown


def test_one_that_may_be_of_the_line_itself_is_not_taken(shown):
    assert shown("mine", 3, 5) == shown("mine", 3, 11) == [None]


def test_one_of_a_line_before_is(shown):
    assert shown("mine", 3, 4) == [7]
    assert shown("mine", 3, 6) == [2]
    assert shown("mine", 3, 9) == [3]
    assert shown("mine", 3, 12) == ["n"]


def test_what_the_line_stores_was_made_on_the_one_before(shown):
    assert shown("other", 14, 15) == ["a result"]


def test_one_of_a_line_that_is_a_jump_alone_is_not_taken(shown):
    assert shown("amount", 16, 20) == [None]
