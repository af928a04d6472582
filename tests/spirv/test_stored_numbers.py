"""What the SPIR-V of the corpus says is stored is what the simulated device has stored."""

import importlib
import struct

import numpy as np
import pytest

from tests.support.kernels.kernel_case import Case
from tests.support.packed_modules import MODULES
from tests.support.sycl.ocloc import compiled
from tests.support.truth.stored_numbers import Item, compared
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.private_memory import Way
from zedbg.spirv.group.inlined_kernel import InlinedKernel
from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.types import Kind
from zedbg.spirv.module.variables import instructions
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.work_item.evaluation import Evaluation

BUILD = "igc2-dg2-O2"
#: Parts of the corpus, and how many numbers are known in each, at least.
PARTS = {"numbers": 24000, "maths": 2100, "vectors": 800, "memory": 1200, "control": 2700}
FEW = 64  # work-items


@pytest.mark.parametrize(("part", "least"), PARTS.items())
def test_numbers_are_what_the_device_stores(part, least, tmp_path):
    cases = importlib.import_module(f"tests.support.kernels.corpus_{part}").CASES
    few = [each for each in cases if np.prod(each.size) <= FEW and not each.doubles]
    counts = []
    for each in few:
        count, wrong = compared(each, MODULES / "corpus" / BUILD / each.source, tmp_path)
        assert not wrong
        counts.append(count)
    print("COUNT", part, sum(counts))
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
