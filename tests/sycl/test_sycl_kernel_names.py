"""Kernel names as their authors wrote them, against c++filt."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from zedbg.sycl import demangled

# Types that kernels are named after: classes, templates of every kind of argument, lambdas.
SOURCE = """
#include <typeinfo>
#include <complex>
#include <vector>
#include <functional>
namespace app { namespace detail {
template <typename T, int N> struct Kernel { template <typename U> struct Inner {}; };
template <unsigned char A, unsigned B, long C, unsigned long D, bool E> struct Numbers {};
template <long long A, unsigned long long B> struct Long {};
enum class Layout { row, column };
template <Layout L, typename... T> struct Pack {};
template <template <typename...> class C> struct Template {};
template <auto F> struct Function {};
}}
void called(int) {}
namespace { struct Hidden {}; }
const std::type_info *volatile seen;
template <typename T> void use(const T &) { seen = &typeid(T); }
void submit(int x) {
  using namespace app::detail;
  use(Kernel<float, 4>{});
  use(Kernel<std::complex<double>, -3>::Inner<std::vector<int>>{});
  use(Numbers<200, 3u, -5, 7ul, true>{});
  use(Long<-9, 10>{});
  use(Pack<Layout::column>{});
  use(Pack<Layout::row, char, const short *, int (&)[3], double (*)(long, ...)>{});
  use(Template<std::vector>{});
  use(Function<called>{});
  use(Hidden{});
  use(std::multiplies<unsigned short>{});
  use([=] { return x; });
  use([](int, float) {});
  use([](const std::vector<Kernel<int, 0>> &) { use([] {}); });
  struct Local {} local;
  use(local);
}
"""


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    directory = tmp_path_factory.mktemp("names")
    (directory / "names.cpp").write_text(SOURCE)
    subprocess.run(
        ["g++", "-std=c++17", "-c", "names.cpp", "-o", "names.o"], cwd=directory, check=True
    )
    symbols = subprocess.run(["nm", "names.o"], cwd=directory, check=True, capture_output=True)
    found = [line.split()[-1] for line in symbols.stdout.decode().splitlines()]
    return sorted(name for name in found if name.startswith("_ZTS"))


def test_every_kind_of_type_is_demangled_as_by_cxxfilt(names):
    filtered = subprocess.run(
        ["c++filt"], input="\n".join(names), check=True, capture_output=True, text=True
    ).stdout.splitlines()
    assert len(names) >= 14
    ours = [demangled(name) for name in names]
    # c++filt puts functions that are arguments of templates into parentheses.
    filtered = [line.replace("&(called(int))", "&called(int)") for line in filtered]
    assert ours == [line.removeprefix("typeinfo name for ") for line in filtered]


def test_packs_without_arguments_leave_nothing_of_their_references():
    names = ["_Z1fIJEEvDpRT_", "_Z1fIJEEviDpPKT_", "_Z1fIJEEvDpT_", "_Z1fIJiEEvDpRT_"]
    names += ["_Z1gIJEEvRA3_iDpOT_", "_Z1hPFvPKcE"]
    filtered = subprocess.run(
        ["c++filt", *names], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    assert [demangled(name) for name in names] == filtered


def test_names_that_are_not_mangled_stay():
    for name in ("", "vadd", "_Z", "_ZTS", "_ZTSN3appE3", "_Z" + "N" * 100_000):
        assert demangled(name) == name


def test_a_kernel_within_a_function_has_its_whole_declaration():
    name = "_ZTSZ6submitI5OuterEvPNT_5InnerEEUlvE_"
    assert demangled(name) == "void submit<Outer>(Outer::Inner*)::{lambda()#1}"


def test_a_name_that_would_say_the_same_a_million_times_stays():
    name = "_ZTS1AIiE"
    for level in range(7):
        name = name.replace("_ZTS", f"_ZTS1{chr(66 + level)}I") + "S0_" * 10 + "E"
    assert demangled(name) == name


@pytest.mark.skipif(shutil.which("c++filt") is None, reason="needs binutils")
def test_free_functions_are_demangled_with_their_parameters():
    assert demangled("_Z18__sycl_kernel_iotaPii") == "__sycl_kernel_iota(int*, int)"
