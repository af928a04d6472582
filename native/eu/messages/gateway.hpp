// Encodings of messages to the gateway (send.gtwy) as data. Source: xe-isa reference 3.4, and the
// named barrier payload that Intel's compiler builds.
#pragma once

#include <cstdint>

#include "eu/isa/message_field.hpp"

namespace xesim::eu::gateway {

inline constexpr DescriptorField kFunction{0, 3};
inline constexpr std::uint32_t kBarrier = 4;
inline constexpr std::uint32_t kEndOfThread = 0x10;  // descriptor bit 4, with the EOT bit

// Dword 2 of a barrier's payload.
inline constexpr unsigned kBarrierDword = 2;
inline constexpr DescriptorField kBarrierId{0, 8};
inline constexpr DescriptorField kBarrierRole{14, 2};  // BarrierRole
inline constexpr DescriptorField kProducers{16, 8};
inline constexpr DescriptorField kConsumers{24, 8};

inline constexpr std::uint32_t kBarrierIds = 32;  // bits of ThreadState::barrier_pending

}  // namespace xesim::eu::gateway
