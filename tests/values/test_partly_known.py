"""Values of which only a part is known: what is known is shown, the rest is not."""

import json
from types import SimpleNamespace

import pytest

from zedbg.commands.rows.row import to_json
from zedbg.dwarf.types.program_types import FLOAT, INT, ArrayType, Member, StructType
from zedbg.engine.breakpoints.expression_sample import ExpressionSample, _Certainty
from zedbg.missing import Missing
from zedbg.spirv.module.types import UNDEFINED, Kind
from zedbg.spirv.module.types import Type as SpirvType
from zedbg.spirv.module.variables import Given
from zedbg.spirv.numbers.arithmetic import UnknownValue, UnsetValue
from zedbg.spirv.work_item.activation import NeedsIteration
from zedbg.values.expressions import names
from zedbg.values.formats.formatting import FormatOptions, format_value
from zedbg.values.operands.operand import Operand
from zedbg.values.operands.parts import BitField
from zedbg.values.recomputed.judgement import Verdict
from zedbg.values.recomputed.lane_variables import LaneVariables
from zedbg.values.recomputed.recomputation import Recomputation
from zedbg.values.source.access import Access
from zedbg.values.source.source_positions import VariableProgram
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.homes import ComputedHome, PartlyKnownHome
from zedbg.values.typed.padding import whole_numbers
from zedbg.values.typed.partly_known_error import PartlyKnownError, in_common, partly_known_error
from zedbg.values.typed.scalars import decode, encode

WHY = "the program has not set all of it"


def operand(kind, numbers, of):
    """A value of type ``kind`` of ``numbers``, None for those that are not known."""
    data = b"".join(encode(of, each or 0) for each in numbers)
    size = of.size
    known = {
        at * size + byte
        for at, each in enumerate(numbers)
        if each is not None
        for byte in range(size)
    }
    return Operand(kind, [PartlyKnownHome(data, frozenset(known), WHY)], True)


def array(count, of=INT):
    return ArrayType(count * of.size, of, count)


def loaded(of):
    return of.load(Access(None))[0]


def test_elements_that_are_known_are_shown():
    value = operand(array(4), [7, None, 9, None], INT)
    whole = loaded(value)
    assert isinstance(whole, Missing)
    assert format_value(whole) == "{7, <unavailable>, 9, <unavailable>}"
    assert loaded(value.moved(INT, 8)) == encode(INT, 9)
    assert loaded(value.moved(INT, 4)) == Missing(WHY)


def test_only_those_that_are_known_count_as_numbers():
    value = operand(array(3), [7, None, 9], INT)
    assert value.moved(INT, 0).numbers(Access(None)) == [7]
    assert value.moved(INT, 4).numbers(Access(None)) == [Missing(WHY)]
    # Half of an element is none.
    half = Operand(INT, [PartlyKnownHome(bytes(4), frozenset({0, 1}), WHY)], True)
    (number,) = half.numbers(Access(None))
    assert isinstance(number, Missing)
    assert format_value(loaded(half)) == f"<{WHY}>"


def test_what_repeats_is_shown_once():
    value = operand(array(30), [1] * 12 + [None] * 18, INT)
    text = format_value(loaded(value))
    assert text == "{1 <repeats 12 times>, <unavailable> <repeats 18 times>}"
    few = format_value(loaded(value), FormatOptions(element_limit=3))
    assert few == "{1, 1, 1...}"
    # 0 is no limit.
    every = format_value(loaded(value), FormatOptions(element_limit=0, repeat_threshold=0))
    assert every == "{" + ", ".join(["1"] * 12 + ["<unavailable>"] * 18) + "}"


def test_structures_in_arrays():
    pair = StructType(8, "Pair", "struct", [Member("x", INT, 0), Member("y", INT, 4)])
    value = operand(array(2, pair), [1, None, 2, 3], INT)
    assert format_value(loaded(value)) == "{{x = 1, y = <unavailable>}, {x = 2, y = 3}}"
    known = [{"x": 1, "y": None}, {"x": 2, "y": 3}]
    assert to_json(loaded(value)) == {"missing": WHY, "known": known}
    assert json.dumps(to_json(loaded(value)))


def test_members_without_names_are_all_there():
    inner = StructType(4, None, "union", [Member("i", INT, 0), Member("f", FLOAT, 0)])
    members = [Member("", inner, 0), Member("", inner, 4), Member("z", INT, 8)]
    value = operand(StructType(12, "S", "struct", members), [1, 0, None], INT)
    assert (
        format_value(loaded(value))
        == "{{i = 1, f = 1.40129846e-45}, {i = 0, f = 0}, z = <unavailable>}"
    )
    assert list(to_json(loaded(value))["known"]) == ["anonymous_0", "anonymous_1", "z"]


def test_bit_fields_are_shown_where_their_bits_are_known():
    fields = [Member("a", INT, 0, 0, 3), Member("b", INT, 0, 3, 7), Member("c", INT, 0, 17, 4)]
    kind = StructType(8, "S", "struct", [*fields, Member("d", INT, 4, 30, 2)])
    bits = (5 | 33 << 3 | 0b1010 << 17).to_bytes(4, "little")
    known = frozenset({0, 2, 7})  # not the second byte, which b has bits of, too
    value = Operand(kind, [PartlyKnownHome(bits + b"\0\0\0\x40", known, WHY)], True)
    assert format_value(loaded(value)) == "{a = -3, b = <unavailable>, c = -6, d = 1}"
    found = [loaded(BitField(value, each, Access(None))) for each in kind.members]
    numbers = [None if isinstance(each, Missing) else decode(INT, each) for each in found]
    assert numbers == [-3, None, -6, 1]


def test_numbers_are_known_whole_or_not_at_all():
    pair = StructType(8, "Pair", "struct", [Member("x", INT, 0), Member("y", INT, 4)])
    assert whole_numbers(array(2, pair), set(range(6)) | {9, 12, 13, 14, 15}) == {
        *range(4),
        *range(12, 16),
    }
    flags = StructType(
        4, "Flags", "struct", [Member("a", INT, 0, 0, 12), Member("b", INT, 0, 12, 3)]
    )
    assert whole_numbers(flags, {0, 3}) == {0, 3}
    half = partly_known_error(INT, bytes(4), {0, 1}, WHY)
    assert not isinstance(half, PartlyKnownError)


def test_of_several_places_on_a_line_what_they_have_in_common_is_known():
    kind = array(3)
    one, other = ints(1, 2, 3), ints(1, 9, 3)
    assert in_common(kind, one, one) == one
    found = in_common(kind, one, other)
    assert found.known == {*range(4), *range(8, 12)}
    assert str(found) == "it has several values on this line"
    partly = partly_known_error(kind, one, set(range(8)), WHY)
    found = in_common(kind, partly, other)
    assert found.known == set(range(4)) and str(found) == WHY
    with pytest.raises(UnknownValue, match="several values"):
        in_common(INT, ints(1), ints(2))


def ints(*numbers):
    return b"".join(encode(INT, each) for each in numbers)


PARTLY = PartlyKnownHome(bytes(8), frozenset(range(4)), WHY)


def test_what_is_known_in_part_cannot_be_written(monkeypatch):
    with pytest.raises(EvaluationError, match="its value is computed again"):
        Access(None).store(PARTLY, bytes(4))
    verdicts = [Verdict(PARTLY, None, WHY)]
    monkeypatch.setattr(names, "judgement", lambda context, variable, lanes: verdicts)
    lanes = SimpleNamespace(active_lanes=1)
    with pytest.raises(EvaluationError, match="a has no place here: its value is computed"):
        names.must_have_home(SimpleNamespace(name="a"), lanes)


@pytest.mark.parametrize("home", [PARTLY, PARTLY.moved(4), ComputedHome(bytes(4))])
@pytest.mark.cases(3)
def test_what_is_computed_again_changes_without_a_write(monkeypatch, home):
    """So a search of the past looks at each statement, not at places that are written."""
    sample, recomputation = object.__new__(ExpressionSample), SimpleNamespace(needs_iterations=True)
    monkeypatch.setattr(Recomputation, "of", lambda view: recomputation)
    assert sample._certainty(home, None) is _Certainty.ANEW
    recomputation.needs_iterations = False
    assert sample._certainty(home, None) is _Certainty.COMPUTED


def test_a_part_that_changes_in_a_loop_hides_no_other_one(monkeypatch):
    """Of a structure whose members the SPIR-V has apart."""

    def joined(self, variable, lane, point, state):
        if state is None:
            raise NeedsIteration(1)
        return state, encode(INT, 7), False

    monkeypatch.setattr(LaneVariables, "_joined", joined)
    variables = object.__new__(LaneVariables)
    with pytest.raises(PartlyKnownError) as found:
        variables._data(SimpleNamespace(type=array(2)), 0, None, [None, 4])
    assert found.value.known == set(range(4, 8))


def test_components_that_the_program_has_set_are_known():
    pair = SpirvType(Kind.VECTOR, members=(SpirvType(Kind.INTEGER, 32),), count=2)
    program = VariableProgram(None, pair, None, ())
    value, nothing = (UNDEFINED, 7), (UNDEFINED, UNDEFINED)
    whole, partly, none = program.data([(1, 2), value, nothing], array(2))
    assert whole == ints(1, 2)
    assert partly.known == set(range(4, 8)) and partly.data == ints(0, 7) and str(partly) == WHY
    assert type(none) is UnsetValue and str(none) == "the program has not set it"

    variables = object.__new__(LaneVariables)
    variables._model = SimpleNamespace(code=SimpleNamespace(type_of={4: pair}))
    with pytest.raises(PartlyKnownError, match=WHY):
        variables._encoded(SimpleNamespace(type=array(2)), Given(4, False, None), value)
