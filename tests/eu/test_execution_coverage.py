"""docs/coverage.md says what kernels execute, and what none reaches has a directed test."""

from __future__ import annotations

import pytest

from tests.support.places import REPOSITORY
from tests.support.xe import execution_coverage as coverage
from tests.support.xe.directed_tests import of_opcode


@pytest.fixture(scope="module")
def measured() -> coverage.Coverage:
    return coverage.measure()


@pytest.mark.cases(0)
def test_the_page_is_what_the_kernels_execute(measured: coverage.Coverage) -> None:
    page = (REPOSITORY / "docs" / "coverage.md").read_text()
    assert coverage.document(measured) == page, (
        "the kernels execute something else now: "
        "python -m tests.support.xe.execution_coverage > docs/coverage.md"
    )


@pytest.mark.cases(0)
def test_an_opcode_that_no_kernel_executes_has_a_directed_test(
    measured: coverage.Coverage,
) -> None:
    for device in coverage.EACH_PLATFORM:
        for name in coverage.opcode_names(device):
            reached = device in measured.opcodes[name].kernels
            assert reached or of_opcode(name), f"nothing executes {name} on {device}"


@pytest.mark.cases(0)
def test_a_message_that_no_kernel_sends_has_a_directed_test(measured: coverage.Coverage) -> None:
    unreached = coverage.unreached_messages(measured)
    assert {name for name, tests in unreached.items() if not tests} == set()


@pytest.mark.parametrize(
    ("name", "operation", "form"),
    [
        ("load.ugm.d32x2.a64.ca.ca", "load.ugm", "d32x2 a64"),
        ("load.ugm.d16u32.a32.ca.ca.bss[a0.0]", "load.ugm", "d16u32 a32 bss"),
        ("fence.ugm.evict.gpu", "fence.ugm", "evict gpu"),
        ("a64 byte gathering read 16b", "a64 byte gathering read", "16b"),
        ("a64 float atomic add (32b) with return", "a64 float atomic add", "32b"),
        ("untyped surface read with xyz", "untyped surface read", "xyz"),
        ("smpl sample_l 16b with sampler 2", "smpl sample_l", "16b"),
        ("end of thread", "end of thread", ""),
    ],
)
def test_names_of_messages_are_operation_and_form(name: str, operation: str, form: str) -> None:
    assert coverage.split_message(name) == (operation, form)
