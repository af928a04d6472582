// Samplers: how kernels read images.
#pragma once

#include "device/sampler_state.hpp"
#include "driver/handle.hpp"

namespace xesim::driver {

class Sampler : public Object<Sampler> {
 public:
  explicit Sampler(const device::SamplerDescription& description) : description_(description) {}
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  [[nodiscard]] const device::SamplerDescription& description() const { return description_; }

 private:
  device::SamplerDescription description_;
};

}  // namespace xesim::driver
