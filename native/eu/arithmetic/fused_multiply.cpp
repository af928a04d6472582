#include "eu/arithmetic/fused_multiply.hpp"

#include <cmath>

namespace xesim::eu {

namespace {

void fuse_portably(const float* addend, const float* a, const float* b, float* result) {
  for (unsigned lane = 0; lane < kFusedLanes; ++lane) {
    result[lane] = std::fma(a[lane], b[lane], addend[lane]);
  }
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void fuse_by_host(const float* addend, const float* a, const float* b,
                                              float* result) {
  for (unsigned lane = 0; lane < kFusedLanes; ++lane) {
    result[lane] = __builtin_fmaf(a[lane], b[lane], addend[lane]);
  }
}
#endif

FusedBlock choose_fused_block() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2")) return fuse_by_host;
#endif
  return fuse_portably;
}

}  // namespace

const FusedBlock fuse_block = choose_fused_block();

}  // namespace xesim::eu
