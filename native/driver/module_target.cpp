#include "driver/module_target.hpp"

#include <algorithm>
#include <array>

namespace xesim::driver {

namespace {

// Note 1 of .note.intelgt.compat: the compiler's product family numbers.
struct Family {
  std::uint32_t number;
  std::string_view key;
};
constexpr std::array kFamilies{Family{1270, "dg2"}, Family{1271, "pvc"}, Family{1274, "bmg"},
                               Family{1275, "lnl"}};

// Architecture and release of an IP version: what decides about the instruction set.
constexpr std::uint32_t release(std::uint32_t ip_version) { return ip_version >> 14; }

std::string version_text(std::uint32_t ip_version) {
  return std::to_string(ip_version >> 22) + "." + std::to_string(ip_version >> 14 & 0xFF) + "." +
         std::to_string(ip_version & 0x3FFF);
}

std::string family_text(std::uint32_t family) {
  const auto found = std::ranges::find(kFamilies, family, &Family::number);
  return found != kFamilies.end() ? std::string(found->key) : std::to_string(family);
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
    const std::string made_for = family_text(image.product_family());
    if (made_for != topology.key) {
      return mismatch("product family " + made_for, topology);
    }
  }
  return std::nullopt;
}

}  // namespace xesim::driver
