"""A variable that is declared in a loop has nothing where an iteration begins."""

from tests.support.sycl.ocloc import compiled
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.private_memory import Visit
from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.operations import BuiltIn, Op
from zedbg.spirv.work_item.evaluation import Evaluation

SOURCE = """typedef struct { float a, b; } Two;
static Two two_of(float x) { Two two; two.a = x; two.b = 2.0f * x; return two; }
kernel void k(global float *out) {
  float sum = 0;
  for (int j = 0; j < 3; j++) {
    const Two two = two_of(j);
    sum += two.a * two.b;
  }
  out[get_global_id(0)] = sum;
}"""


class Item:
    def argument(self, index, size):
        return (1 << 32).to_bytes(size, "little")

    def built_in(self, which):
        return (0, 0, 0) if which == BuiltIn.GLOBAL_INVOCATION_ID else (1, 1, 1)


def test_what_an_earlier_iteration_left_is_not_shown(tmp_path):
    code = SpirvCode(compiled(tmp_path, SOURCE, "-spv_only", "-options", "-g"), "k")
    model = Model(code)
    (entry,) = code.functions[code.kernels["k"]].blocks.values()
    kernel = code.functions[entry.items[0].operands[0]]  # which it calls
    items = [
        (label, index, item)
        for label, block in kernel.blocks.items()
        for index, item in enumerate(block.items)
        if isinstance(item, Instruction)
    ]
    (variable,) = {
        item.result
        for _, _, item in items
        if item.opcode == Op.VARIABLE and code.type_of[item.result].members[0].size == 8
    }
    ((label, index, _),) = [each for each in items if each[2].opcode == Op.FUNCTION_CALL]
    evaluation = Evaluation(model, kernel, Item())
    for iteration in range(3):
        visit = Visit(label, (iteration,))
        for place, is_set in ((0, False), (index, False), (index + 1, True)):
            data = evaluation.bytes_in_memory(evaluation.outermost, variable, 8, visit, place)
            assert [each is not None for each in data] == [is_set] * 8
