#include "driver/module_target.hpp"

#include <algorithm>

namespace xesim::driver {

namespace {

// Architecture and release of an IP version: what decides about the instruction set.
constexpr std::uint32_t release(std::uint32_t ip_version) { return ip_version >> 14; }

std::string version_text(std::uint32_t ip_version) {
  return std::to_string(ip_version >> 22) + "." + std::to_string(ip_version >> 14 & 0xFF) + "." +
         std::to_string(ip_version & 0x3FFF);
}

// Note 1 of .note.intelgt.compat: the compiler's product family number.
std::string family_text(std::uint32_t family) {
  const auto known = device::topologies();
  const auto found = std::ranges::find(known, family, &device::Topology::product_family);
  return found != known.end() ? std::string(found->key) : std::to_string(family);
}

std::string mismatch(const std::string& target, const device::Topology& topology) {
  return "the module was compiled for " + target + ", but this device is " +
         std::string(topology.key);
}

}  // namespace

std::optional<std::string> target_mismatch(const zebin::Image& image,
                                           const device::Topology& topology) {
  if (image.ip_version() != 0 && release(image.ip_version()) != release(topology.ip_version)) {
    return mismatch("IP version " + version_text(image.ip_version()), topology);
  }
  if (image.ip_version() == 0 && image.product_family() != 0) {
    if (image.product_family() != topology.product_family) {
      return mismatch("product family " + family_text(image.product_family()), topology);
    }
  }
  return std::nullopt;
}

}  // namespace xesim::driver
