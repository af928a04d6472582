// Bitwise operations, for routines on lanes and on whole registers.
#pragma once

namespace xesim::eu {

struct And {
  template <class T>
  static T apply(T a, T b) { return a & b; }
};

struct Or {
  template <class T>
  static T apply(T a, T b) { return a | b; }
};

struct Xor {
  template <class T>
  static T apply(T a, T b) { return a ^ b; }
};

}  // namespace xesim::eu
