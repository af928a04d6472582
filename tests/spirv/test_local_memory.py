"""What is loaded from local memory is what all work-items of the group have stored there; it is not
known where their order matters."""

from functools import cache, partial

import pytest

from tests.support.packed_modules import MODULES
from tests.support.spirv.one_work_group import OneWorkGroup
from zedbg.dwarf import DebugInfo
from zedbg.spirv.group.inlined_kernel import InlinedKernel
from zedbg.spirv.group.local_memory import LocalMemory
from zedbg.spirv.group.phases import may_change_local_memory
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.variables import instructions
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.work_item.evaluation import Evaluation
from zedbg.zebin import Module

SIZE, N = 16, 5
LOCAL = 1 << 28  # where local memory begins


class Group(OneWorkGroup):
    """SIZE work-items, which got N and local memory."""

    def __init__(self, is_changed=False, number=None):
        super().__init__(SIZE, number)
        self.is_changed = is_changed

    def argument(self, index, size):
        return (1 << 40, N, LOCAL, LOCAL + 512)[index].to_bytes(size, "little")

    def page(self, number):
        return None

    def item(self, number):
        return Group(number=number)

    def load(self, address, size):
        raise UnknownValue("no memory")

    def require_local_memory(self, address, size):
        if self.is_changed or (address is not None and not LOCAL <= address < LOCAL + 1024):
            raise UnknownValue("it has changed")


@cache
def model_of_cases():
    return DebugInfo.of(Module.open(MODULES / "local_memory" / "cases.zebin")).spirv


def stored(name, group):
    """What each work-item stores to global memory in the kernel ``name``, or why that is not
    known."""
    model = model_of_cases()
    code = model.code
    kernel = kernel_of(code, name)
    (store, label), *more = (
        (item, label)
        for label, item in instructions(model.flow(kernel))
        if item.opcode == Op.STORE and code.type_of[item.operands[0]].storage == 5
    )
    assert not more
    memory = LocalMemory(model, kernel, group)
    found = []
    for number in range(SIZE):
        evaluation = Evaluation(model, kernel, group.item(number), local=memory.of(number))
        try:
            value = evaluation.value(evaluation.outermost, store.operands[1], label, ())
        except UnknownValue as error:
            value = str(error)
        found.append(value)
    return found


def kernel_of(code, name):
    function = code.functions[code.kernels[name]]
    while not code.scope_of(function):
        (call,) = (
            item
            for block in function.blocks.values()
            for item in block.items
            if item.opcode == Op.FUNCTION_CALL
        )
        function = code.functions[call.operands[0]]
    return function


def in_rounds():
    work = list(range(SIZE))
    for number in range(N):
        work = [work[(lid + 1) % SIZE] + number for lid in range(SIZE)]
    return work


def summed():
    work = [10 * lid for lid in range(4)]
    for lid in range(SIZE):
        for i in range(lid % 3):
            work[lid % 4] += N + i
    return [work[lid % 4] for lid in range(SIZE)]


def parts():
    work = [part for lid in range(SIZE) for part in (lid, N, 2 * lid, 7)]
    work[5] = 99
    return work[:SIZE]


def by_functions():
    work = [lid + N for lid in range(SIZE)]
    sums = [sum(work)]
    return [sums[0] + sum(each * 2 for each in work) - lid for lid in range(SIZE)]


def where_another_says():
    wheres = [lid * 3 & 15 for lid in range(SIZE)]
    found = [wheres[lid + 1 & 15] for lid in range(SIZE)]
    for lid in range(SIZE):
        found[wheres[lid]] += lid + N
        found[wheres[lid ^ 1]] += lid
    return found


def changed_in_a_loop():
    own = [[lid + i for i in range(3)] for lid in range(SIZE)]
    for number in range(N):
        odd = [sum(each) & 1 for each in own]
        for lid in range(SIZE):
            own[lid] = [number - i if odd[lid] else own[lid][i] + lid for i in range(3)]
        if sum(odd) == 16:
            break
    return [sum(odd) + own[(lid + 1) % SIZE][1] for lid in range(SIZE)]


def left_in_the_middle():
    own = list(range(SIZE))
    for number in range(N):
        own = [(each * 3 + number) % 16 for each in own]
        last = sum(each + lid % 2 > 9 + number for lid, each in enumerate(own))
        if last == 4:
            break
    return [100 * last + each for each in own]


def rests_now_and_then():
    own = [lid * N for lid in range(SIZE)]
    for number in range(N):
        own = [own[(lid + 3) % SIZE] + number for lid in range(SIZE)]
        if number & 1:
            own = [each - own[2] for each in own]
    return [own[lid ^ 1] % (1 << 32) for lid in range(SIZE)]


def eliminated():
    row = [[(lid * 3 + c * N) % 16 for c in range(4)] for lid in range(SIZE)]
    for k in range(4):
        top = row[k ^ 1]
        last = 10 * k + top[k]
        if top[k] > 9:
            break
        for lid in range(k + 1, SIZE):
            for c in range(k + 1, 4):
                row[lid ^ 1][c] += top[c] * top[k] & 7
    assert k < 3
    return [100 * row[lid ^ 1][3] + last for lid in range(SIZE)]


def scattered():
    keys = sorted((lid * N % 16 for lid in range(SIZE)), key=lambda each: each & 1)
    keys.sort(key=lambda each: each >> 1 & 1)
    return [keys[lid ^ 1] for lid in range(SIZE)]


def shared_out():
    share = [(s * N & 7) + 1 for s in range(8)]
    share[share.index(max(share))] += 64 - sum(share)
    return [share[lid & 7] for lid in range(SIZE)]


KNOWN = {
    "changed_in_a_loop": changed_in_a_loop(),
    "eliminated": eliminated(),
    "exchanged": [3 * (lid ^ 5) + N for lid in range(SIZE)],
    "own": [N if lid & 1 else lid for lid in range(SIZE)],
    "overwritten": [((lid ^ 2) ^ 1) + N + 100 for lid in range(SIZE)],
    "the_same_by_several": [N] * SIZE,
    "rests_now_and_then": rests_now_and_then(),
    "scattered": scattered(),
    "shared_out": shared_out(),
    "summed": summed(),
    "copied_in_a_loop": [sum((lid + k) * N for k in range(24)) for lid in range(SIZE)],
    "in_rounds": in_rounds(),
    "sorted": sorted(lid * N % 16 for lid in range(SIZE)),
    "left_in_the_middle": left_in_the_middle(),
    "none_leaves": [lid & 3 for lid in range(SIZE)],
    "of_three": [(lid ^ 5) * N + 7 for lid in range(SIZE)],
    "parts": parts(),
    "by_a_function": [N] * SIZE,
    "by_functions": by_functions(),
    "where_another_says": where_another_says(),
    "loaded_by_a_function": [(lid ^ 3) * N + 1 for lid in range(SIZE)],
}
UNKNOWN = {
    "without_barrier": "without a barrier",
    "without_fence": "without a barrier",
    "shared_out_by_two": "without a barrier",
    "overwritten_early": "without a barrier",
    "by_several": "several work-items",
    "exchanged_atomically": "atomic operations",
    "some_leave": "not all work-items",
    "outside": "outside of a variable",
    "outside_of_an_argument": "outside of an argument",
    "outside_where_another_says": "outside of a variable",
}


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_what_work_items_load_is_what_all_of_them_stored(name):
    assert stored(name, Group()) == KNOWN[name]


@pytest.mark.parametrize("name", sorted(UNKNOWN))
def test_it_is_not_known_where_their_order_matters(name):
    assert all(UNKNOWN[name] in each for each in stored(name, Group()))


def test_what_is_not_set_is_not_known():
    found = stored("not_set", Group())
    assert found[:8] == [N] * 8
    assert found[8:] == ["the program has not set it"] * 8


def test_memory_that_was_changed_by_hand_is_not_known():
    assert stored("exchanged", Group(is_changed=True)) == ["it has changed"] * SIZE


def test_all_cases_are_looked_at():
    assert set(model_of_cases().code.kernels) == {*KNOWN, *UNKNOWN, "not_set"}


def test_what_is_inlined_is_known_in_the_module():
    model = model_of_cases()
    code, count = model.code, 0
    for name in code.kernels:
        kernel = kernel_of(code, name)
        inlined = InlinedKernel(model, kernel, partial(may_change_local_memory, model))
        for _, item in instructions(model.flow(inlined.function)):
            if not item.result or item.opcode == Op.PHI:
                continue
            made = inlined.made_from(item)
            callers = [kernel, *(code.functions[call.operands[0]] for _, call in made.path)]
            assert callers == [*(each for each, _ in made.path), made.function]
            assert (made.item.opcode, made.item.line) == (item.opcode, item.line)
            assert made.item in [each for _, each in instructions(model.flow(made.function))]
            count += bool(made.path)
    assert count > 10
