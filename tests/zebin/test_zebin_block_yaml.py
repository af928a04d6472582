"""The reader of what compilers write as YAML, against PyYAML's base loader."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.support.packed_modules import ZEBINS
from zedbg.zebin import Module
from zedbg.zebin.block_yaml import BlockReader, YamlError

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


def read(text):
    """What is read of ``text``; None when it is refused."""
    try:
        return BlockReader().read(text)
    except YamlError:
        return None


def same(found, full):
    """Whether both readers say the same; an empty text is nothing to one, and "" to the other."""
    return found == full or (found == "" and full is None)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_compilers_write_is_read_as_a_full_parser_reads_it(path):
    module = Module.open(path)
    text = module.section_bytes(module.section(".ze_info")).decode()
    assert BlockReader().read(text) == base(text)


@given(trees)
def test_whatever_is_read_is_what_a_full_parser_reads(tree):
    for flow in (None, False, True):
        text = yaml.safe_dump(tree, default_flow_style=flow, sort_keys=False)
        found = read(text)
        assert found is None or same(found, base(text))


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
    found = read(text)
    assert found is None or same(found, base(text))


@pytest.mark.parametrize(
    "text",
    [
        "a:\n- b: 1\n- c\nd: 2\n",  # a list at its key's column
        "a: 'it''s'\n",
        'a: "\\n\\x41\\u00e9\\""\n',
        "a: # comment\n# another\nb: c # and one more\n",
        "- a\n- b\n-\n",
        "a: ä, b^c -d\n",
        "a: [ 1, 'b, c', [d], {e: f} ]\nb: {}\nc: []\n",
        "{a: b, c: [1, {d: e}]}\n",
        "a: b\r\nc:\r\n  - d: 1\r\n",
        "---\na: 1\n...\n",
    ],
)
def test_what_yaml_writers_write_is_read(text):
    assert BlockReader().read(text) == base(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\nb: |\n  text\n", 2),
        ("a: b: c\n", 1),
        ("a: 1\n  b: 2\n", 2),
        ("a: &x 1\nb: *x\n", 1),
        ("a: !!str 1\n", 1),
        ("a:\tb\n", 1),
        ("a: 1\nb: 'un\n", 2),
        ("a: 1\n---\nb: 2\n", 2),
        ("a: 1\n...\nb: 2\n", 3),
        ("a: two\n  lines\n", 2),
        ("a: [1,\n  2]\n", 1),
        ("? a\n: b\n", 1),
        ("- - a\n", 1),
        ('a: "\\ud800"\n', 1),
        ("a: " + "[" * 100 + "]" * 100 + "\n", 1),
        ("".join(f"{' ' * depth}a:\n" for depth in range(100)), 64),
    ],
)
def test_other_yaml_is_refused_with_its_line(text, line):
    with pytest.raises(YamlError) as refused:
        BlockReader().read(text)
    assert refused.value.line == line


def test_each_key_has_its_line():
    root = BlockReader().read("a: 1\n\nb:\n  - c: 2\n    d: 3\n  # comment\n  - e: 4\nf: {g: 5}\n")
    first, second = root["b"]
    assert [list(each.lines) for each in (root, first, second, root["f"])] == [
        [1, 3, 8],
        [4, 5],
        [7],
        [8],
    ]
    assert second.line_of("e") == 7


def test_a_key_that_is_given_again_is_noted_and_the_last_one_counts():
    root = BlockReader().read("a: 1\nb: 2\na: 3\n")
    assert root == {"a": "3", "b": "2"}
    assert root.repeated == [("a", 3)]
    assert list(root.lines) == [1, 2]


def test_lines_known_from_one_text_mean_the_same_in_the_next():
    reader = BlockReader()
    assert reader.read("a:\n  b: 1\n") == {"a": {"b": "1"}}
    assert reader.read("  b: 1\n") == {"b": "1"}
    assert reader.read("a:\n") == {"a": ""}
