"""What the SPIR-V of a kernel says is stored, beside what the simulated device has stored."""

from collections import defaultdict

import numpy as np

from tests.support.kernels.kernel_launch import run_simulated
from tests.support.spirv.one_work_group import OneWorkGroup
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.provenance import NOT_SHARED
from zedbg.spirv.group.inlined_kernel import InlinedKernel
from zedbg.spirv.group.local_memory import LocalMemory
from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.operations import ATOMICS, BuiltIn, Op
from zedbg.spirv.module.variables import instructions
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.numbers.computations import Place
from zedbg.spirv.work_item.evaluation import Evaluation
from zedbg.zebin import Module

MOST_VISITS = 64


class Item:
    """Work-item ``number`` of the launch of ``case``, whose buffers begin at multiples of 4 GiB."""

    def __init__(self, case, number):
        self._case = case
        sizes, groups = [(*each, 1, 1)[:3] for each in (case.size, case.group)]
        at = [0, 0, 0]
        for axis, size in enumerate(sizes):
            number, at[axis] = divmod(number, size)
        counts = [size // group for size, group in zip(sizes, groups, strict=True)]
        self._built_ins = {
            BuiltIn.GLOBAL_INVOCATION_ID: tuple(at),
            BuiltIn.LOCAL_INVOCATION_ID: tuple(a % b for a, b in zip(at, groups, strict=True)),
            BuiltIn.WORKGROUP_ID: tuple(a // b for a, b in zip(at, groups, strict=True)),
            BuiltIn.GLOBAL_SIZE: tuple(sizes),
            BuiltIn.WORKGROUP_SIZE: tuple(groups),
            BuiltIn.NUM_WORKGROUPS: tuple(counts),
            BuiltIn.GLOBAL_OFFSET: (0, 0, 0),
        }

    def argument(self, index, size):
        value = self._case.arguments[index]
        if isinstance(value, np.ndarray):
            return (index + 1 << 32).to_bytes(8, "little")
        if isinstance(value, bytes):
            return value
        if isinstance(value, np.generic):
            return value.tobytes()
        raise UnknownValue("local memory")

    def built_in(self, which):
        if which not in self._built_ins:
            raise UnknownValue("not said")
        return self._built_ins[which]

    def load(self, address, size):
        return at(self._case.arguments, address, size)

    def may_share_memory(self, address, other):
        return address >> 32 == other >> 32


class Group(OneWorkGroup):
    """Those of the launch of ``case`` with consecutive numbers, from ``first`` on."""

    def __init__(self, case, first):
        super().__init__(int(np.prod(case.group)))
        self._case = case
        self._first = first

    def item(self, number):
        return Item(self._case, self._first + number)

    def argument(self, index, size):
        return self.item(0).argument(index, size)

    def built_in(self, which):
        built_ins = [self.item(number).built_in(which) for number in range(self.count)]
        ids = BuiltIn.LOCAL_INVOCATION_ID, BuiltIn.GLOBAL_INVOCATION_ID
        return built_ins if which in ids else built_ins[0]

    def load(self, address, size):
        return self.item(0).load(address, size)

    def page(self, number):
        return None

    def require_local_memory(self, address, size):
        pass


def at(arguments, address, size):
    """``size`` bytes of the buffers among ``arguments``."""
    data = arguments[(address >> 32) - 1].tobytes()
    return data[address & 0xFFFFFFFF :][:size]


class Stored:
    """What the work-items of a launch of ``kernel`` store in global memory, as far as that is
    known: of each address, the numbers of all stores to it (bytes; None: not known)."""

    def __init__(self, model, kernel, items):
        self._model = model
        self._kernel = kernel
        self._found = defaultdict(set)
        self._unclear = set()  # buffers that are written to at unknown addresses
        for label, item in instructions(model.flow(kernel)):
            is_store = item.opcode == Op.STORE
            if not is_store and item.opcode not in ATOMICS:
                continue
            if model.code.type_of[item.operands[0]].storage in NOT_SHARED:
                continue
            if not is_store or not all(self._add(each, label, item) for each in items):
                self._unclear |= model.provenance.roots(kernel, item.operands[0]) or {None}

    def _add(self, evaluation, label, store):
        """Adds what one work-item stores; false where it is not known where that is."""
        call, (pointer, number) = evaluation.outermost, store.operands[:2]
        try:
            for visit in evaluation.visits_of(call, label, MOST_VISITS):
                address = evaluation.value(call, pointer, label, visit.iterations)
                if isinstance(address, Place):
                    return False
                size = self._model.code.type_of[number].size
                self._found[address, size].add(self._number(evaluation, number, visit))
        except UnknownValue:
            return False
        return True

    def _number(self, evaluation, number, visit):
        try:
            value = evaluation.value(evaluation.outermost, number, visit.block, visit.iterations)
        except UnknownValue:
            return None
        return None if isinstance(value, Place) else self._model.code.type_of[number].encode(value)

    def known(self):
        """Addresses, sizes and the bytes that the launch leaves there."""
        unclear = {
            self._kernel.parameters.index(each) + 1
            for each in self._unclear
            if each in self._kernel.parameters
        }
        starts = {(at + byte) for at, size in self._found for byte in range(1, size)}
        for (address, size), numbers in self._found.items():
            (number, *others) = numbers
            is_clear = None not in self._unclear and address >> 32 not in unclear
            if is_clear and not others and number is not None and address not in starts:
                yield address, size, number


def compared(case, path, directory, model=None):
    """How many numbers of ``case``, in the module at ``path``, are known, and those that the device
    has stored otherwise. ``model``: that of the module, where it is more than its SPIR-V."""
    left = iter(run_simulated(case, path, directory).buffers)
    after = [next(left) if isinstance(each, np.ndarray) else each for each in case.arguments]
    if model is None:
        module = Module.from_bytes(path.read_bytes(), path.name)
        model = Model(SpirvCode(module.section_bytes(module.section(".spv")), path.name))
    kernel = model.code.functions[model.code.kernels[case.kernel]]
    function = InlinedKernel(model, kernel, model.provenance.may_write).function
    items: list[Evaluation] = []
    while len(items) < np.prod(case.size):
        group = Group(case, len(items))
        is_row = set(case.group[1:]) <= {1}  # the numbers of its work-items are consecutive
        local = LocalMemory(model, function, group).of if is_row else lambda number: None
        items += [
            Evaluation(model, function, group.item(number), local=local(number))
            for number in range(group.count)
        ]
    known = list(Stored(model, function, items).known())
    wrong = [each for each in known if at(after, *each[:2]) != each[2]]
    return len(known), [(case.kernel, *each) for each in wrong]
