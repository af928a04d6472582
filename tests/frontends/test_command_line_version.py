"""zedbg --version, installed or not."""

import importlib.metadata

from zedbg.frontends.main import main


def test_the_installed_version_is_named(monkeypatch, capsys):
    monkeypatch.setattr(importlib.metadata, "version", lambda name: {"zedbg": "7.8.9"}[name])
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == "zedbg 7.8.9\n"


def test_a_source_tree_says_that_it_is_not_installed(monkeypatch, capsys):
    def missing(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == "zedbg from a source tree that is not installed\n"
