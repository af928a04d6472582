"""docs/testing.md names tests that are there."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "testing.md"


def test_every_test_that_the_page_names_exists():
    sources = [path.read_text() for path in TESTS.rglob("test_*.py")]
    sources += [path.read_text() for path in (TESTS.parent / "native").glob("*/tests/*.cpp")]
    files = {path.stem for path in TESTS.rglob("test_*.py")}
    named = set(re.findall(r"`((?:test_|module_|what_)\w*[a-z])`", PAGE.read_text()))
    assert len(named) > 30
    missing = [name for name in named - files if not any(f" {name}(" in text for text in sources)]
    assert missing == []
