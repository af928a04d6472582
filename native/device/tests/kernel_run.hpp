// One launch of a native module's kernel on a bare device, as a command line describes it:
//
//   MODULE KERNEL --groups X,Y,Z --size X,Y,Z [--offset X,Y,Z] [--scheduler NAME] [--seed N]
//                 [--host-cores N [--alone INSTRUCTIONS]] ARG...
//     buf:FILE      a buffer with the file's contents
//     buf:FILE@N    the same; the argument points N bytes into it
//     same:K@N      N bytes into the memory of buffer K, of those before it
//     val:HEX       a value, its bytes in memory order
//     local:BYTES   local memory
//     image:... and sampler:...   see image_argument.hpp
//
// Other options, each with a value, are for the program.
#pragma once

#include <array>
#include <charconv>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "device/assert_output.hpp"
#include "device/device.hpp"
#include "device/payload_builder.hpp"
#include "device/printf_output.hpp"
#include "image_argument.hpp"
#include "zebin/image.hpp"

namespace xesim::device::test {

inline std::vector<std::byte> read_file(const std::string& path) {
  std::ifstream input(path, std::ios::binary);
  if (!input) {
    throw std::runtime_error("cannot read " + path);
  }
  const std::vector<char> text{std::istreambuf_iterator<char>(input), {}};
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

inline std::uint64_t number(std::string_view text, int base = 10) {
  std::uint64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) {
    throw std::runtime_error("not a number: " + std::string(text));
  }
  return value;
}

inline std::array<std::uint32_t, 3> triple(std::string_view text) {
  std::array<std::uint32_t, 3> out{1, 1, 1};
  for (std::size_t i = 0; i < 3 && !text.empty(); ++i) {
    const auto comma = text.find(',');
    out[i] = static_cast<std::uint32_t>(number(text.substr(0, comma)));
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
  }
  return out;
}

inline Allocation allocate(Device& device, AllocationKind kind,
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
  Allocation memory;
  std::vector<std::byte> contents;  // before the launch
  std::optional<ImageDescription> image;  // whose texels the file has, without gaps
};

// Loads what the argument `text` says of an image.
inline Buffer load_image(Device& device, const std::string& text) {
  auto [image, path] = parse_image(text);
  Buffer buffer{path, {}, read_file(path), {}};
  if (buffer.contents.size() != packed_size(image)) {
    throw std::runtime_error(path + " has not the size of the image");
  }
  std::vector<std::byte> texels = std::move(buffer.contents);
  buffer.memory = allocate(device, AllocationKind::Device,
                           std::vector<std::byte>(image.size()));
  image.base = buffer.memory.address;
  for_each_row(image, texels.data(),
                             [](std::byte* row, const std::byte* file, std::size_t bytes) {
                               std::memcpy(row, file, bytes);
                             });
  const auto* memory = reinterpret_cast<const std::byte*>(image.base);
  buffer.contents.assign(memory, memory + image.size());
  buffer.image = image;
  return buffer;
}

// Variables of the program: a section of data.
struct ModuleData {
  std::byte* address;
  std::vector<std::byte> contents;  // before the launch
};

inline void save(const Buffer& buffer) {
  std::ofstream output(buffer.path, std::ios::binary);
  const auto write = [&](const std::byte* bytes, std::size_t size) {
    output.write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  };
  if (buffer.image) {
    std::vector<std::byte> texels(packed_size(*buffer.image));
    for_each_row(*buffer.image, texels.data(),
                               [](const std::byte* row, std::byte* file, std::size_t bytes) {
                                 std::memcpy(file, row, bytes);
                               });
    write(texels.data(), texels.size());
  } else {
    write(reinterpret_cast<const std::byte*>(buffer.memory.address), buffer.memory.size);
  }
}

// Sections in memory, as a driver places them; code is relocated last, for it refers to data.
inline zebin::Placement place(Device& device, const zebin::Image& image) {
  zebin::Placement placement;
  const auto& sections = image.sections();
  const auto kind_of = [](std::string_view name) {
    return name.substr(0, 6) == ".text."    ? AllocationKind::Code
           : name.find(".const") != std::string_view::npos ? AllocationKind::ConstantData
                                                           : AllocationKind::GlobalData;
  };
  const auto placed = [](std::string_view name) {
    return name.substr(0, 6) == ".text." || name.substr(0, 6) == ".data." ||
           name.substr(0, 5) == ".bss.";
  };
  for (std::uint32_t i = 0; i < sections.size(); ++i) {
    if (placed(sections[i].name) && !zebin::section_in_front(sections, i)) {
      std::uint64_t size = sections[i].size;
      for (std::uint32_t j = 0; j < sections.size(); ++j) {
        if (zebin::section_in_front(sections, j) == i) size += sections[j].size;
      }
      placement[i] =
          allocate(device, kind_of(sections[i].name), std::vector<std::byte>(size)).address;
    }
  }
  for (std::uint32_t i = 0; i < sections.size(); ++i) {
    if (const auto front = zebin::section_in_front(sections, i)) {
      placement[i] = placement.at(*front) + sections[*front].size;
    }
  }
  for (const auto& [section, address] : placement) {
    const auto bytes = image.relocated(section, placement);
    if (const auto* error = std::get_if<std::string>(&bytes)) {
      throw std::runtime_error(*error);
    }
    const auto& content = std::get<std::vector<std::byte>>(bytes);
    std::memcpy(reinterpret_cast<void*>(address), content.data(), content.size());
    if (kind_of(sections[section].name) == AllocationKind::Code) {
      device.add_code(address, content.size());
    }
  }
  return placement;
}

// The device that the module was compiled for: the first of its architecture and release.
inline const Topology& device_for(const zebin::Image& image) {
  constexpr std::uint32_t kRevisionBits = 14;
  for (const Topology& topology : topologies()) {
    if (topology.ip_version >> kRevisionBits == image.ip_version() >> kRevisionBits ||
        (image.ip_version() == 0 && topology.product_family == image.product_family())) {
      return topology;
    }
  }
  throw std::runtime_error("there is no simulated device that the module was compiled for");
}

inline void check(const std::optional<PayloadError>& error) {
  if (error) {
    throw std::runtime_error(error->message);
  }
}

inline void set_argument(Device& device, PayloadBuilder& builder, std::uint32_t index,
                  const std::string& text, std::vector<Buffer>& buffers) {
  const std::string value = text.substr(text.find(':') + 1);
  if (text.rfind("buf:", 0) == 0) {
    const auto at = value.rfind('@');
    const std::string path = value.substr(0, at);
    Buffer buffer{path, {}, read_file(path), {}};
    buffer.memory = allocate(device, AllocationKind::Device, buffer.contents);
    const std::uint64_t offset = at == std::string::npos ? 0 : number(value.substr(at + 1));
    const std::uint64_t address = buffer.memory.address + offset;
    buffers.push_back(buffer);
    check(builder.set_argument(index, sizeof address, &address));
  } else if (text.rfind("same:", 0) == 0) {
    const auto at = value.find('@');
    const std::uint64_t buffer = number(value.substr(0, at));
    if (at == std::string::npos || buffer >= buffers.size()) {
      throw std::runtime_error("not a buffer before it: " + text);
    }
    const std::uint64_t address = buffers[buffer].memory.address + number(value.substr(at + 1));
    check(builder.set_argument(index, sizeof address, &address));
  } else if (text.rfind("val:", 0) == 0) {
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i + 1 < value.size(); i += 2) {
      bytes.push_back(static_cast<std::byte>(number(value.substr(i, 2), 16)));
    }
    check(builder.set_argument(index, bytes.size(), bytes.data()));
  } else if (text.rfind("local:", 0) == 0) {
    check(builder.set_argument(index, number(value), nullptr));
  } else if (text.rfind("image:", 0) == 0) {
    buffers.push_back(load_image(device, text));
    check(builder.set_image(index, *buffers.back().image));
  } else if (text.rfind("sampler:", 0) == 0) {
    check(builder.set_sampler(index, parse_sampler(text)));
  } else {
    throw std::runtime_error("unknown argument form: " + text);
  }
}

// Of all threads of the process. Waiting costs none.
inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline void complete(Device& device, const KernelLaunch& launch) {
  if (const LaunchEnd end = device.launch(launch); end.status != LaunchStatus::Complete) {
    throw std::runtime_error(end.reason);
  }
  if (launch.printf_buffer != 0) {
    const auto output = read_printf_buffer(device.memory(), launch.printf_buffer);
    begin_printf_buffer(launch.printf_buffer);
    std::cout << output.text;
    if (!output.problem.empty()) {
      throw std::runtime_error(output.problem);
    }
  }
  if (launch.assert_buffer != 0) {
    if (const auto output = read_assert_buffer(device.memory(), launch.assert_buffer)) {
      throw std::runtime_error(output->text + output->problem);
    }
  }
}

// Everything throws std::runtime_error with the line for the user.
class KernelRun {
 public:
  KernelRun(int count, char** values) {
    if (count < 3) {
      throw std::runtime_error("usage: MODULE KERNEL --groups X,Y,Z --size X,Y,Z ARG...");
    }
    load(values[1], values[2]);
    build(std::vector<std::string>(values + 3, values + count));
  }

  [[nodiscard]] Device& device() { return *device_; }
  [[nodiscard]] const KernelLaunch& launch() const { return launch_; }
  [[nodiscard]] const std::vector<Buffer>& buffers() const { return buffers_; }
  [[nodiscard]] const std::vector<ModuleData>& module_data() const { return module_data_; }
  // The value of one of the program's options, empty when it is not there.
  [[nodiscard]] std::string option(const std::string& name) const {
    const auto found = options_.find(name);
    return found == options_.end() ? std::string() : found->second;
  }

  void complete() { test::complete(*device_, launch_); }

  // What launches since the last call accessed out of bounds, if anything.
  [[nodiscard]] std::optional<std::string> outside_accesses() { return launch_.outside->take(); }

  // Buffers and the program's variables as they were before the first launch.
  void restore_memory() {
    for (const Buffer& buffer : buffers_) {
      std::memcpy(reinterpret_cast<void*>(buffer.memory.address), buffer.contents.data(),
                  buffer.contents.size());
    }
    for (const ModuleData& data : module_data_) {
      std::memcpy(data.address, data.contents.data(), data.contents.size());
    }
  }

 private:
  void load(const std::string& path, const std::string& name) {
    file_ = read_file(path);
    auto parsed = zebin::Image::parse(file_);
    if (const auto* error = std::get_if<std::string>(&parsed)) {
      throw std::runtime_error(*error);
    }
    image_.emplace(std::move(std::get<zebin::Image>(parsed)));
    for (const zebin::Kernel& candidate : image_->kernels()) {
      if (candidate.name == name) {
        kernel_ = &candidate;
      }
    }
    if (kernel_ == nullptr) {
      throw std::runtime_error("no kernel " + name);
    }
    device_ = std::make_unique<Device>(device_for(*image_));
    const zebin::Placement placement = place(*device_, *image_);
    addresses_.code = placement.at(kernel_->text_section);
    addresses_.constant_data = zebin::variables_address(image_->sections(), placement, "const");
    addresses_.global_data = zebin::variables_address(image_->sections(), placement, "global");
    for (const auto& [section, address] : placement) {
      const zebin::Section& content = image_->sections()[section];
      if (content.name.substr(0, 6) != ".text.") {
        auto* const first = reinterpret_cast<std::byte*>(address);
        module_data_.push_back({first, {first, first + content.size}});
      }
    }
  }

  void build(const std::vector<std::string>& words) {
    PayloadBuilder builder(*device_, *kernel_, addresses_);
    std::uint32_t index = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i].rfind("--", 0) != 0) {
        set_argument(*device_, builder, index++, words[i], buffers_);
      } else if (i + 1 < words.size()) {
        options_[words[i].substr(2)] = words[i + 1];
        ++i;
      } else {
        throw std::runtime_error(words[i] + " needs a value");
      }
    }
    if (!option("size").empty()) {
      check(builder.set_group_size(triple(option("size"))));
    }
    if (!option("offset").empty()) {
      builder.set_global_offset(triple(option("offset")));
    }
    auto built = builder.build(triple(option("groups")));
    if (auto* error = std::get_if<PayloadError>(&built)) {
      throw std::runtime_error(error->message);
    }
    launch_ = std::move(std::get<KernelLaunch>(built));
    auto scheduling = parse_scheduling(option("scheduler"), option("seed"));
    if (const auto* problem = std::get_if<std::string>(&scheduling)) {
      throw std::runtime_error(*problem);
    }
    const auto pause = device_->pause();
    device_->set_scheduling(std::get<Scheduling>(scheduling));
    const std::string cores = option("host-cores");
    auto parsed = parse_host_cores(cores.empty() ? "1" : cores);
    if (!parsed) {
      throw std::runtime_error("--host-cores is not a number");
    }
    if (!option("alone").empty()) {
      parsed->alone = number(option("alone"));
    }
    device_->set_host_cores(*parsed);
  }

  std::vector<std::byte> file_;
  std::optional<zebin::Image> image_;
  const zebin::Kernel* kernel_ = nullptr;
  ModuleAddresses addresses_;
  std::unique_ptr<Device> device_;
  std::map<std::string, std::string> options_;
  std::vector<Buffer> buffers_;
  std::vector<ModuleData> module_data_;
  KernelLaunch launch_;   // before the device: it holds memory of it
};

}  // namespace xesim::device::test
