"""The fast reader of block YAML against PyYAML's base loader."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.support.packed_modules import ZEBINS
from zedbg.zebin import Module
from zedbg.zebin.block_yaml import BlockReader

CORPUS = sorted(ZEBINS.glob("*/*.zebin"))

texts = st.one_of(
    st.sampled_from(["no", "1.73", "-1", "0x10", "true", "a b", "", "null", "~", "'", '"', "it's"]),
    st.text("abz019_.-+:#[]{},'\"&*!|>%@`=<?\\ \t", max_size=12),
)
scalars = st.one_of(st.integers().map(str), texts)
keys = st.one_of(st.from_regex(r"[a-z_]{1,6}", fullmatch=True), texts)
trees = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=4)),
    max_leaves=12,
)


def base(text):
    """What the base loader makes of ``text``; no tree when it is not YAML."""
    try:
        return yaml.load(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError:
        return "not YAML"


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_compilers_write_is_read_as_a_full_parser_reads_it(path):
    module = Module.open(path)
    text = module.section_bytes(module.section(".ze_info")).decode()
    body = text.removeprefix("---\n").rstrip("\n").removesuffix("...")
    assert BlockReader().read(body) == base(text)


@given(trees)
def test_whatever_is_read_is_what_a_full_parser_reads(tree):
    for flow in (None, False, True):
        text = yaml.safe_dump(tree, default_flow_style=flow, sort_keys=False)
        found = BlockReader().read(text)
        assert found is None or found == base(text)


lines = st.lists(
    st.builds(
        "{}{}{}{}".format,
        st.sampled_from(["", "  ", "    ", "      ", " "]),
        st.sampled_from(["", "- ", "-   "]),
        st.sampled_from(["a:", "b:", "key:", "- x:", "word", "#", "a b:", "'q':"]),
        st.sampled_from(["", " 1", " two words", " '3'", " [ 1, 2 ]", "   x   ", " |", " a: b"]),
    ),
    max_size=8,
)


@given(lines)
def test_indentation_means_what_it_means_to_a_full_parser(several):
    text = "\n".join(several) + "\n"
    found = BlockReader().read(text)
    assert found is None or found == base(text)


@pytest.mark.parametrize(
    "text",
    [
        "a:\n- b: 1\n",  # a list at its key's column
        "a: |\n  text\n",
        "a: 'it''s'\n",
        'a: "\\n"\n',
        "a: b: c\n",
        "a: 1\n  b: 2\n",
        "a: # comment\n",
        "a: &x 1\n",
        "- a\n- b\n",
        "a:\tb\n",
        "a: ä\n",
    ],
)
def test_other_shapes_are_left_to_the_full_parser(text):
    assert BlockReader().read(text) is None


def test_lines_known_from_one_text_mean_the_same_in_the_next():
    reader = BlockReader()
    assert reader.read("a:\n  b: 1\n") == {"a": {"b": "1"}}
    assert reader.read("  b: 1\n") == {"b": "1"}
    assert reader.read("a:\n") == {"a": ""}
