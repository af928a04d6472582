"""Who may store at an address of global memory: none that does is left out."""

import random
from itertools import product

import pytest

from tests.support.packed_modules import MODULES
from tests.support.sycl.ocloc import compiled
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.private_memory import Visit
from zedbg.spirv.analysis.provenance import NOT_SHARED
from zedbg.spirv.group.global_stores import GlobalStores
from zedbg.spirv.group.inlined_kernel import InlinedKernel
from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.operations import BuiltIn, Op
from zedbg.spirv.module.types import Kind
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.numbers.linear import Linear, Of, TooManyError, Unknown
from zedbg.spirv.work_item.evaluation import Evaluation
from zedbg.zebin import Module

BUILDS = ("igc1-dg2-O2", "igc2-bmg-O2")
#: Work-groups, and work-items of each: only in one dimension does each work-item store for itself.
LAUNCHES = {"row": ((3, 1, 1), (8, 1, 1)), "field": ((2, 2, 1), (4, 2, 1))}
MOST_VISITS = 40  # of a store, by one work-item


class Item:
    """One work-item of a launch."""

    def __init__(self, groups, size, group, local, number):
        self.groups, self.size, self.group, self.local = groups, size, group, local
        self._number = number

    def argument(self, index, size):
        number = (index + 1) << 20 if size == 8 else 2 + (self._number + index) % 5
        return number.to_bytes(size, "little")

    def built_in(self, which):
        return {
            BuiltIn.WORKGROUP_ID: self.group,
            BuiltIn.LOCAL_INVOCATION_ID: self.local,
            BuiltIn.WORKGROUP_SIZE: self.size,
            BuiltIn.ENQUEUED_WORKGROUP_SIZE: self.size,
            BuiltIn.GLOBAL_SIZE: tuple(a * b for a, b in zip(self.groups, self.size, strict=True)),
            BuiltIn.GLOBAL_INVOCATION_ID: tuple(
                a * b + c for a, b, c in zip(self.group, self.size, self.local, strict=True)
            ),
        }[which]

    def load(self, address, size):
        return bytes(random.Random(address + each).getrandbits(3) for each in range(size))

    def may_share_memory(self, address, other):
        return False


def kernels(path):
    module = Module.from_bytes(path.read_bytes(), path.name)
    code = SpirvCode(module.section_bytes(module.section(".spv")), path.name)
    model = Model(code)
    for function in code.functions.values():
        if function.result in code.kernels.values():
            yield model, function


def stored(model, kernel, item):
    """The addresses and sizes of what ``item`` stores, as far as that is known."""
    evaluation = Evaluation(model, kernel, item)
    for label, block in kernel.blocks.items():
        for store in block.items:
            if getattr(store, "opcode", None) != Op.STORE:
                continue
            if model.code.type_of[store.operands[0]].storage in NOT_SHARED:
                continue
            try:
                visits = evaluation.visits_of(evaluation.outermost, label, MOST_VISITS)
                for visit in visits:
                    address = evaluation.value(
                        evaluation.outermost, store.operands[0], label, visit.iterations
                    )
                    if isinstance(address, int):
                        yield address, model.code.type_of[store.operands[1]].size
            except UnknownValue:
                continue


def work_items(groups, size, number):
    for group in product(*map(range, groups)):
        for local in product(*map(range, size)):
            yield Item(groups, size, group, local, number)


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("shape", LAUNCHES)
def test_no_store_is_left_out(build, shape):
    groups, size = LAUNCHES[shape]
    looked_at = told = 0
    for number, path in enumerate(sorted((MODULES / "everyday" / build).glob("*.zebin"))):
        for model, kernel in kernels(path):
            items = list(work_items(groups, size, number))
            roots = frozenset(range(len(kernel.parameters)))
            try:
                stores = GlobalStores(model, kernel, items[0], groups)
            except UnknownValue:
                continue
            inlined = InlinedKernel(model, kernel, model.provenance.may_write).function
            for index, item in enumerate(items):
                for address, count in stored(model, inlined, item):
                    looked_at += 1
                    assert stores.at(address, count, roots, item).is_own, (path.name, hex(address))
                    other = items[index - 1]
                    found = stores.at(address, count, roots, other)
                    assert found.are_others, (path.name, hex(address))
                    told += not stores.at(address, count, roots, item).are_others
    assert looked_at > 200
    assert shape != "row" or told > looked_at / 2  # it is not just said of all


def test_functions_with_calls_inlined_are_not_taken_for_each_other():
    """What a model notes of functions, it notes by their results."""
    for model, kernel in kernels(MODULES / "everyday" / "igc1-dg2-O2" / "decoder.zebin"):
        whole = InlinedKernel(model, kernel, lambda _: True).function
        flat = InlinedKernel(model, kernel, lambda _: False).function
        assert len(whole.blocks) > len(flat.blocks)
        assert set(model.flow(whole).order) <= set(whole.blocks)
        assert set(model.flow(flat).order) <= set(flat.blocks)


QUOTIENTS = (
    *("i / -2", "(i - 9) / 2", "(i - 9) / -3", "i % -3", "(i - 9) % -4", "(i - 9) >> 1"),
    *("(uint)(i * 3) / 2u", "i & -4", "clamp(i - 12, -5, 5)"),
    *("i & 3", "7 - i % 5", "i / 3 * 5 + i % 3", "table[i / 5]", "wide[i / 2].b - wide[0].a"),
)
#: Where each work-item stores for itself alone.
OWN = (
    *("i / 3 * 3 + i % 3", "(i & 7) + 8 * (i >> 3)", "2 * i + (i & 1)", "3 * i - i % 3"),
    *("8 * i + table[i % 5]", "8 * i + table[7 - (i & 3)]", "i * 16 + wide[i].b"),
)
KERNEL = """typedef struct { uchar a, b; } Wide;
kernel void k(global int *out, global const uchar *table, global const Wide *wide) {
  int i = get_global_id(0);
  out[%s + 64] = 1;
}"""


def stores_of(folder, source, groups, size):
    """Those of the kernel of ``source``; its work-items, and what each of them stores to."""
    code = SpirvCode(compiled(folder, source, "-spv_only"), "kernel")
    model = Model(code)
    (kernel,) = [each for each in code.functions.values() if each.result in code.kernels.values()]
    items = list(work_items(groups, size, 0))
    stores = GlobalStores(model, kernel, items[0], groups)
    inlined = InlinedKernel(model, kernel, model.provenance.may_write).function
    return stores, items, [dict(stored(model, inlined, item)) for item in items]


def of_index(folder, index):
    """The stores of a kernel to elements with the number ``index``."""
    found = stores_of(folder, KERNEL % index, (3, 1, 1), (8, 1, 1))
    assert all(len(each) == 1 for each in found[2])
    return found


@pytest.mark.parametrize("quotient", (*QUOTIENTS, *OWN))
def test_no_quotient_is_left_out(tmp_path, quotient):
    """Also by negative numbers, which SPIR-V writes as it does great ones."""
    stores, items, stored_by = of_index(tmp_path, quotient)
    for item, own in zip(items, stored_by, strict=True):
        for address in {address for each in stored_by for address in each}:
            found = stores.at(address, 4, frozenset({0}), item)
            others = any(address in each for each in stored_by if each is not own)
            assert found.is_own >= (address in own), hex(address)
            assert found.are_others >= others, hex(address)


@pytest.mark.parametrize("index", OWN)
def test_a_work_item_stores_alone(tmp_path, index):
    """Parts of an id, and numbers that are loaded, do not let others seem to store there, too."""
    stores, items, stored_by = of_index(tmp_path, index)
    for item, own in zip(items, stored_by, strict=True):
        for address in own:
            assert stores.at(address, 4, frozenset({0}), item) == (True, False), hex(address)


#: Conditions that keep stores of a grid apart, which has 3 points in a row, or that do not.
GUARDS = {
    "if (x < width) out[y * width + x] = 1;": True,
    "if (x >= width) return; out[y * width + x] = 1;": True,
    "if (width > x) out[y * width + x] = 1;": True,
    "if (!(width <= x)) out[y * width + x] = 1;": True,
    "if ((uint)x < (uint)width && y != 2) out[y * width + x] = 1;": True,
    "if (x == 3) out[y] = 1;": True,
    "if (x != 3) return; out[y] = 1;": True,
    "if (x <= width) out[y * (width + 1) + x] = 1;": True,
    "if (x <= width) out[y * width + x] = 1;": False,
    "if (x < width) y += 1; out[y * width + x] = 1;": False,
    "for (int k = x & 1; k < width; k += 2) out[(y * 8 + x) * width + k] = 1;": True,
    "for (int k = (y + 1) & 1; k < width; k += 2) if (!x) out[y * width + k] = 1;": True,
    "for (int k = 0; k < width; k++) if (k > 0) out[(y * 8 + x) * (width - 1) + k] = 1;": True,
    "for (int k = 0; k < width; k++) { if (k > x) break; if (x == 1) out[y * 3 + k] = 1; }": True,
    "for (int k = 0, n = 0; k < width && n < 9; k++, n++) out[(y * 8 + x) * width + k] = 1;": True,
    "if (y < 3 && x < width && y != 1) out[y * width + x] = 1;": True,
    "if (x >= width || y == 2) return; out[y * width + x] = 1;": True,
    "if (x < width || y == 2) out[y * width + x] = 1;": False,
    "int k = 0; while (k < width) k += 2; if (k > width) out[y * 8 + x + k] = 1;": True,
    "for (int k = x; k < 7 * width; k += get_global_size(0)) if (y == 1) out[k] = 1;": True,
    "for (int k = x; k < 7 * width; k += 8) if (y == 1) out[k] = 1;": True,
    "for (int k = x; k < 7 * width; k += 9) if (y == 1) out[k] = 1;": False,
}


@pytest.mark.parametrize("body", GUARDS)
def test_conditions_keep_stores_apart(tmp_path, body):
    source = f"""kernel void k(global int *out, int width) {{
  int x = get_global_id(0), y = get_global_id(1);
  {body}
}}"""
    stores, items, stored_by = stores_of(tmp_path, source, (2, 2, 1), (4, 2, 1))
    addresses = {address for each in stored_by for address in each}
    assert addresses
    for item, own in zip(items, stored_by, strict=True):
        for address in {each + more for each in addresses for more in (-4, 0, 4)}:
            found = stores.at(address, 4, frozenset({0}), item)
            others = any(address in each for each in stored_by if each is not own)
            assert found.is_own >= (address in own), hex(address)
            assert found.are_others >= others, hex(address)
            if GUARDS[body] and address in own:
                assert not found.are_others, hex(address)


@pytest.mark.parametrize("seed", range(40))
def test_all_solutions_are_found(seed):
    chosen = random.Random(seed)
    unknowns = [Unknown(Of.LOCAL, each, chosen.randrange(5)) for each in range(3)]
    factors = {each: chosen.choice((-9, -4, -1, 1, 2, 8, 30)) for each in unknowns}
    low = chosen.randrange(-5, 5)
    number = Linear(low, low + chosen.randrange(4), factors)
    least = chosen.randrange(-40, 40)
    greatest = least + chosen.randrange(12)
    expected = [
        values
        for values in product(*(range(each.last + 1) for each in unknowns))
        if number.low + (sum_ := sum(map(int.__mul__, factors.values(), values))) <= greatest
        and number.high + sum_ >= least
    ]
    found = [tuple(each[one] for one in unknowns) for each in number.solutions(least, greatest)]
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize("seed", range(40))
def test_all_solutions_of_parts_are_found(seed):
    """Parts of sums of two unknowns, in a sum with these or without."""
    chosen = random.Random(seed)
    unknowns = [Unknown(Of.LOCAL, each, chosen.randrange(1, 6)) for each in range(2)]
    low, factors = chosen.randrange(-9, 9), {each: chosen.choice((-3, 1, 4)) for each in unknowns}
    by, other, times = chosen.randrange(1, 5), chosen.randrange(1, 5), chosen.randrange(2)
    factor = chosen.choice((by, -2, 3))
    inner = Linear(low, low, factors)
    number = inner.times(times).plus(inner.quotient(by).times(factor)).plus(inner.remainder(by))
    number = number.plus(inner.quotient(other).remainder(3).times(2))
    least = chosen.randrange(-20, 20)
    greatest = least + chosen.randrange(9)
    expected = []
    for values in product(*(range(each.last + 1) for each in unknowns)):
        whole = low + sum(map(int.__mul__, factors.values(), values))
        sum_ = times * whole + factor * (whole // by) + whole % by + 2 * (whole // other % 3)
        if least <= sum_ <= greatest:
            expected.append(values)
    found = {tuple(each.get(one) for one in unknowns) for each in number.solutions(least, greatest)}
    if all(None not in each for each in found):
        assert sorted(found) == sorted(expected)
    assert all(any(_is_like(a, b) for b in found) for a in expected)


def _is_like(values, found):
    """Whether ``found`` has ``values``, or leaves them open."""
    return all(b in (None, a) for a, b in zip(values, found, strict=True))


def test_it_gives_up_where_there_are_too_many():
    number = Linear(0, 0, {Unknown(Of.LOCAL, each, 1023): 1 for each in range(2)})
    with pytest.raises(TooManyError):
        list(number.solutions(0, 5000))


#: Kernels whose work-items all load what one of the group stores: whether a barrier parts the two.
PARTED = {
    "a = out[g]; barrier(1); if (l == 0) out[g] = a + 1;": True,
    "a = out[g]; for (int k = 0; k < width; k++) barrier(1); if (l == 0) out[g] = a;": False,
    "a = out[g]; do { barrier(1); if (l == width) out[g] = a; } while (++a < width);": True,
    "a = out[g]; if (l == 0) out[g] = a + 1; barrier(1);": False,
    "barrier(1); a = out[g]; if (l == 0) out[g] = a + 1;": False,
    "for (; a < width; a++) { a += out[g]; barrier(1); if (l == 2) out[g] = a; }": False,
    "a = out[g]; barrier(1); if (l == 0) out[g + 1] = a;": False,  # another group loads it
}


@pytest.mark.parametrize("body", PARTED)
def test_a_barrier_parts_a_load_of_all_from_a_store_of_one(tmp_path, body):
    source = f"""kernel void k(global int *out, int width) {{
  int a = 0, g = get_group_id(0), l = get_local_id(0);
  {body}
}}"""
    code = SpirvCode(compiled(tmp_path, source, "-spv_only"), "kernel")
    model = Model(code)
    (kernel,) = [each for each in code.functions.values() if each.result in code.kernels.values()]
    items = list(work_items((3, 1, 1), (8, 1, 1), 0))
    stores = GlobalStores(model, kernel, items[0], (3, 1, 1))
    outermost = Evaluation(model, kernel, items[0]).outermost
    calls = [outermost]
    for call in calls:
        for label, block in call.function.blocks.items():
            for item in block.items:
                if getattr(item, "opcode", None) == Op.FUNCTION_CALL:
                    evaluation = Evaluation(model, kernel, items[0])
                    calls.append(evaluation.activation(call, item, label, (0,)))
    (load,) = [
        (call, item, Visit(label, ()))
        for call in calls
        for label, block in call.function.blocks.items()
        for item in block.items
        if getattr(item, "opcode", None) == Op.LOAD
        and code.type_of[item.operands[0]].storage not in NOT_SHARED
        and code.type_of[item.result].kind is Kind.INTEGER
    ]
    for item in (each for each in items if each.local[0] == 1):  # which stores nothing
        address, roots = (1 << 20) + 4 * item.group[0], frozenset({0})
        is_last = "out[g + 1]" in body and item.group[0] == 0  # no group stores there
        found = stores.at(address, 4, roots, item, load)
        assert found.are_others == (not PARTED[body] and not is_last)
        assert found.is_own == (not is_last)
