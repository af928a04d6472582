// The extended math functions, computed in double precision and rounded once: within one unit in
// the last place of what they approximate, as the hardware's results are.
#include <cmath>

#include "eu/execute/lane_operation.hpp"
#include "eu/execute/operations.hpp"

namespace xesim::eu {

namespace {

template <double (*kFunction)(double)>
Step evaluate(ExecutionContext& context, const Instruction& instruction) {
  Lanes<float> a;
  load_source(context, instruction, 0, a.value);
  for (unsigned lane = 0; lane < context.lane_count; ++lane) {
    // A disabled lane may hold anything: do not spend a library call on it.
    if ((context.lanes >> lane & 1) == 0) continue;
    a.value[lane] = static_cast<float>(kFunction(a.value[lane]));
  }
  return finish(context, instruction, a.value);
}

// The macros of IEEE division and square root. On hardware math.invm and math.rsqtm give a first
// approximation, with extra bits in mme registers, that a chain of madm refines; where the result
// is special (zero, infinity, NaN) they give that itself and set `eo`, early out, which skips the
// chain. Here every result is final, as the rounding mode says, and every channel takes the early
// out; the chain's own result would be the same.
template <class T>
Step finish_macro(ExecutionContext& context, const Instruction& instruction, const T* result) {
  if (!instruction.plan.destination.store(context, instruction, result)) return Step::Illegal;
  write_flags(context, instruction, ~0u);
  return Step::Next;
}

template <class T>
Step final_quotient(ExecutionContext& context, const Instruction& instruction) {
  Lanes<T> a;
  Lanes<T> b;
  load_source(context, instruction, 0, a.value);
  load_source(context, instruction, 1, b.value);
  for (unsigned lane = 0; lane < context.lane_count; ++lane) {
    a.value[lane] = a.value[lane] / b.value[lane];
  }
  return finish_macro(context, instruction, a.value);
}

template <class T>
Step final_square_root(ExecutionContext& context, const Instruction& instruction) {
  Lanes<T> a;
  load_source(context, instruction, 0, a.value);
  for (unsigned lane = 0; lane < context.lane_count; ++lane) {
    a.value[lane] = std::sqrt(a.value[lane]);
  }
  return finish_macro(context, instruction, a.value);
}

Handler select_macro(MathFunction function, LaneType lanes) {
  const bool is_double = lanes == LaneType::Float64;
  if (function == MathFunction::Invm) {
    return is_double ? final_quotient<double> : final_quotient<float>;
  }
  return is_double ? final_square_root<double> : final_square_root<float>;
}

double inverse(double x) { return 1.0 / x; }
double logarithm(double x) { return std::log2(x); }
double exponential(double x) { return std::exp2(x); }
double square_root(double x) { return std::sqrt(x); }
double inverse_square_root(double x) { return 1.0 / std::sqrt(x); }
double sine(double x) { return std::sin(x); }
double cosine(double x) { return std::cos(x); }

}  // namespace

Handler select_math(const Instruction& instruction, LaneType lanes) {
  if (instruction.math == MathFunction::Invm || instruction.math == MathFunction::Rsqtm) {
    return select_macro(instruction.math, lanes);
  }
  if (lanes != LaneType::Float32) return nullptr;
  switch (instruction.math) {
    case MathFunction::Inv: return evaluate<inverse>;
    case MathFunction::Log: return evaluate<logarithm>;
    case MathFunction::Exp: return evaluate<exponential>;
    case MathFunction::Sqt: return evaluate<square_root>;
    case MathFunction::Rsqt: return evaluate<inverse_square_root>;
    case MathFunction::Sin: return evaluate<sine>;
    case MathFunction::Cos: return evaluate<cosine>;
    // The macros are above.
    case MathFunction::Invm: case MathFunction::Rsqtm: case MathFunction::None:
      return nullptr;
  }
  return nullptr;
}

}  // namespace xesim::eu
