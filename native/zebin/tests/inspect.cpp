// Prints what the loader makes of a module as JSON, for tests that hold it against other readers:
//   xesim_zebin_inspect FILE                    kernels, sections, notes; or {"error": ...}
//   xesim_zebin_inspect --debug-image OUT FILE  also places every section and writes the debug ELF
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

#include "zebin/image.hpp"

namespace {

using namespace xesim::zebin;

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7E) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned char>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + '"';
}

// Far apart and recognisable: section N at 0x400000000000 + N * 1 MiB.
std::uint64_t address_of(std::uint32_t section) {
  return 0x4000'0000'0000 + std::uint64_t{section} * 0x10'0000;
}

void print_kernel(const Kernel& kernel) {
  std::cout << "{\"name\":" << quoted(kernel.name) << ",\"text_section\":" << kernel.text_section
            << ",\"simd_size\":" << kernel.simd_size << ",\"grf_count\":" << kernel.grf_count
            << ",\"barrier_count\":" << kernel.barrier_count << ",\"slm_size\":" << kernel.slm_size
            << ",\"inline_data_size\":" << kernel.inline_data_size
            << ",\"cross_thread_size\":" << kernel.cross_thread_size
            << ",\"per_thread_size\":" << kernel.per_thread_size
            << ",\"local_id_size\":" << kernel.local_id_size
            << ",\"private_size\":" << kernel.private_size
            << ",\"spill_size\":" << kernel.spill_size
            << ",\"argument_count\":" << kernel.argument_count << ",\"arguments\":[";
  const char* separator = "";
  for (const PayloadArgument& argument : kernel.arguments) {
    std::cout << separator << "{\"arg_type\":" << quoted(argument.type_name)
              << ",\"known\":" << (argument.type == ArgumentType::Other ? "false" : "true")
              << ",\"offset\":" << argument.offset << ",\"size\":" << argument.size
              << ",\"arg_index\":" << argument.index
              << ",\"bti\":" << argument.binding_table_index << "}";
    separator = ",";
  }
  std::cout << "],\"type_names\":[";
  separator = "";
  for (const std::string& name : kernel.argument_type_names) {
    std::cout << separator << quoted(name);
    separator = ",";
  }
  std::cout << "]}";
}

}  // namespace

int main(int count, char** values) {
  const char* debug_image = nullptr;
  if (count == 4 && std::strcmp(values[1], "--debug-image") == 0) {
    debug_image = values[2];
  } else if (count != 2) {
    std::cerr << "usage: xesim_zebin_inspect [--debug-image OUT] FILE\n";
    return 2;
  }
  std::ifstream input(values[count - 1], std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(input), {}};
  const auto parsed = Image::parse(std::as_bytes(std::span(text)));
  if (const auto* error = std::get_if<std::string>(&parsed)) {
    std::cout << "{\"error\":" << quoted(*error) << "}\n";
    return 0;
  }
  const Image& image = std::get<Image>(parsed);
  std::cout << "{\"product_family\":" << image.product_family()
            << ",\"ip_version\":" << image.ip_version() << ",\"sections\":[";
  const char* separator = "";
  for (const Section& section : image.sections()) {
    std::cout << separator << quoted(section.name);
    separator = ",";
  }
  std::cout << "],\"kernels\":[";
  separator = "";
  for (const Kernel& kernel : image.kernels()) {
    std::cout << separator;
    print_kernel(kernel);
    separator = ",";
  }
  std::cout << "],\"relocated\":{";
  Placement placement;
  std::map<std::uint32_t, std::uint64_t> allocated;
  constexpr std::uint64_t kAllocated = 2, kPage = 0x1'0000;
  for (std::uint32_t i = 0; i < image.sections().size(); ++i) {
    if ((image.sections()[i].flags & kAllocated) != 0 ||
        image.sections()[i].name == ".data.const.string") {
      placement[i] = address_of(i);
      allocated[i] = (image.sections()[i].size + kPage - 1) / kPage * kPage;
    }
  }
  separator = "";
  for (const auto& [section, address] : placement) {
    const auto bytes = image.relocated(section, placement);
    const auto* error = std::get_if<std::string>(&bytes);
    std::cout << separator << quoted(image.sections()[section].name) << ":"
              << (error != nullptr ? quoted(*error) : "null");
    separator = ",";
  }
  std::cout << "}}\n";
  if (debug_image != nullptr) {
    const auto bytes = image.debug_image(placement, allocated);
    std::ofstream output(debug_image, std::ios::binary);
    output.write(reinterpret_cast<const char*>(bytes.data()),
                 static_cast<std::streamsize>(bytes.size()));
  }
  return 0;
}
