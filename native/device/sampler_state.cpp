#include "device/sampler_state.hpp"

#include <algorithm>
#include <cstring>

namespace xesim::device {

namespace {

constexpr std::uint64_t kHeapBytes = 64 * 1024;
constexpr std::size_t kUnitBytes = 32;
constexpr std::size_t kBorderColorUnits = 2;  // 64 bytes, as border colours are aligned

enum Filter : std::uint32_t { kNearest = 0, kLinear = 1 };
constexpr std::uint32_t kMagnificationShift = 17;  // dword 0
constexpr std::uint32_t kMinificationShift = 14;
constexpr std::uint32_t kFilterMask = 7;
constexpr std::uint32_t kBorderColorMask = 0x00FFFFC0;  // dword 2
constexpr std::uint32_t kNonNormalized = 1u << 10;      // dword 3
constexpr std::uint32_t kAddressShift[] = {6, 3, 0};    // dword 3: u, v, r
constexpr std::uint32_t kAddressMask = 7;
enum TextureCoordinateMode : std::uint32_t { kWrap = 0, kMirror = 1, kClamp = 2, kClampBorder = 4 };

std::uint32_t mode_of(SamplerAddress address) {
  switch (address) {
    case SamplerAddress::Clamp: return kClampBorder;
    case SamplerAddress::Repeat: return kWrap;
    case SamplerAddress::MirroredRepeat: return kMirror;
    case SamplerAddress::None:
    case SamplerAddress::ClampToEdge: break;
  }
  return kClamp;
}

std::optional<eu::AddressClamp> clamp_of(std::uint32_t mode) {
  switch (mode) {
    case kWrap: return eu::AddressClamp::Wrap;
    case kMirror: return eu::AddressClamp::Mirror;
    case kClamp: return eu::AddressClamp::Edge;
    case kClampBorder: return eu::AddressClamp::Border;
    default: return std::nullopt;
  }
}

std::size_t units_of(std::size_t states) {
  return (states * kSamplerStateBytes + kUnitBytes - 1) / kUnitBytes;
}

}  // namespace

SamplerState sampler_state(const SamplerDescription& sampler) {
  SamplerState state{};
  const std::uint32_t filter = sampler.linear ? kLinear : kNearest;
  state[0] = filter << kMagnificationShift | filter << kMinificationShift;
  state[3] = sampler.normalized ? 0 : kNonNormalized;
  for (const std::uint32_t shift : kAddressShift) {
    state[3] |= mode_of(sampler.address) << shift;
  }
  return state;
}

SamplerHeap::SamplerHeap(Memory& memory) {
  if (const auto made = memory.allocate(AllocationKind::Heap, kHeapBytes, 0, nullptr)) {
    base_ = made->address;
    memory_ = reinterpret_cast<std::byte*>(base_);
    used_.resize(kHeapBytes / kUnitBytes);
    std::fill_n(used_.begin(), kBorderColorUnits, true);
  }
}

// Whoever had a sampler then may have given it back since.
SamplerHeap::SamplerHeap(const SamplerHeap& heap, std::byte* copy)
    : base_(heap.base_), memory_(copy), used_(heap.used_.size(), true) {}

bool SamplerHeap::is_free(std::size_t first, std::size_t units) const {
  for (std::size_t unit = first; unit < first + units; ++unit) {
    if (used_[unit]) {
      return false;
    }
  }
  return true;
}

std::optional<std::uint32_t> SamplerHeap::add(std::span<const SamplerState> states) {
  const std::scoped_lock lock(mutex_);
  const std::size_t units = units_of(states.size());
  for (std::size_t first = 0; first + units <= used_.size(); ++first) {
    if (is_free(first, units)) {
      std::fill_n(used_.begin() + static_cast<std::ptrdiff_t>(first), units, true);
      const auto offset = static_cast<std::uint32_t>(first * kUnitBytes);
      std::memcpy(memory_ + offset, states.data(), states.size_bytes());
      return offset;
    }
  }
  return std::nullopt;
}

void SamplerHeap::remove(std::uint32_t offset, std::size_t count) {
  const std::scoped_lock lock(mutex_);
  const std::size_t first = offset / kUnitBytes;
  std::fill_n(used_.begin() + static_cast<std::ptrdiff_t>(first), units_of(count), false);
}

eu::Sampler SamplerHeap::read(std::uint32_t offset) const {
  eu::Sampler sampler;
  if (offset % kSamplerStateBytes != 0 || offset / kUnitBytes >= used_.size()) {
    sampler.unsupported = "the sampler state's offset is outside the heap";
    return sampler;
  }
  {
    const std::scoped_lock lock(mutex_);
    if (offset / kUnitBytes < kBorderColorUnits || !used_[offset / kUnitBytes]) {
      return sampler;
    }
  }
  SamplerState state;
  std::memcpy(state.data(), memory_ + offset, kSamplerStateBytes);
  const std::uint32_t magnification = state[0] >> kMagnificationShift & kFilterMask;
  const std::uint32_t minification = state[0] >> kMinificationShift & kFilterMask;
  if (magnification != minification || magnification > kLinear) {
    sampler.unsupported = "the sampler state's filter is neither nearest nor linear";
    return sampler;
  }
  const std::uint32_t border = state[2] & kBorderColorMask;
  if (border + sizeof sampler.border > used_.size() * kUnitBytes) {
    sampler.unsupported = "the sampler state's border colour is outside the heap";
    return sampler;
  }
  for (std::size_t i = 0; i < sampler.address.size(); ++i) {
    const auto mode = clamp_of(state[3] >> kAddressShift[i] & kAddressMask);
    if (!mode) {
      sampler.unsupported = "the sampler state's address mode is none of OpenCL's";
      return sampler;
    }
    sampler.address[i] = *mode;
  }
  sampler.unsupported = nullptr;
  sampler.linear = magnification == kLinear;
  sampler.normalized = (state[3] & kNonNormalized) == 0;
  std::memcpy(sampler.border.data(), memory_ + border,
              sizeof sampler.border);
  return sampler;
}

}  // namespace xesim::device
