// Sends random messages to images and samplers whose states are random as well: whatever they say,
// a message ends with its effects, a page fault inside what the image can reach, or a report; and
// only registers of its response and memory of its image change.
//
//   xesim_device_fuzz_images SEED COUNT [SECONDS]
//
// The same seed gives the same messages. With SECONDS goes on until then. Writes one line of
// NAME=NUMBER pairs; ends with an error that names the message if it breaks a rule. Meant for a
// build with sanitizers.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "device/image_state.hpp"
#include "device/sampler_state.hpp"
#include "eu/messages/decode.hpp"
#include "eu/messages/messages.hpp"
#include "eu/tests/test_program.hpp"

namespace {

using namespace xesim;
using eu::Platform;
using namespace xesim::tests;

constexpr std::uint64_t kBase = 0x10000;
constexpr std::size_t kMemoryBytes = 16 * 1024;
constexpr unsigned kResponse = 80, kAddresses = 10, kData = 40;

// The vector is as large as its window, for the sanitizers to see every access beyond.
class ImageEnvironment final : public eu::ThreadEnvironment {
 public:
  eu::MemoryWindow window(eu::MemorySpace space, std::uint64_t address) override {
    if (space != eu::MemorySpace::Global || address < kBase || address - kBase >= memory.size()) {
      return {};
    }
    return {kBase, memory.size(), memory.data(), writable};
  }
  std::uint64_t instruction_base() const override { return 0; }
  std::uint64_t general_state_base() const override { return 0; }
  eu::BufferSurface bindless_surface(std::uint32_t) override { return {}; }
  eu::BufferSurface binding_table_surface(std::uint32_t) override { return {}; }
  eu::ImageSurface image_surface(const eu::StateReference&) override { return image; }
  eu::Sampler sampler(const eu::StateReference&) override { return how; }
  void barrier_signal(std::uint32_t, eu::BarrierRole, std::uint32_t, std::uint32_t) override {
    throw std::runtime_error("a message to an image signalled a barrier");
  }

  std::vector<std::byte> memory = std::vector<std::byte>(kMemoryBytes);
  bool writable = true;
  eu::ImageSurface image;
  eu::Sampler how;
};

// A state of an image that there could be, some of whose bits are others.
eu::ImageSurface random_image(Random& random) {
  device::ImageDescription description;
  constexpr eu::ImageShape kShapes[] = {eu::ImageShape::Line, eu::ImageShape::Plane,
                                        eu::ImageShape::Volume, eu::ImageShape::Buffer};
  description.shape = kShapes[below(random, 4)];
  while (description.format == nullptr) {
    description.format = eu::find_image_format(below(random, 0x150));
  }
  description.is_array = below(random, 2) == 0;
  description.width = 1 + below(random, 40);
  description.height = description.shape == eu::ImageShape::Line ? 1 : 1 + below(random, 12);
  description.depth = 1 + below(random, 4);
  description.base = kBase + below(random, kMemoryBytes);
  device::SurfaceState state = device::image_surface_state(description);
  for (unsigned changes = below(random, 3); changes != 0; --changes) {
    state[below(random, 10)] ^= 1u << below(random, 32);
  }
  if (below(random, 20) == 0) {
    for (std::uint32_t& word : state) word = static_cast<std::uint32_t>(random());
  }
  return device::decode_image_state(state);
}

eu::Sampler random_sampler(Random& random, device::SamplerHeap& heap) {
  constexpr device::SamplerAddress kModes[] = {
      device::SamplerAddress::None, device::SamplerAddress::Clamp,
      device::SamplerAddress::ClampToEdge, device::SamplerAddress::Repeat,
      device::SamplerAddress::MirroredRepeat};
  device::SamplerState state = device::sampler_state({.address = kModes[below(random, 5)],
                                                      .linear = below(random, 2) == 0,
                                                      .normalized = below(random, 2) == 0});
  for (unsigned changes = below(random, 3); changes != 0; --changes) {
    state[below(random, 4)] ^= 1u << below(random, 32);
  }
  const auto offset = heap.add({&state, 1});
  if (!offset) throw std::runtime_error("the sampler heap is full");
  const eu::Sampler sampler = heap.read(below(random, 16) == 0 ? below(random, 1 << 17) : *offset);
  heap.remove(*offset, 1);
  return sampler;
}

// Small coordinates, floats around an image, and noise.
void fill(Random& random, eu::ThreadState& thread) {
  for (std::size_t at = 0; at < thread.grf.size(); at += 4) {
    std::uint32_t bits = 0;
    switch (below(random, 4)) {
      case 0: bits = below(random, 48); break;
      case 1: {
        const float value = static_cast<float>(below(random, 1024)) / 64.0F - 4.0F;
        std::memcpy(&bits, &value, sizeof bits);
        break;
      }
      case 2: bits = static_cast<std::uint32_t>(random()); break;
      default: break;
    }
    std::memcpy(thread.grf.data() + at, &bits, sizeof bits);
  }
}

eu::Instruction random_send(Random& random) {
  constexpr eu::SharedFunction kFunctions[] = {
      eu::SharedFunction::Sampler, eu::SharedFunction::Dc1, eu::SharedFunction::Tgm};
  const auto grf = [](unsigned number) {
    eu::Operand operand;
    operand.file = eu::RegisterFile::Grf;
    operand.register_number = static_cast<std::uint16_t>(number);
    return operand;
  };
  eu::Instruction instruction;
  instruction.opcode = eu::Opcode::Send;
  instruction.source_count = 2;
  instruction.execution_size = static_cast<std::uint8_t>(8u << below(random, 3));
  instruction.send.function = kFunctions[below(random, 3)];
  const bool is_likely = below(random, 4) != 0;  // lengths and fields as compilers choose them
  const unsigned first = 1 + below(random, is_likely ? 4 : 8);
  const unsigned response = below(random, 2) == 0 ? 0 : below(random, 9);
  const unsigned second = below(random, is_likely ? 5 : 8);
  std::uint32_t descriptor = static_cast<std::uint32_t>(random()) & 0x000FFFFF;
  if (instruction.send.function == eu::SharedFunction::Dc1 && below(random, 4) != 0) {
    constexpr std::uint32_t kTypes[] = {0x4, 0x5, 0x6, 0xA, 0xD};  // blocks, typed messages
    descriptor = (descriptor & ~(0x1Fu << 14)) | kTypes[below(random, 5)] << 14;
    if (is_likely) {
      const std::uint32_t disabled = 0xF & (0xF << second);  // channels beyond the data
      descriptor = (descriptor & ~0x82F00u) | 1 << 12 | disabled << 8;
    }
  } else if (instruction.send.function == eu::SharedFunction::Sampler && below(random, 4) != 0) {
    constexpr std::uint32_t kTypes[] = {0, 2, 7, 10, 24, 26};
    descriptor = (descriptor & ~(0x1Fu << 12)) | kTypes[below(random, 6)] << 12;
  } else if (instruction.send.function == eu::SharedFunction::Tgm) {
    descriptor |= (1 + below(random, 3)) << 29;
    if (is_likely) {  // quads and atomics of 32 bits
      constexpr std::uint32_t kOperations[] = {2, 6, 8, 10, 11, 12, 17, 18};
      descriptor = (descriptor & ~0xFE3Fu) | kOperations[below(random, 8)] | 2 << 9;
      descriptor |= (0xF >> (4 - std::clamp(second, 1u, 4u))) << 12;
    }
  }
  if (below(random, 8) == 0) descriptor |= static_cast<std::uint32_t>(random()) & 0xE0000000;
  instruction.send.descriptor = descriptor | first << 25 | response << 20;
  instruction.send.extended_descriptor = static_cast<std::uint32_t>(random());
  instruction.send.source1_length = static_cast<std::uint8_t>(second);
  instruction.source[0] = grf(below(random, 50) == 0 ? 255 : kAddresses);
  if (second != 0) instruction.source[1] = grf(kData);
  if (response != 0) instruction.destination = grf(kResponse);
  return instruction;
}

// What is wrong with how a message ended; empty if nothing is.
std::string broken_rule(const eu::MessageResult& result, const eu::ThreadState& before,
                        const eu::ThreadState& after, const ImageEnvironment& environment,
                        const std::vector<std::byte>& memory, const eu::Instruction& instruction,
                        Platform platform) {
  const bool done = result.outcome == eu::MessageOutcome::Done;
  if (result.outcome == eu::MessageOutcome::Unsupported && result.report.empty()) {
    return "no report";
  }
  if (result.outcome == eu::MessageOutcome::PageFault && !result.fault.present) {
    return "a fault without an address";
  }
  if ((!done || !environment.writable) && environment.memory != memory) {
    return "memory changed";
  }
  const std::size_t grf = eu::grf_bytes(platform);
  const std::size_t first = kResponse * grf;
  const std::size_t end = first + (done ? (instruction.send.descriptor >> 20 & 0x1F) * grf : 0);
  const auto begin = before.grf.begin();
  if (!std::equal(begin, begin + static_cast<std::ptrdiff_t>(first), after.grf.begin()) ||
      !std::equal(begin + static_cast<std::ptrdiff_t>(end), before.grf.end(),
                  after.grf.begin() + static_cast<std::ptrdiff_t>(end))) {
    return "registers outside the response changed";
  }
  return {};
}

void fuzz(int argc, char** argv) {
  if (argc < 3) throw std::runtime_error("usage: SEED COUNT [SECONDS]");
  const std::uint64_t count = std::stoull(argv[2]);
  const std::chrono::duration<double> duration(argc > 3 ? std::stod(argv[3]) : 0);
  const auto start = std::chrono::steady_clock::now();
  device::Memory state_memory;
  device::SamplerHeap heap(state_memory);
  auto environment = std::make_unique<ImageEnvironment>();
  auto thread = std::make_unique<eu::ThreadState>();
  auto before = std::make_unique<eu::ThreadState>();
  Counts counts;
  const auto goes_on = [&](std::uint64_t sent) {
    return sent < count || std::chrono::steady_clock::now() - start < duration;
  };
  const auto send = [&, number = std::uint64_t{0}](Random& random) mutable {
    const Platform platform = below(random, 2) == 0 ? Platform::XeHpg : Platform::Xe2;
    if (number++ % 64 == 0) {
      fill(random, *thread);
    }
    environment->image = random_image(random);
    environment->how = random_sampler(random, heap);
    environment->writable = below(random, 16) != 0;
    const eu::Instruction instruction = random_send(random);
    *before = *thread;
    const std::vector<std::byte> memory = environment->memory;
    eu::WindowCache windows;
    const eu::MessageResult result =
        eu::execute_send(platform, *thread, instruction, static_cast<std::uint32_t>(random()),
                         *environment, windows, nullptr);
    ++counts[result.outcome == eu::MessageOutcome::Done        ? "done"
             : result.outcome == eu::MessageOutcome::PageFault ? "faults"
                                                               : "refused"];
    if (environment->memory != memory) ++counts["wrote"];
    const std::string rule = broken_rule(result, *before, *thread, *environment, memory,
                                         instruction, platform);
    if (!rule.empty()) {
      throw std::runtime_error(rule + ": " + result.report);
    }
  };
  counts["messages"] = try_seeds(std::stoull(argv[1]), goes_on, send);
  print_counts(counts);
  std::cout << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  return run_program([&] { fuzz(argc, argv); });
}
