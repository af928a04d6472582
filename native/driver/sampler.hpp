// Samplers: how kernels read images.
#pragma once

#include "device/sampler_state.hpp"
#include "driver/handle.hpp"
#include "driver/live_objects.hpp"

namespace xesim::driver {

class Sampler : public Object<Sampler> {
 public:
  explicit Sampler(const device::SamplerDescription& description) : description_(description) {
    LiveObjects<Sampler>::add(this);
  }
  ~Sampler() { LiveObjects<Sampler>::remove(this); }
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  [[nodiscard]] const device::SamplerDescription& description() const { return description_; }

 private:
  device::SamplerDescription description_;
};

}  // namespace xesim::driver
