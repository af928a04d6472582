"""The manual page and the completions of shells: as generated, and as those who read them want."""

import subprocess

import pytest

from tests.support.places import REPOSITORY
from zedbg.frontends.pages.command_line import options
from zedbg.frontends.pages.installed_files import installed_files

SHARE = REPOSITORY / "share"


def output(*words, **options):
    done = subprocess.run(words, capture_output=True, text=True, timeout=30, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    return done.stdout


def test_pages_are_those_that_the_declarations_give():
    """python -m zedbg.frontends.pages writes them."""
    for name, text in installed_files().items():
        assert (SHARE / name).read_text() == text, name


def test_the_manual_page_has_no_faults_and_every_option():
    page = SHARE / "man/man1/zedbg.1"
    assert output("mandoc", "-Tlint", page) == ""
    text = output("mandoc", "-Tascii", page)
    plain = output("col", "-b", input=text)
    for option in options():
        assert all(name in plain for name in option.names)
    assert "info workgroups" in plain and "scheduler-locking" in plain


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        (["--sch"], {"--scheduler"}),
        (["--scheduler", "r"], {"round-robin", "random"}),
        (["insp"], {"inspect"}),
        (["--sim=p"], {"--sim=pvc"}),
    ],
)
def test_bash_completes(typed, completed, tmp_path):
    script = f"source {SHARE / 'bash-completion/completions/zedbg'}\n"
    script += f"COMP_WORDS=(zedbg {' '.join(typed)}); COMP_CWORD={len(typed)}; _zedbg\n"
    script += 'echo "${COMPREPLY[@]}"'
    assert set(output("bash", "-c", script, cwd=tmp_path).split()) == completed


def test_fish_completes(tmp_path):
    script = f"source {SHARE / 'fish/vendor_completions.d/zedbg.fish'}; "
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    for typed, found in (("--sch", "--scheduler"), ("--scheduler r", "random"), ("doc", "doctor")):
        shown = output(
            "fish", "-c", f"{script}complete -C 'zedbg {typed}'", cwd=tmp_path, env=environment
        )
        assert found in shown


def test_zsh_reads_its_function():
    output("zsh", "-n", SHARE / "zsh/site-functions/_zedbg")
