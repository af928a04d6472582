"""zedbg --version, in a source tree and installed."""

import importlib.metadata

import pytest

import zedbg
from zedbg.frontends.main import main


def test_the_version_is_named(capsys):
    assert main(["--version"]) == 0
    first, *found = capsys.readouterr().out.splitlines()
    assert first == f"zedbg {zedbg.__version__}"
    names = [line.strip().split(":")[0].split(" ")[0] for line in found]
    assert names == ["Python", "Level", "simulated", "Intel"]
    assert "libze_loader.so.1" in found[1] and "libze_sim_gpu.so.1" in found[2]


def test_the_installed_package_has_the_same_version():
    try:
        installed = importlib.metadata.version("zedbg")
    except importlib.metadata.PackageNotFoundError:
        pytest.fail("zedbg is not installed: ./run test installs it")
    assert installed == zedbg.__version__
