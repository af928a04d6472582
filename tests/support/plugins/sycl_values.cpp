// Values of SYCL's types, as its headers lay them out.
#include <sycl/sycl.hpp>

sycl::range<1> one{7};
sycl::range<3> three{2, 3, 4};
sycl::id<1> single{9};
sycl::id<2> place{5, 6};
sycl::vec<float, 4> floats{1, 2, 3, 4.5f};
sycl::vec<int, 3> integers{1, 2, 3};
sycl::marray<int, 3> many{4, 5, 6};
sycl::half half{1.5f};
sycl::ext::oneapi::bfloat16 brain{2.5f};
sycl::nd_range<2> launch{sycl::range<2>{8, 8}, sycl::range<2>{4, 4}};

extern "C" int stop() { return 0; }
int main() { return stop() + int(one[0] + floats.size() + place[0]); }
