"""The schema of zeinfo, row by row against both documents, and the records against the schema."""

import dataclasses
import os
from pathlib import Path

import pytest
import zeinfo_documents

from zedbg.zebin import zeinfo
from zedbg.zebin.schema import (
    LATEST,
    Presence,
    Version,
    enumerations,
    tables,
    unsupported_reason,
)
from zedbg.zebin.schema_tables import LISTS

ROWS = (Path(__file__).parent / "zeinfo_rows.txt").read_text().splitlines()
VERSIONS = {"1.14": Version(1, 14), "latest": LATEST}
SPECIFICATIONS = Path(
    os.environ.get("ZEDBG_SPEC_DIR", Path(__file__).parents[3] / "shared" / "spec")
)

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


@pytest.mark.skipif(not SPECIFICATIONS.is_dir(), reason="the documents are not here")
def test_the_committed_rows_are_those_of_the_documents():
    assert zeinfo_documents.all_lines(SPECIFICATIONS) == ROWS


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
    assert attribute.type == LISTS.get(kind, kind)
    assert attribute.is_list == (kind in LISTS)
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
