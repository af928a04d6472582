// Damages a module in COUNT ways drawn from SEED and runs the whole loader on each:
//   xesim_zebin_mutate FILE SEED COUNT
// A crash, a sanitizer report or an unreasonable answer ends it with a non-zero code. Prints how
// many of the damaged modules were refused and how many still loaded.
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <vector>

#include "zebin/image.hpp"

namespace {

using namespace xesim::zebin;

std::vector<std::byte> read_file(const char* path) {
  std::ifstream input(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(input), {}};
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

void damage(std::vector<std::byte>& bytes, std::mt19937_64& random) {
  const auto pick = [&](std::size_t below) { return static_cast<std::size_t>(random() % below); };
  switch (random() % 4) {
    case 0:  // truncated
      bytes.resize(pick(bytes.size()));
      return;
    case 1:  // some bytes replaced
      for (std::size_t i = 0; i <= pick(8); ++i) {
        bytes[pick(bytes.size())] = static_cast<std::byte>(random());
      }
      return;
    case 2: {  // an extreme number
      static constexpr std::uint64_t kExtremes[] = {0, 1, 0x7FFFFFFF, 0xFFFFFFFF, ~0ull, ~0ull >> 1};
      const std::uint64_t value = kExtremes[pick(std::size(kExtremes))];
      const std::size_t width = random() % 2 == 0 ? 4 : 8;
      const std::size_t at = pick(bytes.size() - width) & ~(width - 1);
      std::memcpy(bytes.data() + at, &value, width);
      return;
    }
    default: {  // a stretch moved over another
      const std::size_t size = 1 + pick(64);
      if (bytes.size() > size) {
        std::memmove(bytes.data() + pick(bytes.size() - size),
                     bytes.data() + pick(bytes.size() - size), size);
      }
      return;
    }
  }
}

// Loads, relocates and makes the debug image. False: refused with a proper report.
bool load_all(const std::vector<std::byte>& bytes) {
  const auto parsed = Image::parse(bytes);
  if (const auto* error = std::get_if<std::string>(&parsed)) {
    if (error->empty() || error->find('\n') != std::string::npos) {
      std::cerr << "not one line: " << *error << '\n';
      std::exit(1);
    }
    return false;
  }
  const auto& image = std::get<Image>(parsed);
  Placement placement;
  for (std::uint32_t i = 0; i < image.sections().size(); ++i) {
    placement[i] = 0x4000'0000'0000 + std::uint64_t{i} * 0x10'0000;
  }
  for (std::uint32_t i = 0; i < image.sections().size(); ++i) {
    constexpr std::uint64_t kReasonable = 1 << 24;  // of a NOBITS section
    if (image.sections()[i].size < kReasonable) {
      (void)image.relocated(i, placement);
    }
  }
  return image.debug_image(placement, {}).size() >= bytes.size();
}

}  // namespace

int main(int count, char** values) {
  if (count != 4) {
    std::cerr << "usage: xesim_zebin_mutate FILE SEED COUNT\n";
    return 2;
  }
  const auto original = read_file(values[1]);
  if (original.empty() || !load_all(original)) {
    std::cerr << "cannot load the undamaged file\n";
    return 1;
  }
  std::mt19937_64 random(std::strtoull(values[2], nullptr, 10));
  unsigned refused = 0;
  unsigned loaded = 0;
  for (unsigned long i = std::strtoul(values[3], nullptr, 10); i != 0; --i) {
    auto bytes = original;
    damage(bytes, random);
    ++(load_all(bytes) ? loaded : refused);
  }
  std::cout << "refused " << refused << " loaded " << loaded << '\n';
  return 0;
}
