"""Functions that any kernel may call, through pointers or from other modules: the compiler gives
them a section of their own, and what a thread works on is still its kernel's business."""

import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.packed_modules import MODULES

LINKED = MODULES / "linked"
ITEMS, GROUP = 48, 24


@pytest.mark.parametrize("device", EACH_PLATFORM)
@pytest.mark.parametrize("level", ["O0", "O2"])
def test_work_items_are_known_by_their_kernel(debugger, device, level):
    module = LINKED / f"igc2-{device}-{level}" / "meetings.zebin"
    sizes = ["--global", str(ITEMS), "--local", str(GROUP)]
    arguments = ["i32[1]=0", f"i32[{ITEMS}]", f"local[{4 * GROUP}]"]
    program = ["zedbg", "kernel", f"{module}:meetings", *sizes, *arguments]
    asked = ["print/w $_global_id", "print $_kernel", "print $_local_size", "bt"]
    commands = ["break meetings", "run", "delete", "break from_next", "continue", *asked]
    words = [word for command in commands for word in ("-ex", command)]
    done = debugger.run("--batch", "--json", f"--sim={device}", *words, "--", *program)
    answers = [each["rows"] for each in done.objects if "command" in each]
    items, (kernel,), (size,), frames = answers[-len(asked) :]
    values = [tuple(row["value"]) for row in items if "value" in row]
    assert sorted(values) == [(x, 0, 0) for x in range(ITEMS)]
    assert kernel["text"] == '"meetings"'
    assert size["value"] == [GROUP, 1, 1]
    stops = [each for each in done.objects if each.get("event") == "stop"]
    assert [(each["kernel"], each["function"]) for each in stops] == [
        ("meetings", "meetings"),
        ("meetings", "from_next"),
    ]
    assert (frames[0]["function"], frames[-1]["function"]) == ("from_next", "meetings")
