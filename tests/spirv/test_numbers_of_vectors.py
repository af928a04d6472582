"""The numbers that code of a line takes and makes: the components of vectors are some, too."""

from types import SimpleNamespace

from zedbg.spirv.module.flow import Flow
from zedbg.spirv.module.instructions import Block, Function, Instruction, Line
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.types import Kind, Type
from zedbg.values.copies.code_operands import flowing_values, made_values, used_values
from zedbg.values.source.source_positions import SourcePosition

ENTRY = 1
FACTOR, POINT, MOVED, SUM, ELEMENT = 10, 11, 12, 13, 14
NUMBER = Type(Kind.FLOAT, 32)
PAIR = Type(Kind.VECTOR, members=(NUMBER,), count=2)
POINTER = Type(Kind.POINTER, members=(NUMBER,))


def frame():
    """At line 7, that scales a point, of which line 8 makes another one."""

    def instruction(opcode, result, line, *operands):
        return Instruction(opcode, 0, result, operands, Line("", line, 3), 0, 0)

    items = [
        instruction(Op.LOAD, FACTOR, 5, ELEMENT),
        instruction(Op.LOAD, POINT, 6, ELEMENT),
        instruction(Op.VECTOR_TIMES_SCALAR, MOVED, 7, POINT, FACTOR),
        instruction(Op.F_ADD, SUM, 8, MOVED, POINT),
        instruction(Op.RETURN, 0, 9),
    ]
    function = Function(0, [], {ENTRY: Block(ENTRY, list(items))})
    types = {FACTOR: NUMBER, POINT: PAIR, MOVED: PAIR, SUM: PAIR, ELEMENT: POINTER}
    flow = Flow(function)
    model = SimpleNamespace(
        notes={},
        code=SimpleNamespace(type_of=types),
        flow=lambda _: flow,
        made=lambda _: {each.result: (ENTRY, each) for each in items},
    )
    position = SourcePosition(function, 0, (), 7, 3)
    return SimpleNamespace(model=model, position=position)


def test_each_component_of_a_vector_is_a_number_that_instructions_take():
    found = used_values(frame(), ())
    assert found == [(POINT, ENTRY, 0), (POINT, ENTRY, 1), (FACTOR, ENTRY, None)]


def test_each_component_of_a_vector_is_a_number_that_instructions_make():
    assert made_values(frame(), ()) == [(MOVED, ENTRY, 0), (MOVED, ENTRY, 1)]
    assert flowing_values(frame(), ()) == {8: [(SUM, ENTRY, 0), (SUM, ENTRY, 1)]}
