// What the routines on whole registers compute in a lane, and in a block of lanes.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "eu/arithmetic/bitwise.hpp"
#include "eu/isa/instruction.hpp"
#include "eu/operands/lane_block.hpp"

namespace xesim::eu::words {

struct Copy {
  template <class T>
  static T apply(T a) { return a; }
};
struct Add {
  template <class T>
  static T apply(T a, T b) { return a + b; }
};
struct Multiply {
  template <class T>
  static T apply(T a, T b) { return a * b; }
};
struct ShiftLeft {
  template <class T>
  static T apply(T a, T b) { return a << (b & 31); }
};
struct ShiftRight {
  template <class T>
  static T apply(T a, T b) { return a >> (b & 31); }
};
struct RotateLeft {
  template <class T>
  static T apply(T a, T b) { return std::rotl(a, static_cast<int>(b & 31)); }
};
struct RotateRight {
  template <class T>
  static T apply(T a, T b) { return std::rotr(a, static_cast<int>(b & 31)); }
};
struct Add3 {
  template <class T>
  static T apply(T a, T b, T c) { return a + b + c; }
};
struct MultiplyAdd {
  template <class T>
  static T apply(T a, T b, T c) { return a + b * c; }
};
struct FusedMultiplyAdd {
  template <class T>
  static T apply(T a, T b, T c) { return std::fma(b, c, a); }
};

// What an operation does to a block.
template <class Operation>
struct EachLane {
  template <class T, class... Rest>
  static void apply(const Instruction&, T* out, const Block<T>& first, const Rest&... rest) {
    for (unsigned lane = 0; lane < kLaneBlock; ++lane) {
      out[lane] = Operation::template apply<T>(first[lane], rest[lane]...);
    }
  }
};
// The same, for a second source that is a number: hosts shift all lanes by one count at once.
template <class Operation>
struct OneCount {
  template <class T>
  static void apply(const Instruction&, T* out, const Block<T>& first, const Block<T>& count) {
    const T places = count[0];
    for (unsigned lane = 0; lane < kLaneBlock; ++lane) {
      out[lane] = Operation::template apply<T>(first[lane], places);
    }
  }
};
// Any function of three bits: the truth table is indexed by src2, src1, src0 from its high bit.
struct BooleanFunction {
  using Word = std::uint32_t;
  static Word choose(Word by, Word zero, Word one) { return zero ^ ((zero ^ one) & by); }
  static void apply(const Instruction& instruction, Word* out, const Block<Word>& a,
                    const Block<Word>& b, const Block<Word>& c) {
    Block<Word> rows;
    for (unsigned row = 0; row < rows.size(); ++row) {
      rows[row] = (instruction.boolean_function >> row & 1) != 0 ? ~0u : 0;
    }
    for (unsigned lane = 0; lane < kLaneBlock; ++lane) {
      const Word x = a[lane];
      const Word y = b[lane];
      const Word low = choose(y, choose(x, rows[0], rows[1]), choose(x, rows[2], rows[3]));
      const Word high = choose(y, choose(x, rows[4], rows[5]), choose(x, rows[6], rows[7]));
      out[lane] = choose(c[lane], low, high);
    }
  }
};

}  // namespace xesim::eu::words
