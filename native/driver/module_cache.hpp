// Native modules that the compiler made of SPIR-V, kept on disk: other processes need the same ones.
//
// A file for each: what it was made from, byte for byte, and the module. Nothing that goes wrong here
// is more than a module that is compiled again.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace xesim::driver {

class ModuleCache {
 public:
  // In the folder that XESIM_CACHE names (none when that is empty), or else in the user's cache.
  static ModuleCache of_user();

  // Without a folder nothing is kept.
  explicit ModuleCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // The module that was made from `key`.
  [[nodiscard]] std::optional<std::vector<std::byte>> find(const std::string& key) const;

  // Keeps `module`, and gives up the oldest ones where all together are too large.
  void keep(const std::string& key, std::span<const std::byte> module) const;

 private:
  [[nodiscard]] std::filesystem::path path_of(const std::string& key) const;
  void make_room() const;

  std::filesystem::path folder_;
};

// What tells one installed compiler from another: its file, size and time of change. Empty when no
// such program is in PATH.
[[nodiscard]] std::string program_identity(const std::string& command);

}  // namespace xesim::driver
