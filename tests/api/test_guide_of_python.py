"""The examples of docs/python.md and docs/testing-kernels.md run as they stand."""

import re
import shutil
import subprocess
import sys

import pytest

from tests.support.places import KERNELS, REPOSITORY

BLUR = REPOSITORY / "zedbg" / "tools" / "demo" / "blur.zebin"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    found = BLOCK.findall((REPOSITORY / "docs" / page).read_text())
    assert len(found) > 2, page
    return found


@pytest.fixture
def folder(tmp_path):
    shutil.copy(BLUR, tmp_path)
    return tmp_path


def python(folder, *words, **options):
    return subprocess.run(
        [sys.executable, *words], cwd=folder, capture_output=True, text=True, timeout=120, **options
    )


def test_examples_of_the_guide_run_one_after_the_other(folder):
    script = folder / "guide.py"
    script.write_text("\n".join(blocks("python.md")))
    done = python(folder, script)
    assert (done.returncode, done.stderr) == (0, "")
    assert "(0, 0, 0) [0, 4] [-8.0, 9.0, 10.0, 11.0, -12.0, 13.0, 14.0, 15.0]" in done.stdout
    assert "the program has ended: Exited(code=0" in done.stdout


@pytest.mark.cases(0)
@pytest.mark.parametrize("page", ["python.md", "testing-kernels.md"])
def test_examples_pass_mypy_strictly(folder, page):
    script = folder / "examples.py"
    script.write_text("\n".join(blocks(page)))
    options = ["--strict"]
    if page.startswith("testing"):  # fixtures are named, not typed
        options += ["--allow-untyped-defs", "--allow-untyped-calls"]
    done = python(folder, "-m", "mypy", *options, script)
    assert done.returncode == 0, done.stdout


@pytest.mark.cases(0)
def test_tests_of_the_guide_run(folder):
    kernels = folder / "kernels"
    kernels.mkdir()
    shutil.copy(BLUR, kernels / "blur.zebin")
    shutil.copy(KERNELS / "src" / "vadd.cl", folder)
    (folder / "test_guide.py").write_text("\n".join(blocks("testing-kernels.md")))
    done = python(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--gpu=dg2")
    assert done.returncode == 0, done.stdout
