// Which global memory the instructions of a launch write: searches note what they see, and later ones do not
// look where nothing can be. A launch's time is cut into pieces; of each there is a table of bits for cache
// lines, by a hash of the address, so that it may name too many of them.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>

namespace xesim::time {

class WrittenLines {
 public:
  static constexpr std::uint64_t kPieceInstructions = 64 * 1024;

  // The instruction of this time writes `size` bytes there.
  void note(std::uint64_t time, std::uint64_t address, std::uint64_t size);
  // Everything that instructions from `begin` to before `end` write has been noted.
  void cover(std::uint64_t begin, std::uint64_t end);
  // Whether no instruction from `begin` to before `end`, which are in one piece, writes to the addresses from
  // `first` to before `last`. False also where nobody knows.
  [[nodiscard]] bool is_free(std::uint64_t begin, std::uint64_t end, std::uint64_t first,
                             std::uint64_t last) const;

  [[nodiscard]] static std::uint64_t piece_begin(std::uint64_t time) {
    return time / kPieceInstructions * kPieceInstructions;
  }
  // About, in bytes of the host.
  [[nodiscard]] std::uint64_t size() const { return pieces_.size() * sizeof(Piece); }

 private:
  static constexpr unsigned kHashBits = 15;
  struct Piece {
    std::bitset<std::size_t{1} << kHashBits> lines;
    std::uint64_t covered_begin = 0;     // times; equal: none
    std::uint64_t covered_end = 0;
  };
  static std::size_t bit_of(std::uint64_t line) {
    constexpr std::uint64_t kGoldenRatio = 0x9E37'79B9'7F4A'7C15;
    return static_cast<std::size_t>(line * kGoldenRatio >> (64 - kHashBits));
  }

  std::map<std::uint64_t, Piece> pieces_;   // by time / kPieceInstructions
  std::uint64_t last_number_ = 0;        // of the piece that was noted in last
  Piece* last_ = nullptr;
};

}  // namespace xesim::time
