// What a launch makes of image and sampler arguments: states in the heaps, and numbers in the payload.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "device/image_state.hpp"
#include "device/sampler_state.hpp"
#include "zebin/kernel.hpp"

namespace xesim::device {

// The value of an implicit argument that asks something of an image or a sampler; nothing for
// arguments of other types.
[[nodiscard]] std::optional<std::uint32_t> image_query(zebin::ArgumentType query,
                                                       const ImageDescription& image);
[[nodiscard]] std::optional<std::uint32_t> sampler_query(zebin::ArgumentType query,
                                                         const SamplerDescription& sampler);

[[nodiscard]] SamplerDescription inline_sampler(const zebin::InlineSampler& sampler);

// The samplers of one launch by their index: those of the program's text and those of arguments.
class SamplerTable {
 public:
  void set(std::uint32_t index, const SamplerDescription& sampler);
  [[nodiscard]] const std::vector<SamplerState>& states() const { return states_; }

 private:
  std::vector<SamplerState> states_;
};

}  // namespace xesim::device
