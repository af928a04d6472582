"""No circle between modules of zedbg, nor between its folders: imports for types count as well."""

import ast
import graphlib
from pathlib import Path

import pytest

import zedbg

PACKAGE = Path(zedbg.__file__).parent


def name_of(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


MODULES = {name_of(path): path for path in PACKAGE.rglob("*.py")}


def imports_of(path):
    """Every module of zedbg that the file names in an import, wherever the import stands."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in MODULES else node.module


def module_graph():
    return {name: set(imports_of(path)) - {name} for name, path in MODULES.items()}


def folder_of(module):
    """The folder of a module; a file that lies in the package itself is a folder of its own."""
    path = MODULES[module]
    return module if path.name == "__init__.py" or path.parent == PACKAGE else name_of(path.parent)


def folder_graph():
    graph = {}
    for module, imported in module_graph().items():
        folder = folder_of(module)
        known = graph.setdefault(folder, set())
        known |= {folder_of(each) for each in imported} - {folder}
    return graph


@pytest.mark.parametrize("graph", [module_graph, folder_graph])
def test_no_circle(graph):
    try:
        graphlib.TopologicalSorter(graph()).prepare()
    except graphlib.CycleError as error:
        pytest.fail("a circle of imports: " + " -> ".join(error.args[1]))


def test_a_circle_is_found():
    with pytest.raises(graphlib.CycleError):
        graphlib.TopologicalSorter({"a": {"b"}, "b": {"a"}}).prepare()
