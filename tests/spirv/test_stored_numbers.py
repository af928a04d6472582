"""What the SPIR-V of the corpus says is stored is what the simulated device has stored."""

import importlib
import struct
from collections import defaultdict

import numpy as np
import pytest

from tests.support.kernels.kernel_case import Case
from tests.support.kernels.kernel_launch import run_simulated
from tests.support.packed_modules import MODULES
from tests.support.sycl.ocloc import compiled
from zedbg.spirv.arithmetic import UnknownValue
from zedbg.spirv.code import SpirvCode
from zedbg.spirv.computations import Place
from zedbg.spirv.evaluation import Evaluation
from zedbg.spirv.inlined_kernel import InlinedKernel
from zedbg.spirv.model import Model
from zedbg.spirv.operations import ATOMICS, BuiltIn, Op
from zedbg.spirv.private_memory import Way
from zedbg.spirv.provenance import NOT_SHARED
from zedbg.spirv.types import Kind
from zedbg.spirv.variables import instructions
from zedbg.zebin import Module

BUILD = "igc2-dg2-O2"
#: Parts of the corpus, and how many numbers are known in each, at least.
PARTS = {"numbers": 24000, "maths": 1100, "vectors": 200, "memory": 1200}
FEW = 64  # work-items
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


def compared(case, path, directory):
    """How many numbers of ``case``, in the module at ``path``, are known, and those that the device
    has stored otherwise."""
    left = iter(run_simulated(case, path, directory).buffers)
    after = [next(left) if isinstance(each, np.ndarray) else each for each in case.arguments]
    module = Module.from_bytes(path.read_bytes(), path.name)
    code = SpirvCode(module.section_bytes(module.section(".spv")), path.name)
    model = Model(code)
    kernel = code.functions[code.kernels[case.kernel]]
    function = InlinedKernel(model, kernel, model.provenance.may_write).function
    items = [
        Evaluation(model, function, Item(case, number)) for number in range(np.prod(case.size))
    ]
    known = list(Stored(model, function, items).known())
    wrong = [each for each in known if at(after, *each[:2]) != each[2]]
    return len(known), [(case.kernel, *each) for each in wrong]


@pytest.mark.parametrize(("part", "least"), PARTS.items())
def test_numbers_are_what_the_device_stores(part, least, tmp_path):
    cases = importlib.import_module(f"tests.support.kernels.corpus_{part}").CASES
    few = [each for each in cases if np.prod(each.size) <= FEW and not each.doubles]
    counts = []
    for each in few:
        count, wrong = compared(each, MODULES / "corpus" / BUILD / each.source, tmp_path)
        assert not wrong
        counts.append(count)
    assert sum(counts) >= least


OPTIONS = ("-options", "-g", "-internal_options", "-cl-intel-allow-zebin")
BY_VALUE = """typedef struct { float scale; int most; } Limits;
kernel void by_value(global const float4 *in, global float *out, Limits limits, int n) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < 2; k++) for (int j = k; j < n; j++) {
    const float4 other = in[j];
    const float3 d = in[i].xyz - other.xyz;
    if (d.x + d.y > limits.scale)
      continue;
    sum += d.z;
    if (j == limits.most + k) break;
  }
  out[i] = sum;
}"""


def test_the_way_depends_on_structures_by_value_and_on_vectors_in_memory(tmp_path):
    points = np.arange(64, dtype=np.float32) * 7 % 16
    limits = struct.pack("<fi", 3.0, 11)
    arguments = [points, np.zeros(16, np.float32), limits, np.int32(13)]
    case = Case("by_value", "by_value", (16,), (16,), arguments)
    path = tmp_path / "by_value.zebin"
    path.write_bytes(compiled(tmp_path, BY_VALUE, *OPTIONS))
    assert compared(case, path, tmp_path) == (16, [])


def test_what_was_just_stored_is_known_while_the_way_to_it_is_followed(tmp_path):
    code = SpirvCode(compiled(tmp_path, BY_VALUE, "-spv_only"), "by_value")
    model = Model(code)
    kernel = code.functions[code.kernels["by_value"]]
    function = InlinedKernel(model, kernel, model.provenance.may_write).function
    points = np.arange(64, dtype=np.float32) * 7 % 16
    case = Case("by_value", "by_value", (16,), (16,), [points, points, bytes(8), np.int32(13)])
    evaluation = Evaluation(model, function, Item(case, 5))
    evaluation.outermost.way = Way(iter(()), is_followed=True)
    made = list(instructions(model.flow(function)))
    private = {item.result for _, item in made if item.opcode == Op.VARIABLE}
    found = set()
    for label, item in made:
        kind = code.type_of.get(item.result)
        if item.opcode == Op.LOAD and kind.kind is Kind.VECTOR and item.operands[0] in private:
            try:
                value = evaluation.value(evaluation.outermost, item.result, label, (0, 2))
            except UnknownValue:
                continue  # what is loaded far behind the store
            found.add(value[:3])
    assert found == {tuple((points[20:23] - points[8:11]).tolist())}
