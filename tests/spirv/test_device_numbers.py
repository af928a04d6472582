"""Numbers that are found in what the device gave."""

import math
import struct
from types import SimpleNamespace

import pytest

from zedbg.spirv.analysis.private_memory import Visit
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.types import Kind, Type
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.work_item.activation import Activation, When
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


class Loops:
    """A function with one block, in ``loops``."""

    def __init__(self, loops):
        self.loops = loops

    def loops_around(self, label):
        return self.loops


def test_what_was_loaded_in_a_loop_is_not_looked_for_in_the_recording():
    """There may be the numbers of several iterations, and not yet that of the one asked for."""
    item = Instruction(Op.LOAD, 6, 7, (1,), None, 0, 0)

    class Held:
        def latest(self, *_):
            return None

        def loaded_once(self, *_):
            return struct.pack("<i", 5)

    code = SimpleNamespace(type_of={7: Type(Kind.INTEGER, 32)})
    model = SimpleNamespace(code=code, flow=Loops)  # functions are their loops here
    numbers = DeviceNumbers(model, None, SimpleNamespace(count_of=None), Held())
    kernel, looping = Activation([], [], []), Activation([3], [], [])
    called = Activation([], [], [], caller=(kernel, item, Visit(2, ())))
    called_in_loop = Activation([], [], [], caller=(looping, item, Visit(2, (0,))))
    calls = (kernel, called, looping, called_in_loop)
    assert [numbers.latest(call, item, 2, ()) for call in calls] == [5, 5, None, None]


def quotient(dividends, recorded, when=When.NOW, skipped=(), both_sides=False):
    """The quotient of the last of ``dividends``, one of each iteration, numbers or vectors, and 7;
    the device has ``recorded`` those of these numbers, zeros with their signs. The work-item does
    not come there in the iterations ``skipped``. ``both_sides``: some code of the quotient is not
    executed yet."""
    item = Instruction(Op.F_DIV, 6, 7, (1, 2), None, 0, 0)

    class Held:
        def latest(self, *_):
            return None

        def is_on_both_sides(self, *_):
            return both_sides

        def recorded(self, *_):
            yield {struct.pack("<f", each / 7) for each in recorded}

    class Values:
        def of(self, call, result, block, iterations):
            dividend = dividends[iterations[0]]
            divisor = (7.0,) * len(dividend) if isinstance(dividend, tuple) else 7.0
            return dividend if result == 1 else divisor

        def when(self, call, block, iterations):
            return when

        def step(self):
            pass

    kind = Type(Kind.FLOAT, 32)
    if isinstance(dividends[0], tuple):
        kind = Type(Kind.VECTOR, members=(kind,), count=len(dividends[0]))
    code = SimpleNamespace(type_of={1: kind, 2: kind, 7: kind}, constants={}, fast=set())
    ways = SimpleNamespace(count_of=None, passes=lambda *where: where[-1][0] not in skipped)
    model = SimpleNamespace(code=code, flow=lambda function: Loops([3]))
    numbers = DeviceNumbers(model, Values(), ways, Held())
    call = Activation(None, [], [])
    return numbers.of(
        call, item, 3, (len(dividends) - 1,), UnknownValue("it is left to the device")
    )


def test_a_number_is_the_one_that_is_near():
    assert quotient([3.0, 3.5], [3.0, 3.5]) == 0.5


def test_a_number_that_is_not_made_yet_is_none_of_an_iteration_before():
    """As the quotients of a root that Newton's method has nearly found."""
    nearly = 3.5000002384185791
    with pytest.raises(UnknownValue):
        quotient([3.5, nearly], [3.5])
    with pytest.raises(UnknownValue):
        quotient([3.5, nearly], [3.5], When.UNKNOWN)  # it may be in that iteration
    assert quotient([3.5, nearly], [3.5], When.PAST) == 0.5
    assert quotient([3.5, nearly], [3.5], When.ELSEWHERE) == 0.5
    assert quotient([3.5, 3.5], [3.5]) == 0.5  # the same makes the same
    assert quotient([3.5], [3.5]) == 0.5


def test_only_an_iteration_in_which_the_work_item_comes_there_may_have_made_the_number():
    nearly = 3.5000002384185791
    assert quotient([3.5, nearly], [3.5], skipped={0}) == 0.5
    assert quotient([9.0, 3.5, nearly], [3.5, 9.0], skipped={1}) == 0.5
    with pytest.raises(UnknownValue):
        quotient([3.5, 9.0, nearly], [3.5, 9.0])


def test_a_copy_for_an_iteration_that_is_over_may_not_be_executed_yet():
    """As those of an unrolled loop, of which the compiler moved some after the loop."""
    nearly = 3.5000002384185791
    for when in (When.PAST, When.ELSEWHERE):
        assert quotient([3.5, 9.0, nearly], [3.5], when) == 0.5
        with pytest.raises(UnknownValue):
            quotient([3.5, 9.0, nearly], [3.5], when, both_sides=True)
        assert quotient([3.5, 9.0, nearly], [3.5], when, {0}, both_sides=True) == 0.5
        assert quotient([3.5, 9.0], [9.0], when, both_sides=True) == pytest.approx(9 / 7)


def test_a_component_that_is_not_made_yet_is_not_another_one_that_is_near():
    nearly = 3.5000002384185791
    assert quotient([(3.5, 7.0)], [3.5, 7.0]) == (0.5, 1.0)
    assert quotient([(3.5, 3.5)], [3.5]) == (0.5, 0.5)  # the same makes the same
    with pytest.raises(UnknownValue):
        quotient([(3.5, nearly)], [3.5])


def test_a_zero_has_the_sign_that_the_operands_say():
    """A zero of the other sign is what led to the quotient, which is not made yet."""
    with pytest.raises(UnknownValue):
        quotient([-0.0], [0.0])
    with pytest.raises(UnknownValue):
        quotient([-0.0], [0.0, -0.0])
    assert math.copysign(1.0, quotient([-0.0], [-0.0])) == -1.0
