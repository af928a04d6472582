"""Numbers that are found in what the device gave."""

from types import SimpleNamespace

from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.types import Kind, Type
from zedbg.spirv.work_item.device_numbers import DeviceNumbers


def test_where_a_result_says_itself_whether_a_register_has_it_none_has():
    """As that of a loop's condition: a register has it where no later iteration is executed."""
    item = Instruction(Op.F_DIV, 6, 7, (1, 2), None, 0, 0)
    again = []

    class Held:
        def latest(self, call, item, label, iterations, count_of):
            again.append(numbers.latest(call, item, label, iterations))
            return bytes(4)

    code = SimpleNamespace(type_of={7: Type(Kind.FLOAT, 32)})
    ways = SimpleNamespace(count_of=None)
    numbers = DeviceNumbers(SimpleNamespace(code=code), None, ways, Held())
    assert numbers.latest(None, item, 3, (0,)) == 0.0
    assert again == [None]
    assert numbers.latest(None, item, 3, (0,)) == 0.0  # it is asked for again
