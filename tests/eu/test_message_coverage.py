"""Every send of the kernel corpus is executed, or listed here with the reason why not.

The oracle for names is Intel's disassembler, iga64: what it says in a comment after a send and
what the execution unit calls the same message must agree.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.xe.message_sweep import (
    DG2_MODULES,
    MEANINGLESS,
    SLM,
    UGM,
    hdc_descriptors,
    lsc_descriptors,
    message_template,
    module_sends,
    probe,
    with_descriptor,
    without_scoreboard,
)

# Messages of the corpus that are not executed: the execution unit's name, and why.
NOT_EXECUTED: dict[str, str] = {}


def _iga_comments(instructions: list[bytes], scratch: Path) -> list[str]:
    """What iga64 says of each send after its lengths; empty where it says nothing."""
    if shutil.which("iga64") is None:
        pytest.skip("iga64 (Debian: libigc-tools) is not installed")
    binary = scratch / "sends.bin"
    binary.write_bytes(b"".join(instructions))
    run = subprocess.run(
        ["iga64", "-d", "-p=12p71", str(binary)], capture_output=True, text=True, check=False
    )
    lines = [line for line in run.stdout.splitlines() if "send" in line]
    assert len(lines) == len(instructions)
    comments = [re.search(r"// wr:[^;]*; (.*)$", line) for line in lines]
    return [match.group(1).strip() if match else "" for match in comments]


@pytest.fixture(scope="module")
def corpus_sends() -> list[bytes]:
    sends = {without_scoreboard(send) for zebin in DG2_MODULES for send in module_sends(zebin)}
    assert len(sends) > 1000
    return sorted(sends)


def test_every_send_of_the_corpus_is_executed_or_listed(corpus_sends: list[bytes]) -> None:
    probed = probe(corpus_sends)
    assert len(probed) == len(corpus_sends)
    surprises = {
        (message.verdict, message.name, message.report)
        for message in probed
        if message.verdict not in ("executed", "dynamic")
        and not any(re.match(pattern, message.name) for pattern in NOT_EXECUTED)
    }
    assert surprises == set()
    assert sum(message.verdict == "executed" for message in probed) > 0.95 * len(probed)


def test_nothing_is_listed_that_is_executed(corpus_sends: list[bytes]) -> None:
    probed = probe(corpus_sends)
    for pattern in NOT_EXECUTED:
        verdicts = {message.verdict for message in probed if re.match(pattern, message.name)}
        assert verdicts == {"unsupported"}, pattern


def test_descriptors_in_registers_occur_only_where_images_are_used() -> None:
    sends = [(zebin.stem, send) for zebin in DG2_MODULES for send in set(module_sends(zebin))]
    probed = probe(send for _, send in sends)
    users = {
        kernel
        for (kernel, _), message in zip(sends, probed, strict=True)
        if message.verdict == "dynamic"
    }
    assert {user.partition("_")[0] for user in users} == {"image"}


def _comparable(iga: str) -> bool:
    """Whether iga64 gave the comment that names a message, not an error or nothing."""
    nameless = r"u(,v)?(,r)?$|(simd[\d/]+|unknown simd mode) .*sample|fence invalid|typed"
    return iga != "" and not re.match(nameless, iga)


def _same_name(ours: str, iga: str) -> bool:
    # iga64 does not say how many elements each address of an a64 scatter or gather has.
    return re.sub(r"^(a64 [dq]word (?:gather|scatter)ing \w+) x\d+$", r"\1", ours) == iga


def test_names_in_the_corpus_are_those_of_iga64(corpus_sends: list[bytes], tmp_path: Path) -> None:
    names = [message.name for message in probe(corpus_sends)]
    comments = _iga_comments(corpus_sends, tmp_path)
    compared = [pair for pair in zip(names, comments, strict=True) if _comparable(pair[1])]
    assert len(compared) > 0.8 * len(corpus_sends)  # of images iga64 says less
    assert {pair for pair in compared if not _same_name(*pair)} == set()


def _disagreements(sends: list[bytes], scratch: Path) -> tuple[set[tuple[str, str]], int]:
    """Names that differ among those messages that both sides know, and how many those are."""
    compared = [
        (message.name, comment)
        for message, comment in zip(probe(sends), _iga_comments(sends, scratch), strict=True)
        if _comparable(comment) and not MEANINGLESS.search(message.report)
    ]
    return {pair for pair in compared if not _same_name(*pair)}, len(compared)


def test_names_of_all_lsc_messages_are_those_of_iga64(
    corpus_sends: list[bytes], tmp_path: Path
) -> None:
    template = message_template(corpus_sends)
    sends = [
        with_descriptor(template, function, descriptor)
        for function in (UGM, SLM)
        for descriptor in lsc_descriptors()
    ]
    different, compared = _disagreements(sends, tmp_path)
    assert different == set()
    assert compared > 5000


def test_names_of_all_hdc_messages_are_those_of_iga64(
    corpus_sends: list[bytes], tmp_path: Path
) -> None:
    template = message_template(corpus_sends)
    sends = [
        with_descriptor(template, function, descriptor)
        for function, descriptor in hdc_descriptors()
    ]
    different, compared = _disagreements(sends, tmp_path)
    assert different == set()
    assert compared > 700
