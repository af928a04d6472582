// The sampler's entry points.
#include "driver/sampler.hpp"

#include <level_zero/ze_api.h>

#include "driver/device.hpp"

using namespace xesim::driver;
using xesim::device::SamplerAddress;

namespace {

SamplerAddress address_of(ze_sampler_address_mode_t mode) {
  switch (mode) {
    case ZE_SAMPLER_ADDRESS_MODE_REPEAT: return SamplerAddress::Repeat;
    case ZE_SAMPLER_ADDRESS_MODE_CLAMP: return SamplerAddress::ClampToEdge;
    case ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER: return SamplerAddress::Clamp;
    case ZE_SAMPLER_ADDRESS_MODE_MIRROR: return SamplerAddress::MirroredRepeat;
    default: return SamplerAddress::None;
  }
}

}  // namespace

ze_result_t zeSamplerCreate(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                            const ze_sampler_desc_t* desc, ze_sampler_handle_t* phSampler) {
  if (hContext == nullptr || hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (desc == nullptr || phSampler == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  // As numbers: an enumeration may hold what it does not name.
  if (static_cast<unsigned>(desc->addressMode) > ZE_SAMPLER_ADDRESS_MODE_MIRROR ||
      static_cast<unsigned>(desc->filterMode) > ZE_SAMPLER_FILTER_MODE_LINEAR) {
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  if (!object_of<Device>(hDevice)->topology().has_images) {
    return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  }
  return guarded([&] {
    const xesim::device::SamplerDescription description{
        .address = address_of(desc->addressMode),
        .linear = desc->filterMode == ZE_SAMPLER_FILTER_MODE_LINEAR,
        .normalized = desc->isNormalized != 0};
    *phSampler = publish<ze_sampler_handle_t>(std::make_shared<Sampler>(description));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeSamplerDestroy(ze_sampler_handle_t hSampler) {
  if (hSampler == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  withdraw(object_of<Sampler>(hSampler));
  return ZE_RESULT_SUCCESS;
}
