"""What the check of zeinfo finds, with its path and line, and what reading says of versions."""

import pytest

from tests.support.packed_modules import ZEBINS
from zedbg.zebin import Module, ZebinError
from zedbg.zebin.zeinfo_check import Severity, check
from zedbg.zebin.zeinfo_reader import ZeInfo

CORPUS = sorted(ZEBINS.glob("*/*.zebin"))
GOOD = """\
---
version:         '1.65'
kernels:
  - name:            k
    execution_env:
      grf_count:       128
      simd_size:       16
    payload_arguments:
      - arg_type:        arg_byvalue
        offset:          0
        size:            4
        arg_index:       0
...
"""


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_compilers_write_is_without_fault(path):
    module = Module.open(path)
    assert check(module.section_bytes(module.section(".ze_info")).decode()) == []


@pytest.mark.parametrize(
    ("old", "new", "line", "where", "problem"),
    [
        ("grf_count:       128", "grf_count:       many", 6, "grf_count", "'many' where int32"),
        ("grf_count:       128", "grf_count:       99999999999", 6, "grf_count", "int32"),
        ("grf_count:       128", "has_dpas:        maybe", 6, "has_dpas", "bool"),
        ("      grf_count:       128\n", "", 6, "execution_env", "grf_count is missing"),
        ("simd_size:       16", "simd_size:       [ 1 ]", 7, "simd_size", "a list where int32"),
        ("arg_byvalue", "arg_byguess", 9, "payload_arguments[0].arg_type", "no <argument_type>"),
        ("        size:            4\n", "", 9, "payload_arguments[0]", "size is missing"),
        ("size:            4", "warp_drive:      4", 11, "warp_drive", "no attribute of Payload"),
        ("simd_size:       16", "grf_count:       128", 7, "grf_count", "given twice"),
        ("name:            k", "name:            [ k ]", 4, "kernels[0].name", "where str"),
        ("version:         '1.65'", "version:         '2.0'", 2, "version", "major version 2"),
        ("version:         '1.65'", "version:         new", 2, "version", "MAJOR.MINOR"),
        ("version:         '1.65'\n", "", 2, "", "version is missing"),
        ("kernels:\n", "kernels: none\nother:\n", 3, "kernels", "where a list of Kernel"),
        ("kernels:\n", "kernels: [\n", None, "", "not YAML"),
    ],
)
def test_faults_are_found_where_they_are(old, new, line, where, problem):
    assert old in GOOD
    findings = check(GOOD.replace(old, new, 1))
    fitting = [f for f in findings if problem in f.problem and f.path.endswith(where)]
    assert fitting, findings
    assert line is None or fitting[0].line == line
    assert all(f.severity is Severity.ERROR for f in fitting)


def test_a_faultless_document_has_no_findings():
    assert check(GOOD) == []


def test_an_attribute_is_wrong_in_a_version_before_the_one_that_brought_it():
    text = GOOD.replace("128\n", "128\n      require_iab:     true\n", 1)
    assert check(text) == []
    (finding,) = check(text.replace("1.65", "1.53"))
    assert finding.path == "kernels[0].execution_env.require_iab"
    assert finding.problem == "came with version 1.54; the file has 1.53"
    removed = GOOD.replace("128\n", "128\n      actual_kernel_start_offset: 4\n", 1)
    assert "removed in version 1.6" in check(removed)[0].problem
    assert check(removed.replace("1.65", "1.5")) == []


def test_what_a_newer_minor_version_brings_is_noted_and_kept():
    text = GOOD.replace("1.65", "1.99").replace("128\n", "128\n      warp_drive: 9\n", 1)
    (finding,) = check(text)
    assert finding.severity is Severity.NOTE
    assert (finding.path, finding.line) == ("kernels[0].execution_env.warp_drive", 7)
    info = ZeInfo(text + "", "new").kernel("k")
    assert info.unknown == [("execution_env.warp_drive", "9")]
    assert ZeInfo(text.replace("kernels:", "moons: 3\nkernels:"), "new").unknown == {"moons": "3"}


def test_a_newer_major_version_is_refused_in_one_line():
    with pytest.raises(ZebinError, match=r"k.zebin: .ze_info has version 2.0") as caught:
        ZeInfo(GOOD.replace("1.65", "2.0"), "k.zebin").kernel("k")
    assert "\n" not in str(caught.value)


def test_functions_host_names_and_costs_are_read():
    text = (
        "version: '1.65'\nkernels: []\n"
        "functions:\n  - name: f\n    execution_env:\n      grf_count: 256\n      simd_size: 8\n"
        "global_host_access_table:\n  - device_name: _Z1g\n    host_name: g\n"
        "kernels_cost_info:\n  - name: k\n    kcm_loop_count_exps:\n"
        "      - factor: 1.5\n        argsym_index: 0\n        C: -2\n"
        "    Kcm_loop_costs:\n      - cycle: 7\n        bytes_loaded: 1\n        bytes_stored: 2\n"
        "        num_loops: 0\n...\n"
    )
    assert check(text) == []
    info = ZeInfo(text, "test")
    assert [(f.name, f.execution.grf_count) for f in info.functions] == [("f", 256)]
    assert [(h.device_name, h.host_name) for h in info.host_accesses] == [("_Z1g", "g")]
    (cost,) = info.costs
    assert (cost.loop_counts[0].factor, cost.loop_counts[0].C) == (1.5, -2.0)
    assert cost.loops[0].cycle == 7
    assert info.kernel_names == []
