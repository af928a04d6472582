// Wrappers for the functions of drivers.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <utility>

namespace zedbg::launch {

// How many different libraries may define one of the symbols: drivers, layers, loaders.
constexpr std::size_t kOriginals = 16;

// Replaces functions of one type that several libraries define: each original has a wrapper of its
// own, which knows it by its index. `Traits` gives the function type and what to do around it.
template <typename Traits>
class Interposer {
 public:
  using Function = typename Traits::Function;

  // The wrapper of `original`; `original` itself when there is no room for one more.
  static Function wrap(Function original) {
    for (std::size_t index = 0; index < kOriginals; ++index) {
      Function expected = nullptr;
      if (originals_[index].compare_exchange_strong(expected, original) || expected == original) {
        return wrappers_[index];
      }
      if (original == wrappers_[index]) {
        return original;
      }
    }
    return original;
  }

 private:
  template <std::size_t Index, typename Result, typename... Arguments>
  static Result wrapper(Arguments... arguments) {
    return Traits::call(originals_[Index].load(), arguments...);
  }

  template <std::size_t Index, typename Result, typename... Arguments>
  static constexpr Function select(Result (*)(Arguments...)) {
    return &wrapper<Index, Result, Arguments...>;
  }

  template <std::size_t... Indices>
  static constexpr std::array<Function, kOriginals> all(std::index_sequence<Indices...>) {
    return {select<Indices>(Function{})...};
  }

  static inline std::array<std::atomic<Function>, kOriginals> originals_{};
  static constexpr std::array<Function, kOriginals> wrappers_ =
      all(std::make_index_sequence<kOriginals>{});
};

}  // namespace zedbg::launch
