"""Files of zedbg that the pages in docs/ name are there, by the end of their path at least."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`((?:\w+/)+\w+\.(?:py|[ch]pp))`")
#: The build makes these.
GENERATED = {"eu/isa/names.hpp", "eu/isa/tables.hpp", "device/device_rows.hpp"}


def named_files():
    pages = (ROOT / "docs").glob("*.md")
    return {(page.name, name) for page in pages for name in NAMED.findall(page.read_text())}


def test_every_file_that_a_page_names_is_there():
    folders = ("zedbg", "native", "tests", "plugins")
    files = [f"/{path}" for folder in folders for path in (ROOT / folder).rglob("*.[chp]*")]
    named = named_files()
    assert len(named) > 60
    missing = {
        (page, name)
        for page, name in named
        if name not in GENERATED and not any(each.endswith(f"/{name}") for each in files)
    }
    assert missing == set()
