"""The schema of zeinfo, row by row against both documents, and the records against the schema."""

import dataclasses
import re
from pathlib import Path

import pytest

from tests.support.places import SPECIFICATION
from tests.support.zebin import zeinfo_documents
from zedbg.zebin import zeinfo
from zedbg.zebin.schema import (
    LATEST,
    Presence,
    Version,
    enumerations,
    tables,
    unsupported_reason,
)

ROWS = (Path(__file__).parent / "zeinfo_rows.txt").read_text().splitlines()
VERSIONS = {"1.14": Version(1, 14), "latest": LATEST}

# The record that holds each table's attributes, and those that other fields of it hold.
RECORDS = {
    "UserAttribute": zeinfo.UserAttributes,
    "ExecutionEnv": zeinfo.ExecutionEnvironment,
    "PayloadArgument": zeinfo.PayloadArgument,
    "PerThreadPayloadArgument": zeinfo.PerThreadPayloadArgument,
    "BindingTableIndex": zeinfo.BindingTableIndex,
    "PerThreadMemoryBuffer": zeinfo.PerThreadMemoryBuffer,
    "InlineSampler": zeinfo.InlineSampler,
    "ExperimentalProperties": zeinfo.ExperimentalProperties,
    "DebugEnv": zeinfo.DebugEnvironment,
    "HostAccess": zeinfo.HostAccess,
    "ArgInfo": zeinfo.ArgumentInfo,
    "KCMArgSym": zeinfo.CostArgumentSymbol,
    "KCMLoopCountExp": zeinfo.CostLoopCount,
    "KCMLoopCost": zeinfo.CostLoop,
}
# These say how the others are nested; tests of the reader hold them.
NESTING = {"Container", "Kernel", "Function", "KernelMiscInfo", "KernelCostInfo"}
FIELD_TYPES = {"int32": "int", "bool": "bool", "str": "str", "float": "float", "int32x3": "tuple"}


@pytest.mark.skipif(not SPECIFICATION.is_dir(), reason="the documents are not here")
def test_the_committed_rows_are_those_of_the_documents():
    assert zeinfo_documents.all_lines(SPECIFICATION) == ROWS


@pytest.mark.skipif(not SPECIFICATION.is_dir(), reason="the documents are not here")
@pytest.mark.parametrize("document", VERSIONS)
def test_no_line_of_a_table_is_missing_from_the_committed_rows(document):
    """Counted without reading the tables: all lines of them but the two that head each."""
    text = (SPECIFICATION / zeinfo_documents.DOCUMENTS[document]).read_text()
    lines = re.findall(r"^\|.*$", text, re.MULTILINE)
    rules = [line for line in lines if re.fullmatch(r"[|\s-]+", line)]
    assert len(lines) - 2 * len(rules) == sum(row.startswith(f"{document}|") for row in ROWS)


@pytest.mark.parametrize("line", ROWS)
def test_every_row_of_the_documents_is_in_the_schema(line):
    document, table, *cells = line.split("|")
    version = VERSIONS[document]
    if table.startswith("<"):
        assert enumerations()[table].is_in(cells[0], version)
        return
    name, kind, presence, default = cells
    attribute = tables()[table].attributes[name]
    assert attribute.is_in(version)
    # The documents call the lists of a table's records so, and the records by another name.
    assert attribute.is_list == kind.endswith("Ty")
    if attribute.is_list:
        assert attribute.type in tables()
        assert kind not in tables()
    else:
        assert attribute.type == kind
    assert attribute.presence is Presence(presence.lower())
    assert attribute.default == default


@pytest.mark.parametrize("document", VERSIONS)
def test_the_schema_has_nothing_that_the_document_of_its_version_lacks(document):
    version = VERSIONS[document]
    listed = {tuple(line.split("|")[1:3]) for line in ROWS if line.split("|")[0] == document}
    ours = {
        (table.name, attribute.name)
        for table in tables().values()
        for attribute in table.attributes.values()
        if attribute.is_in(version) and any(name == table.name for name, _ in listed)
    }
    ours |= {
        (enumeration.name, value)
        for enumeration in enumerations().values()
        for value in enumeration.values
        if enumeration.is_in(value, version)
    }
    assert ours == listed


@pytest.mark.parametrize("table", sorted(set(tables()) - NESTING))
def test_every_attribute_is_a_typed_field_with_the_documents_default(table):
    record = RECORDS[table]
    fields = {field.name: field for field in dataclasses.fields(record)}
    for attribute in tables()[table].attributes.values():
        if attribute.until is not None:
            continue
        field = fields[attribute.name]
        assert str(field.type).startswith(FIELD_TYPES.get(attribute.type, "str")), attribute.name
        if attribute.default.startswith("["):
            assert field.default == () or str(list(field.default)) == attribute.default
        elif attribute.default:
            assert str(field.default).lower() == attribute.default, attribute.name


# The minor versions whose change notes name what they brought; what is nested in it came with it.
NAMED_IN_NOTES = {
    1: "experimental_properties",
    2: "buffer_offset",
    3: "printf_buffer",
    4: "sampler_index",
    5: "work_dimensions",
    7: "debug_env",
    8: "inline_data_payload_size",
    9: "source_offset",
    10: "thread_scheduling_mode",
    11: "require_disable_eufusion",
    12: "global_host_access_table",
    13: "functions",
    14: "slm_alignment",
    15: "image_type image_transformable sampler_type",
    17: "buffer_address",
    18: "user_attributes",
    19: "kernels_misc_info",
    20: "inline_samplers",
    21: "indirect_stateless_count",
    22: "sync_buffer",
    23: "is_pipe",
    24: "eu_thread_count",
    25: "is_ptr",
    26: "rt_global_buffer",
    27: "has_sample",
    28: "const_base global_base PayloadArgument.bti_value",
    29: "has_rtcalls",
    30: "assert_buffer",
    31: "indirect_data_pointer scratch_pointer",
    34: "region_group_size region_group_dimension region_group_wg_count",
    39: "private_size spill_size",
    40: "buffer_size",
    41: "intel_reqd_thread_group_dispatch_size",
    43: "region_group_barrier_buffer",
    44: "inline_sampler",
    47: "kernels_cost_info",
    49: "quantum_size quantum_walk_order quantum_partition_dimension",
    50: "generate_local_id",
    52: "has_lsc_stores_with_non_default_l1_cache_controls",
    54: "require_iab",
    59: "has_printf_calls has_indirect_calls",
    61: "require_assert_buffer require_sync_buffer",
}
NOTED = {name: minor for minor, names in NAMED_IN_NOTES.items() for name in names.split()}
# The argument types of images and samplers came with 1.15, some went with 1.64.
IMAGE_ARGUMENTS = re.compile(r"(flat_)?image_|sampler_")
REMOVED = {f"flat_image_{each}": 64 for each in ("baseoffset", "height", "width", "pitch")}
REMOVED["actual_kernel_start_offset"] = 6


def brought(name):
    """The minor version that brought the table or enumeration ``name``: the first use of it."""
    uses = [
        max(brought(table.name), NOTED.get(attribute.name, 0))
        for table in tables().values()
        for attribute in table.attributes.values()
        if attribute.type == name
    ]
    return min(uses, default=0)


def noted_minor(owner, name):
    if owner == "<argument_type>" and IMAGE_ARGUMENTS.match(name):
        return 15
    return max(brought(owner), NOTED.get(name, 0), NOTED.get(f"{owner}.{name}", 0))


def schema_versions():
    """Owner, name, and the versions that brought and removed it, of the whole schema."""
    for table in tables().values():
        for attribute in table.attributes.values():
            yield table.name, attribute.name, attribute.since, attribute.until
    for enumeration in enumerations().values():
        for value, (since, until) in enumeration.values.items():
            yield enumeration.name, value, since, until


def test_every_version_is_that_of_the_change_notes():
    names = set()
    for owner, name, since, until in schema_versions():
        names |= {name, f"{owner}.{name}"}
        assert since == Version(1, noted_minor(owner, name)), (owner, name)
        gone = None if until is None else until.minor
        assert gone == REMOVED.get(name), (owner, name)
    assert names >= set(NOTED) | set(REMOVED)


def test_what_versions_brought_and_removed_is_known_only_between():
    environment = tables()["ExecutionEnv"].attributes
    assert environment["actual_kernel_start_offset"].is_in(Version(1, 5))
    assert not environment["actual_kernel_start_offset"].is_in(Version(1, 6))
    assert not environment["require_iab"].is_in(Version(1, 53))
    assert environment["require_iab"].is_in(Version(1, 54))
    kinds = enumerations()["<argument_type>"]
    assert kinds.is_in("flat_image_height", Version(1, 20))
    assert not kinds.is_in("flat_image_height", Version(1, 64))
    assert not kinds.is_in("no_such_type", Version(1, 65))


def test_a_newer_major_version_is_refused_and_a_newer_minor_is_not():
    assert unsupported_reason("1.99") is None
    assert unsupported_reason("") is None
    assert "version 2.0" in unsupported_reason("2.0")
