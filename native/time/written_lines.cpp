#include "time/written_lines.hpp"

#include <algorithm>

namespace xesim::time {

namespace {

constexpr std::uint64_t kLineBytes = 64;
// Of a longer range it is not worth to ask.
constexpr std::uint64_t kMostLines = 1024;

}  // namespace

void WrittenLines::note(std::uint64_t time, std::uint64_t address, std::uint64_t size) {
  const std::uint64_t number = time / kPieceInstructions;
  if (last_ == nullptr || number != last_number_) {
    last_ = &pieces_[number];
    last_number_ = number;
  }
  for (std::uint64_t line = address / kLineBytes; line * kLineBytes < address + size; ++line) {
    last_->lines.set(bit_of(line));
  }
}

void WrittenLines::cover(std::uint64_t begin, std::uint64_t end) {
  while (begin < end) {
    const std::uint64_t next = std::min(end, piece_begin(begin) + kPieceInstructions);
    Piece& piece = pieces_[begin / kPieceInstructions];
    if (begin <= piece.covered_end && piece.covered_begin <= next &&
        piece.covered_begin != piece.covered_end) {
      piece.covered_begin = std::min(piece.covered_begin, begin);
      piece.covered_end = std::max(piece.covered_end, next);
    } else if (next - begin > piece.covered_end - piece.covered_begin) {
      piece.covered_begin = begin;
      piece.covered_end = next;
    }
    begin = next;
  }
}

bool WrittenLines::is_free(std::uint64_t begin, std::uint64_t end, std::uint64_t first,
                           std::uint64_t last) const {
  const auto found = pieces_.find(begin / kPieceInstructions);
  if (found == pieces_.end() || begin < found->second.covered_begin ||
      end > found->second.covered_end || (last - first) / kLineBytes >= kMostLines) {
    return false;
  }
  for (std::uint64_t line = first / kLineBytes; line * kLineBytes < last; ++line) {
    if (found->second.lines.test(bit_of(line))) {
      return false;
    }
  }
  return true;
}

}  // namespace xesim::time
