"""Every native test program is run by a test, or measures."""

from __future__ import annotations

from tests.support.places import REPOSITORY
from tests.support.xe.directed_tests import MESSAGE_TESTS


def test_each_native_test_program_is_run() -> None:
    texts = "\n".join(path.read_text() for path in (REPOSITORY / "tests").rglob("*.py"))
    messages = {f"xesim_eu_test_messages_{kind}" for kind in MESSAGE_TESTS}
    programs = {
        f"xesim_{path.parts[-3]}_{path.stem}" for path in REPOSITORY.glob("native/*/tests/*.cpp")
    }
    assert [name for name in sorted(programs - messages) if f'"{name}"' not in texts] == []
