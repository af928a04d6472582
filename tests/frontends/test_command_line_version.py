"""zedbg --version, in a source tree and installed."""

import importlib.metadata

import pytest

import zedbg
from zedbg.frontends.main import main


def test_the_version_is_named(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"zedbg {zedbg.__version__}\n"


def test_the_installed_package_has_the_same_version():
    try:
        installed = importlib.metadata.version("zedbg")
    except importlib.metadata.PackageNotFoundError:
        pytest.fail("zedbg is not installed: ./run test installs it")
    assert installed == zedbg.__version__
