// The modules that the debuggee has loaded, as a debugger sees them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "debug/module_description.hpp"
#include "debug/wire.hpp"

namespace xesim::debug {

// Not locked: the server does that.
class ModuleRegistry {
 public:
  // `needs_acknowledge`: its loader will wait until acknowledge() or acknowledge_all().
  void add(const ModuleDescription& description, bool needs_acknowledge);
  void remove(std::uint64_t id);
  [[nodiscard]] bool contains(std::uint64_t id) const;
  [[nodiscard]] bool awaits_acknowledge(std::uint64_t id) const;
  void acknowledge(std::uint64_t id);
  void acknowledge_all();

  // The announcement of a module that is registered.
  [[nodiscard]] wire::ModuleLoaded announcement(std::uint64_t id) const;
  [[nodiscard]] std::vector<std::uint64_t> loaded() const;  // ids, in order of loading

  // The image bytes from `address` to the end of its image; empty when no image holds it. Images
  // of unloaded modules stay readable until forget_unloaded(), as the API promises.
  [[nodiscard]] std::span<const std::byte> image_at(std::uint64_t address) const;
  void forget_unloaded();

 private:
  struct Module {
    std::uint64_t id = 0;
    std::uint64_t load_address = 0;
    device::Tiles tiles = device::kAllTiles;
    bool awaits_acknowledge = false;
    bool loaded = true;
    std::shared_ptr<const std::vector<std::byte>> image;
  };
  [[nodiscard]] const Module* find(std::uint64_t id) const;

  std::vector<Module> modules_;
};

}  // namespace xesim::debug
