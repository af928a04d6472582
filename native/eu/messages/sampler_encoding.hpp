// Encodings of messages to the sampler (send.smpl) as data.
//
// Descriptor and header fields: programmer's reference manuals of Gen9 to Gen12, volume "3D
// Sampler"; names as Intel's disassembler prints them.
#pragma once

#include <array>
#include <cstdint>

#include "eu/isa/message_field.hpp"

namespace xesim::eu::sampler {

inline constexpr DescriptorField kBindingTableIndex{0, 8};
inline constexpr DescriptorField kSamplerIndex{8, 4};
inline constexpr DescriptorField kType{12, 5};
inline constexpr DescriptorField kSimdMode{17, 2};
inline constexpr DescriptorField kHeaderPresent{19, 1};
inline constexpr DescriptorField kSimdModeHigh{29, 1};      // parameters of 16 bits
inline constexpr DescriptorField kHalfResponse{30, 1};      // answers of 16 bits
inline constexpr std::uint32_t kBindless = 0xFC;
inline constexpr std::uint32_t kBindlessMask = 0xFFFFFFC0u;  // of the extended descriptor

// Header dwords.
inline constexpr unsigned kHeaderControl = 2;
inline constexpr DescriptorField kDisabledChannels{12, 4};  // of the control
inline constexpr DescriptorField kTexelOffsets{0, 12};      // of the control: r, v, u of 4 bits each
inline constexpr unsigned kHeaderSampler = 3;
inline constexpr std::uint32_t kBindlessSampler = 1;         // bit 0 of the sampler's dword
inline constexpr std::uint32_t kSamplerStateMask = 0xFFFFFFF0u;
inline constexpr std::uint32_t kSamplerStateBytes = 16;

enum class Operation : std::uint8_t { Unsupported, Sample, Load, Information, Flush };

// What a parameter of a message is.
enum class Parameter : std::uint8_t { None, U, V, R, Lod };

struct Message {
  const char* name = nullptr;  // null: no such message
  Operation operation = Operation::Unsupported;
  std::array<Parameter, 7> parameters{};
};

using enum Parameter;
inline constexpr std::array<Message, 32> kMessages{{
    {"sample", Operation::Sample, {U, V, R}},
    {"sample_b", Operation::Unsupported, {}},
    // Images have one level of detail. Xe2's "lod_ai" has the index of arrays of cubes only; that of
    // others follows their coordinates, as before.
    {"sample_l", Operation::Sample, {Lod, U, V, R}},
    {"sample_c", Operation::Unsupported, {}},
    // Its gradients choose a level of detail.
    {"sample_d", Operation::Sample, {U, None, None, V, None, None, R}},
    {"sample_b_c", Operation::Unsupported, {}},
    {"sample_l_c", Operation::Unsupported, {}},
    {"ld", Operation::Load, {U, V, Lod, R}},
    {"gather4", Operation::Unsupported, {}},
    {"lod", Operation::Unsupported, {}},
    {"resinfo", Operation::Information, {Lod}},
    {"sampleinfo", Operation::Unsupported, {}},
    {},
    {},
    {},
    {},
    {"gather4_c", Operation::Unsupported, {}},
    {"gather4_po", Operation::Unsupported, {}},
    {"gather4_po_c", Operation::Unsupported, {}},
    {},
    {"sample_d_c", Operation::Unsupported, {}},
    {},
    {},
    {},
    {"sample_lz", Operation::Sample, {U, V, R}},
    {"sample_c_lz", Operation::Unsupported, {}},
    {"ld_lz", Operation::Load, {U, V, R}},
    {},
    {"ld2dms_w", Operation::Unsupported, {}},
    {"ld_mcs", Operation::Unsupported, {}},
    {"ld2dms", Operation::Unsupported, {}},
    {"flush", Operation::Flush, {}},
}};

}  // namespace xesim::eu::sampler
