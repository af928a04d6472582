// Runs one launch of a native module's kernel on a device, without a driver around it: for tests
// that hold results against another OpenCL.
//
//   xesim_device_run_kernel MODULE KERNEL --groups X,Y,Z --size X,Y,Z [--offset X,Y,Z]
//                           [--repeat N] ARG...
//     buf:FILE      a buffer with the file's contents, written back after the launch
//     buf:FILE@N    the same; the argument points N bytes into it
//     val:HEX       a value, its bytes in memory order
//     local:BYTES   local memory
//
// Exit 0: complete, and one line "instructions N" is printed. Exit 1: one line says why not.
//
// --repeat is for benchmarks: N more launches, from the same buffers, each with a line "seconds S"
// for the launch alone; then a line "lane-operations N": instructions, each counted once for every
// lane that it acted for.
#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"
#include "device/payload_builder.hpp"
#include "zebin/image.hpp"

namespace {

using namespace xesim;

std::vector<std::byte> read_file(const std::string& path) {
  std::ifstream input(path, std::ios::binary);
  if (!input) {
    throw std::runtime_error("cannot read " + path);
  }
  const std::vector<char> text{std::istreambuf_iterator<char>(input), {}};
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

std::uint64_t number(std::string_view text, int base = 10) {
  std::uint64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) {
    throw std::runtime_error("not a number: " + std::string(text));
  }
  return value;
}

std::array<std::uint32_t, 3> triple(std::string_view text) {
  std::array<std::uint32_t, 3> out{1, 1, 1};
  for (std::size_t i = 0; i < 3 && !text.empty(); ++i) {
    const auto comma = text.find(',');
    out[i] = static_cast<std::uint32_t>(number(text.substr(0, comma)));
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
  }
  return out;
}

device::Allocation allocate(device::Device& device, device::AllocationKind kind,
                            const std::vector<std::byte>& bytes) {
  const auto made = device.memory().allocate(kind, bytes.empty() ? 1 : bytes.size(), 0, nullptr);
  if (!made) {
    throw std::runtime_error("out of memory");
  }
  if (!bytes.empty()) {
    std::memcpy(reinterpret_cast<void*>(made->address), bytes.data(), bytes.size());
  }
  return *made;
}

struct Buffer {
  std::string path;
  device::Allocation memory;
  std::vector<std::byte> contents;  // before the launch
};

// Sections in memory, as a driver places them; code is relocated last, for it refers to data.
zebin::Placement place(device::Device& device, const zebin::Image& image) {
  zebin::Placement placement;
  const auto& sections = image.sections();
  const auto kind_of = [](std::string_view name) {
    return name.substr(0, 6) == ".text."    ? device::AllocationKind::Code
           : name.substr(0, 11) == ".data.const" ? device::AllocationKind::ConstantData
                                                 : device::AllocationKind::GlobalData;
  };
  const auto placed = [](std::string_view name) {
    return name.substr(0, 6) == ".text." || name.substr(0, 6) == ".data." ||
           name.substr(0, 5) == ".bss.";
  };
  for (std::uint32_t i = 0; i < sections.size(); ++i) {
    if (placed(sections[i].name)) {
      placement[i] = allocate(device, kind_of(sections[i].name),
                              std::vector<std::byte>(sections[i].size)).address;
    }
  }
  for (const auto& [section, address] : placement) {
    const auto bytes = image.relocated(section, placement);
    if (const auto* error = std::get_if<std::string>(&bytes)) {
      throw std::runtime_error(*error);
    }
    const auto& content = std::get<std::vector<std::byte>>(bytes);
    std::memcpy(reinterpret_cast<void*>(address), content.data(), content.size());
    if (kind_of(sections[section].name) == device::AllocationKind::Code) {
      device.add_code(address, content.size());
    }
  }
  return placement;
}

// The device that the module was compiled for: the first of its architecture and release.
const device::Topology& device_for(const zebin::Image& image) {
  constexpr std::uint32_t kRevisionBits = 14;
  for (const device::Topology& topology : device::topologies()) {
    if (topology.ip_version >> kRevisionBits == image.ip_version() >> kRevisionBits ||
        (image.ip_version() == 0 && topology.product_family == image.product_family())) {
      return topology;
    }
  }
  throw std::runtime_error("there is no simulated device that the module was compiled for");
}

void check(const std::optional<device::PayloadError>& error) {
  if (error) {
    throw std::runtime_error(error->message);
  }
}

void set_argument(device::Device& device, device::PayloadBuilder& builder, std::uint32_t index,
                  const std::string& text, std::vector<Buffer>& buffers) {
  const std::string value = text.substr(text.find(':') + 1);
  if (text.rfind("buf:", 0) == 0) {
    const auto at = value.rfind('@');
    const std::string path = value.substr(0, at);
    Buffer buffer{path, {}, read_file(path)};
    buffer.memory = allocate(device, device::AllocationKind::Device, buffer.contents);
    const std::uint64_t offset = at == std::string::npos ? 0 : number(value.substr(at + 1));
    const std::uint64_t address = buffer.memory.address + offset;
    buffers.push_back(buffer);
    check(builder.set_argument(index, sizeof address, &address));
  } else if (text.rfind("val:", 0) == 0) {
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i + 1 < value.size(); i += 2) {
      bytes.push_back(static_cast<std::byte>(number(value.substr(i, 2), 16)));
    }
    check(builder.set_argument(index, bytes.size(), bytes.data()));
  } else if (text.rfind("local:", 0) == 0) {
    check(builder.set_argument(index, number(value), nullptr));
  } else {
    throw std::runtime_error("unknown argument form: " + text);
  }
}

class LaneCounter : public eu::Observer {
 public:
  void instruction(const eu::ThreadState&, const eu::Instruction&, std::uint32_t lanes) override {
    lanes_ += static_cast<std::uint64_t>(std::popcount(lanes));
  }
  [[nodiscard]] std::uint64_t lanes() const { return lanes_; }

 private:
  std::uint64_t lanes_ = 0;
};

void complete(device::Device& device, const device::KernelLaunch& launch) {
  if (device.launch(launch) != device::LaunchStatus::Complete) {
    throw std::runtime_error(device.lost_reason());
  }
}

void repeat(device::Device& device, const device::KernelLaunch& launch,
            const std::vector<Buffer>& buffers, std::uint64_t times) {
  const auto restore = [&] {
    for (const Buffer& buffer : buffers) {
      std::memcpy(reinterpret_cast<void*>(buffer.memory.address), buffer.contents.data(),
                  buffer.contents.size());
    }
  };
  for (std::uint64_t i = 0; i < times; ++i) {
    restore();
    const auto start = std::chrono::steady_clock::now();
    complete(device, launch);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::cout << "seconds " << seconds.count() << '\n';
  }
  LaneCounter counter;
  {
    const auto pause = device.pause();
    device.set_observer(&counter);
  }
  restore();
  complete(device, launch);
  std::cout << "lane-operations " << counter.lanes() << '\n';
}

void run(int count, char** values) {
  if (count < 3) {
    throw std::runtime_error("usage: MODULE KERNEL --groups X,Y,Z --size X,Y,Z ARG...");
  }
  const auto file = read_file(values[1]);
  const auto parsed = zebin::Image::parse(file);
  if (const auto* error = std::get_if<std::string>(&parsed)) {
    throw std::runtime_error(*error);
  }
  const auto& image = std::get<zebin::Image>(parsed);
  const zebin::Kernel* kernel = nullptr;
  for (const zebin::Kernel& candidate : image.kernels()) {
    if (candidate.name == values[2]) {
      kernel = &candidate;
    }
  }
  if (kernel == nullptr) {
    throw std::runtime_error(std::string("no kernel ") + values[2]);
  }
  device::Device device(device_for(image));
  const zebin::Placement placement = place(device, image);
  device::ModuleAddresses addresses;
  addresses.code = placement.at(kernel->text_section);
  addresses.printf_buffer =
      allocate(device, device::AllocationKind::Device, std::vector<std::byte>(1 << 20)).address;
  for (const auto& [section, address] : placement) {
    if (image.sections()[section].name == ".data.const") {
      addresses.constant_data = address;
    } else if (image.sections()[section].name == ".data.global") {
      addresses.global_data = address;
    }
  }

  device::PayloadBuilder builder(device, *kernel, addresses);
  std::array<std::uint32_t, 3> groups{1, 1, 1};
  std::uint64_t repetitions = 0;
  std::vector<Buffer> buffers;
  std::uint32_t index = 0;
  for (int i = 3; i < count; ++i) {
    const std::string text = values[i];
    if (text == "--groups" && i + 1 < count) {
      groups = triple(values[++i]);
    } else if (text == "--repeat" && i + 1 < count) {
      repetitions = number(values[++i]);
    } else if (text == "--size" && i + 1 < count) {
      check(builder.set_group_size(triple(values[++i])));
    } else if (text == "--offset" && i + 1 < count) {
      std::array<std::uint32_t, 3> offset = triple(values[++i]);
      builder.set_global_offset(offset);
    } else {
      set_argument(device, builder, index++, text, buffers);
    }
  }
  auto launch = builder.build(groups);
  if (auto* error = std::get_if<device::PayloadError>(&launch)) {
    throw std::runtime_error(error->message);
  }
  complete(device, std::get<device::KernelLaunch>(launch));
  for (const Buffer& buffer : buffers) {
    std::ofstream output(buffer.path, std::ios::binary);
    output.write(reinterpret_cast<const char*>(buffer.memory.address),
                 static_cast<std::streamsize>(buffer.memory.size));
  }
  std::cout << "instructions " << device.instructions_executed() << '\n';
  if (repetitions > 0) {
    repeat(device, std::get<device::KernelLaunch>(launch), buffers, repetitions);
  }
}

}  // namespace

int main(int count, char** values) {
  try {
    run(count, values);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
