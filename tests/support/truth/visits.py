"""Which visits of a line stops of a lane at it can be, by what they show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping

Visit = dict[str, bytes]  # a variable's bytes, by its name; padding is left out
#: What a stop shows of variables: bytes, or why there are none; and whether that has a mark.
Shown = dict[str, tuple[bytes | str, bool]]


def out_of_order(
    visits: list[Visit], stops: list[tuple[int, Shown]], ends: Container[int] = ()
) -> list[tuple[int, int]]:
    """The stops, number and pc, at which what is shown is that of visits which earlier stops at the
    same pc have passed. A lane may be past its last visit where it does nothing: there it shows
    what all of its visits have. At ``ends`` several stops may be one visit."""
    found = []
    by_pc: dict[int, list[int]] = defaultdict(list)
    for number, (pc, _) in enumerate(stops):
        by_pc[pc].append(number)
    for pc, numbers in by_pc.items():
        following = 0
        for number in numbers if len(numbers) <= len(visits) else ():
            agreeing = [i for i, each in enumerate(visits) if agree(each, stops[number][1])]
            later = [each for each in agreeing if each >= following]
            if later:
                following = later[0] + (pc not in ends)
            elif 0 < len(agreeing) < len(visits):
                found.append((number, pc))
    return found


def of_other_copies(
    visits: list[Visit],
    stops: list[tuple[int, Shown]],
    kinds: Mapping[int, object],
) -> list[tuple[int, int]]:
    """The stops, number and pc, at one kind of instruction, of which there are as many as visits,
    that show what the visit of that number does not have; unless each copy may have several."""
    by_kind: dict[object, list[int]] = defaultdict(list)
    for number, (pc, _) in enumerate(stops):
        if pc in kinds:
            by_kind[kinds[pc]].append(number)
    return [
        (number, stops[number][0])
        for numbers in by_kind.values()
        if len(numbers) == len(visits)
        and not _are_several(visits, [stops[each][1] for each in numbers])
        for number, visit in zip(numbers, visits, strict=True)
        if not agree(visit, stops[number][1])
    ]


def _are_several(visits: list[Visit], shown: list[Shown]) -> bool:
    """Whether what is ``shown`` may be that of several stops in each of fewer visits: where one
    instruction makes what several iterations do, there are fewer copies than visits."""
    for count in range(2, len(shown) + 1):
        following = 0
        for first in range(0, len(shown), count):
            some = shown[first : first + count]
            for index in range(following, len(visits)):
                if all(agree(visits[index], each) for each in some):
                    following = index + 1
                    break
            else:
                break
        else:
            if len(shown) % count == 0:
                return True
    return False


def agree(visit: Visit, shown: Shown) -> bool:
    """Whether all that is shown without a mark is what the visit has."""
    return all(
        isinstance(value, str) or doubtful or value == visit.get(name, value)
        for name, (value, doubtful) in shown.items()
    )


def likeliest(visits: list[Visit], shown: Shown) -> Visit:
    """The visit that most of what is shown without a mark agrees with."""

    def agreeing(visit: Visit) -> int:
        return sum(shown.get(name, ("", True)) == (truth, False) for name, truth in visit.items())

    return max(visits, key=agreeing)


def stopped_kinds(kinds: Mapping[int, object], places: Container[int]) -> dict[int, object]:
    """Those of ``kinds``, of instructions by their offsets, all of which are at one of ``places``:
    where threads stop at some of a kind only, one copy may have more of these than another."""
    elsewhere = {kind for offset, kind in kinds.items() if offset not in places}
    return {offset: kind for offset, kind in kinds.items() if kind not in elsewhere}
