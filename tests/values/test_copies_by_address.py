"""Which copies of a loop's body messages are of, by what they access."""

from zedbg.dwarf.trust.message_places import MessagePlace
from zedbg.dwarf.trust.register_sums import Sum
from zedbg.values.copies.copies_by_address import of_messages

SIZE = 4
BEGINS = (1000, 1004, 1008, 1012)  # of what the source accesses in each iteration


def message(at, begin, extent=SIZE, takers=(), makers=(), addressing=()):
    return MessagePlace(at, (), Sum(begin), extent, takers, makers, addressing)


def told(messages, begins=BEGINS):
    return list(of_messages(messages, [each.begin.number for each in messages], begins, SIZE))


def test_each_message_is_of_the_iteration_that_accesses_that():
    messages = [message(16 * each, 4 * number) for each, number in enumerate((1, 0, 3, 2))]
    (found,) = told(messages)
    assert found.known == [(0, 1), (16, 0), (32, 3), (48, 2)]


def test_what_takes_a_part_is_of_that_parts_iteration():
    takers = [(32, 0, 4), (48, 4, 8), (64, 0, 8)]
    messages = [message(0, -8, 8, takers), message(16, 0, 8, [(80, 4, 8)])]
    (found,) = told(messages)
    assert found.known == [(0, 0), (32, 0), (48, 1), (16, 2), (80, 3)]


def test_what_is_stored_is_made_no_later_than_it_is_stored():
    """A store of two iterations may be made after both of them."""
    first = message(0, 0, 8, makers=[(32, 0, 4), (48, 4, 8)], addressing=[64])
    (found,) = told([first, message(16, 8, 8)])
    assert found.known == []
    assert found.latest == [(64, 0), (32, 0), (48, 1)]


def test_iterations_that_come_to_nothing_access_nothing():
    messages = [message(16 * each, 4 * each) for each in range(2)]
    (found,) = told(messages, [None, 1000, 1004, None])
    assert found.known == [(0, 1), (16, 2)]


def test_messages_that_access_something_else_tell_nothing():
    assert not told([message(16 * each, 4 * each) for each in range(3)])
    assert not told([message(16 * each, 8 * each) for each in range(4)])
    assert not told([message(16 * each, 4 * min(each, 2)) for each in range(4)])
