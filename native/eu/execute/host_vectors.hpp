// Routines over blocks of lanes, as the host computes them fastest: compiled twice, for hosts whose
// registers hold a block of 32-bit lanes and that multiply and add in one step, and for all others.
// Builds with sanitizers have the latter alone, so that tests see both.
#pragma once

#include "eu/isa/execution_plan.hpp"

namespace xesim::eu {

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
template <Handler kRoutine>
[[gnu::target("avx2,fma"), gnu::flatten]] Step by_wide_vectors(ExecutionContext& context,
                                                               const Instruction& instruction) {
  return kRoutine(context, instruction);
}

template <Handler kRoutine>
Handler for_host() {
  const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return wide ? by_wide_vectors<kRoutine> : kRoutine;
}
#else
template <Handler kRoutine>
Handler for_host() { return kRoutine; }
#endif

}  // namespace xesim::eu
