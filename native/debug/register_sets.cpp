#include "debug/register_sets.hpp"

#include <algorithm>
#include <array>

#include "eu/thread/thread_state.hpp"

namespace xesim::debug {

namespace {

constexpr std::uint32_t kXeHpgGrfBytes = eu::grf_bytes(eu::Platform::XeHpg);
constexpr std::uint32_t kXeHpcGrfBytes = eu::grf_bytes(eu::Platform::XeHpc);
constexpr std::uint32_t kXe2GrfBytes = eu::grf_bytes(eu::Platform::Xe2);

constexpr std::uint32_t kSmallGrfCount = 128;
constexpr std::uint32_t kLargeGrfCount = 256;

constexpr RegisterSet whole(RegisterType type, std::uint32_t count, std::uint32_t bytes,
                            bool writeable) {
  return {type, count, count, bytes, writeable, false};
}

// The layout that the state save area of the real parts has.
constexpr std::array kXeHpg{
    RegisterSet{RegisterType::Grf, kSmallGrfCount, kLargeGrfCount, kXeHpgGrfBytes, true},
    whole(RegisterType::Address, 1, 32, true),
    whole(RegisterType::Flag, 2, 4, true),
    whole(RegisterType::ChannelEnable, 1, 4, false),
    whole(RegisterType::State, 1, 16, true),
    whole(RegisterType::Control, 1, 16, true),
    whole(RegisterType::Accumulator, 4, kXeHpgGrfBytes, true),
    whole(RegisterType::Mme, 8, kXeHpgGrfBytes, true),
    whole(RegisterType::StateBaseAddress, 9, 8, false),
    whole(RegisterType::Debug, 1, 8, true),
};

constexpr std::array kXeHpc{
    RegisterSet{RegisterType::Grf, kSmallGrfCount, kLargeGrfCount, kXeHpcGrfBytes, true},
    whole(RegisterType::Address, 1, 32, true),
    whole(RegisterType::Flag, 4, 4, true),
    whole(RegisterType::ChannelEnable, 1, 4, false),
    whole(RegisterType::State, 1, 16, true),
    whole(RegisterType::Control, 1, 16, true),
    whole(RegisterType::ThreadDependency, 1, 16, false),
    whole(RegisterType::Accumulator, 4, kXeHpcGrfBytes, true),
    whole(RegisterType::Mme, 8, kXeHpcGrfBytes, true),
    whole(RegisterType::StackPointer, 1, 16, true),
    whole(RegisterType::StateBaseAddress, 9, 8, false),
    whole(RegisterType::Debug, 1, 8, true),
};

constexpr std::array kXe2{
    RegisterSet{RegisterType::Grf, kSmallGrfCount, kLargeGrfCount, kXe2GrfBytes, true},
    whole(RegisterType::Address, 1, 32, true),
    whole(RegisterType::Flag, 4, 4, true),
    whole(RegisterType::ChannelEnable, 1, 4, false),
    whole(RegisterType::State, 1, 16, true),
    whole(RegisterType::Control, 1, 12, true),
    whole(RegisterType::ThreadDependency, 1, 16, false),
    whole(RegisterType::Accumulator, 4, kXe2GrfBytes, true),
    RegisterSet{RegisterType::Mme, 2, 2, 32, true, true},
    whole(RegisterType::StateBaseAddress, 9, 8, false),
    whole(RegisterType::Debug, 1, 8, true),
    whole(RegisterType::FlowControl, 3, 64, true),
};

// What debuggers read of every thread that stops: the reason, the place, the lanes, the work-group.
constexpr std::array kReadAheadXeHpg{
    ReadAhead{RegisterType::Control, 1, 16},        ReadAhead{RegisterType::State, 1, 16},
    ReadAhead{RegisterType::ChannelEnable, 1, 4},   ReadAhead{RegisterType::Grf, 1, kXeHpgGrfBytes},
    ReadAhead{RegisterType::StateBaseAddress, 9, 72}, ReadAhead{RegisterType::Debug, 1, 8},
};

constexpr std::array kReadAheadXeHpc{
    ReadAhead{RegisterType::Control, 1, 16},        ReadAhead{RegisterType::State, 1, 16},
    ReadAhead{RegisterType::ChannelEnable, 1, 4},   ReadAhead{RegisterType::Grf, 1, kXeHpcGrfBytes},
    ReadAhead{RegisterType::StateBaseAddress, 9, 72}, ReadAhead{RegisterType::Debug, 1, 8},
};

constexpr std::array kReadAheadXe2{
    ReadAhead{RegisterType::Control, 1, 12},        ReadAhead{RegisterType::State, 1, 16},
    ReadAhead{RegisterType::ChannelEnable, 1, 4},   ReadAhead{RegisterType::Grf, 1, kXe2GrfBytes},
    ReadAhead{RegisterType::StateBaseAddress, 9, 72}, ReadAhead{RegisterType::Debug, 1, 8},
};

}  // namespace

std::span<const RegisterSet> register_sets(eu::Platform platform) {
  switch (platform) {
    case eu::Platform::XeHpg:
      return kXeHpg;
    case eu::Platform::XeHpc:
      return kXeHpc;
    case eu::Platform::Xe2:
      return kXe2;
  }
  return {};
}

const RegisterSet* find_register_set(eu::Platform platform, std::uint32_t type) {
  const auto sets = register_sets(platform);
  const auto found = std::ranges::find(sets, static_cast<RegisterType>(type), &RegisterSet::type);
  return found == sets.end() ? nullptr : &*found;
}

const GrfMode& grf_mode(eu::Platform platform) {
  static constexpr GrfMode kInControl{RegisterType::Control, 0, eu::cr0::kLargeGrf};
  static constexpr GrfMode kInState{RegisterType::State, 1, eu::sr0::kLargeGrf};
  return platform == eu::Platform::Xe2 ? kInState : kInControl;
}

std::uint32_t thread_grf_count(const GrfMode& mode, std::uint32_t value) {
  return (value & mode.large) == mode.large ? kLargeGrfCount : kSmallGrfCount;
}

std::span<const ReadAhead> read_ahead_sets(eu::Platform platform) {
  switch (platform) {
    case eu::Platform::XeHpg:
      return kReadAheadXeHpg;
    case eu::Platform::XeHpc:
      return kReadAheadXeHpc;
    case eu::Platform::Xe2:
      return kReadAheadXe2;
  }
  return {};
}

std::uint32_t read_ahead_bytes(eu::Platform platform) {
  std::uint32_t bytes = 0;
  for (const ReadAhead& part : read_ahead_sets(platform)) bytes += part.bytes;
  return bytes;
}

ze_result_t describe_register_sets(eu::Platform platform, std::uint32_t grf_count,
                                   std::uint32_t* count,
                                   zet_debug_regset_properties_t* properties) {
  if (count == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (*count != 0 && properties == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const auto sets = register_sets(platform);
  const auto total = static_cast<std::uint32_t>(sets.size());
  const std::uint32_t wanted = std::min(*count, total);
  for (std::uint32_t index = 0; index < wanted; ++index) {
    const RegisterSet& set = sets[index];
    zet_debug_regset_properties_t entry{};
    entry.stype = ZET_STRUCTURE_TYPE_DEBUG_REGSET_PROPERTIES;
    entry.type = static_cast<std::uint32_t>(set.type);
    entry.generalFlags = ZET_DEBUG_REGSET_FLAG_READABLE;
    if (set.writeable) entry.generalFlags |= ZET_DEBUG_REGSET_FLAG_WRITEABLE;
    entry.count = set.type == RegisterType::Grf ? grf_count : set.count;
    entry.bitSize = set.bytes * 8;
    entry.byteSize = set.bytes;
    properties[index] = entry;
  }
  if (*count == 0 || *count > total) *count = total;
  return ZE_RESULT_SUCCESS;
}

}  // namespace xesim::debug
