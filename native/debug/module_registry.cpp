#include "debug/module_registry.hpp"

#include <algorithm>

namespace xesim::debug {

void ModuleRegistry::add(const ModuleDescription& description, bool needs_acknowledge) {
  modules_.push_back({description.id, description.load_address, description.tiles,
                      needs_acknowledge, true,
                      std::make_shared<const std::vector<std::byte>>(description.debug_image)});
}

void ModuleRegistry::remove(std::uint64_t id) {
  for (Module& module : modules_) {
    if (module.id == id) module.loaded = module.awaits_acknowledge = false;
  }
}

const ModuleRegistry::Module* ModuleRegistry::find(std::uint64_t id) const {
  const auto found = std::ranges::find_if(
      modules_, [id](const Module& module) { return module.loaded && module.id == id; });
  return found == modules_.end() ? nullptr : &*found;
}

bool ModuleRegistry::contains(std::uint64_t id) const { return find(id) != nullptr; }

bool ModuleRegistry::awaits_acknowledge(std::uint64_t id) const {
  const Module* module = find(id);
  return module != nullptr && module->awaits_acknowledge;
}

void ModuleRegistry::acknowledge(std::uint64_t id) {
  for (Module& module : modules_) {
    if (module.id == id) module.awaits_acknowledge = false;
  }
}

void ModuleRegistry::acknowledge_all() {
  for (Module& module : modules_) module.awaits_acknowledge = false;
}

wire::ModuleLoaded ModuleRegistry::announcement(std::uint64_t id) const {
  wire::ModuleLoaded message;
  const Module* module = find(id);
  if (module == nullptr) return message;
  message.module = id;
  message.load = module->load_address;
  message.tiles = module->tiles;
  message.needs_acknowledge = module->awaits_acknowledge ? 1 : 0;
  if (!module->image->empty()) {
    message.begin = reinterpret_cast<std::uintptr_t>(module->image->data());
    message.end = message.begin + module->image->size();
  }
  return message;
}

std::vector<std::uint64_t> ModuleRegistry::loaded() const {
  std::vector<std::uint64_t> ids;
  for (const Module& module : modules_) {
    if (module.loaded) ids.push_back(module.id);
  }
  return ids;
}

std::span<const std::byte> ModuleRegistry::image_at(std::uint64_t address) const {
  for (const Module& module : modules_) {
    const auto begin = reinterpret_cast<std::uintptr_t>(module.image->data());
    if (address >= begin && address - begin < module.image->size()) {
      return std::span(*module.image).subspan(address - begin);
    }
  }
  return {};
}

void ModuleRegistry::forget_unloaded() {
  std::erase_if(modules_, [](const Module& module) { return !module.loaded; });
}

}  // namespace xesim::debug
