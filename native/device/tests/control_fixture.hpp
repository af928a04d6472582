// A device with one kernel of the corpus on it, and a debugger's end of the device, for tests of
// debug control.
#pragma once

#include <atomic>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "device/device.hpp"
#include "device/payload_builder.hpp"
#include "zebin/image.hpp"

namespace xesim::device::testing {

inline void require(bool condition, const std::string& what) {
  if (!condition) {
    throw std::runtime_error(what);
  }
}

// Waits until `condition` holds; fails after ten seconds.
inline void eventually(const std::function<bool()>& condition, const std::string& what) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!condition()) {
    require(std::chrono::steady_clock::now() < deadline, "timed out: " + what);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// Counts what happens; remembers the order of stops.
class Recorder : public ExceptionListener {
 public:
  void exception_taken(const HardwareThread& thread) override {
    stops.push_back(thread.id);
    ++exceptions;
  }
  void stops_settled() override { ++settled; }
  void thread_ended(const ThreadId&) override { ++ended; }
  void became_idle() override { ++idle; }

  std::atomic<unsigned> exceptions{0};
  std::atomic<unsigned> settled{0};
  std::atomic<unsigned> ended{0};
  std::atomic<unsigned> idle{0};
  std::vector<ThreadId> stops;   // read under a Pause
};

// vadd of igc2-dg2-O0 (SIMD8): c[i] = a[i] + b[i].
class VectorAdd {
 public:
  static constexpr std::uint32_t kElements = 64;

  explicit VectorAdd(const std::string& module) {
    std::ifstream input(module, std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(input), {}};
    auto parsed = zebin::Image::parse(std::as_bytes(std::span(text)));
    if (const auto* error = std::get_if<std::string>(&parsed)) {
      throw std::runtime_error(*error);
    }
    image.emplace(std::move(std::get<zebin::Image>(parsed)));
    const zebin::Kernel& kernel = image->kernels().at(0);
    const auto bytes = image->relocated(kernel.text_section, {{kernel.text_section, 0}});
    const auto& code_bytes = std::get<std::vector<std::byte>>(bytes);
    code = allocate(AllocationKind::Code, code_bytes.size());
    std::memcpy(reinterpret_cast<void*>(code), code_bytes.data(), code_bytes.size());
    device.add_code(code, code_bytes.size());
    a = allocate(AllocationKind::Shared, kBytes);
    b = allocate(AllocationKind::Shared, kBytes);
    c = allocate(AllocationKind::Shared, kBytes);
    for (std::uint32_t i = 0; i < kElements; ++i) {
      floats(a)[i] = static_cast<float>(i);
      floats(b)[i] = 0.5F;
    }
  }

  // A launch of `groups` work-groups of eight work-items, one hardware thread each.
  [[nodiscard]] KernelLaunch launch(std::uint32_t groups, std::uint64_t destination) {
    PayloadBuilder builder(device, image->kernels().at(0), {.code = code});
    const std::int32_t count = kElements;
    require(!builder.set_argument(0, 8, &a) && !builder.set_argument(1, 8, &b) &&
                !builder.set_argument(2, 8, &destination) &&
                !builder.set_argument(3, 4, &count) && !builder.set_group_size({8, 1, 1}),
            "arguments");
    auto built = builder.build({groups, 1, 1});
    return std::move(std::get<KernelLaunch>(built));
  }

  static float* floats(std::uint64_t address) { return reinterpret_cast<float*>(address); }

  [[nodiscard]] bool result_is_right() const {
    for (std::uint32_t i = 0; i < kElements; ++i) {
      if (floats(c)[i] != static_cast<float>(i) + 0.5F) {
        return false;
      }
    }
    return true;
  }

  // Sets or clears the breakpoint bit of the native instruction at `offset` in the kernel.
  void set_breakpoint(std::uint32_t offset, bool on) {
    std::uint32_t word = 0;
    require(device.read_memory(code + offset, &word, sizeof word), "read code");
    constexpr std::uint32_t kBreakpointBit = 1u << 30;
    word = on ? word | kBreakpointBit : word & ~kBreakpointBit;
    require(device.write_memory(code + offset, &word, sizeof word), "write code");
  }

  static constexpr std::uint64_t kBytes = kElements * sizeof(float);
  Device device{*find_topology("dg2")};
  std::optional<zebin::Image> image;
  std::uint64_t code = 0;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint64_t c = 0;

 private:
  std::uint64_t allocate(AllocationKind kind, std::uint64_t size) {
    const auto made = device.memory().allocate(kind, size, 0, nullptr);
    require(made.has_value(), "memory");
    return made->address;
  }
};

// A launch on its own host thread.
class Running {
 public:
  Running(Device& device, const KernelLaunch& launch)
      : thread_([this, &device, &launch] { end_ = device.launch(launch); }) {}
  ~Running() {
    if (thread_.joinable()) {
      thread_.join();
    }
  }
  LaunchEnd finish() {
    thread_.join();
    return end_;
  }

 private:
  LaunchEnd end_;
  std::thread thread_;
};

}  // namespace xesim::device::testing
