#include "zebin/zeinfo.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <utility>

#include "zebin/yaml.hpp"
#include "zebin/zeinfo_words.hpp"

namespace xesim::zebin {

namespace {

// Cross-thread data comes in whole 32-byte registers, also where registers are wider.
constexpr std::uint32_t kPayloadGranule = 32;
// Above anything that a compiler makes; bounds what a hostile file can make us allocate.
constexpr std::int32_t kMostPayloadBytes = 64 * 1024;
constexpr std::int32_t kMostArguments = 4096;
constexpr std::int32_t kMostMemoryBytes = 1 << 30;
constexpr std::int32_t kMostSamplers = 256;

class Reader {
 public:
  std::variant<std::vector<Kernel>, std::string> read(const YamlNode& root) {
    std::vector<Kernel> kernels;
    const YamlNode* version = root.find("version");
    if (version == nullptr) {
      return std::string("no `version`");
    }
    if (version->scalar.substr(0, 2) != "1.") {
      return "version `" + version->scalar + "` is not 1.x";
    }
    if (const YamlNode* list = sequence(root, "kernels")) {
      for (const YamlNode& item : list->items) {
        kernels.push_back(kernel(item));
        if (!error_.empty()) {
          return error_;
        }
      }
    }
    miscellaneous(root, kernels);
    if (!error_.empty()) {
      return error_;
    }
    return kernels;
  }

 private:
  void fail(const YamlNode& node, const std::string& what) {
    if (error_.empty()) {
      error_ = "line " + std::to_string(node.line) + ": " +
               (kernel_.empty() ? "" : "kernel `" + kernel_ + "`: ") + what;
    }
  }

  // The sequence under `key`; null when there is none or it is empty.
  const YamlNode* sequence(const YamlNode& mapping, std::string_view key) {
    const YamlNode* node = mapping.find(key);
    if (node == nullptr || (node->kind == YamlNode::Kind::Scalar && node->scalar.empty())) {
      return nullptr;
    }
    if (node->kind != YamlNode::Kind::Sequence) {
      fail(*node, "`" + std::string(key) + "` is not a sequence");
      return nullptr;
    }
    return node;
  }

  std::int32_t number(const YamlNode& node, std::string_view key) {
    std::int32_t value = 0;
    const char* end = node.scalar.data() + node.scalar.size();
    const auto result = std::from_chars(node.scalar.data(), end, value);
    if (node.kind != YamlNode::Kind::Scalar || result.ec != std::errc{} || result.ptr != end) {
      fail(node, "`" + std::string(key) + "`: `" + node.scalar + "` is not a 32-bit number");
      return 0;
    }
    return value;
  }

  // The number under `key`, `missing` without one; in [least, most].
  std::int32_t integer(const YamlNode& mapping, std::string_view key, std::int32_t missing,
                       std::int32_t least, std::int32_t most) {
    const YamlNode* node = mapping.find(key);
    if (node == nullptr) {
      return missing;
    }
    const std::int32_t value = number(*node, key);
    if (value < least || value > most) {
      fail(*node, "`" + std::string(key) + "`: " + std::to_string(value) + " is not in " +
                      std::to_string(least) + ".." + std::to_string(most));
      return missing;
    }
    return value;
  }

  std::uint32_t size(const YamlNode& mapping, std::string_view key, std::int32_t most) {
    return static_cast<std::uint32_t>(integer(mapping, key, 0, 0, most));
  }

  bool boolean(const YamlNode& mapping, std::string_view key) {
    const YamlNode* node = mapping.find(key);
    if (node == nullptr || node->scalar == "false") {
      return false;
    }
    if (node->scalar != "true") {
      fail(*node, "`" + std::string(key) + "`: `" + node->scalar + "` is not true or false");
    }
    return true;
  }

  std::string text(const YamlNode& mapping, std::string_view key) {
    const YamlNode* node = mapping.find(key);
    return node == nullptr ? std::string() : node->scalar;
  }

  Kernel kernel(const YamlNode& node) {
    Kernel out;
    kernel_.clear();
    out.name = text(node, "name");
    if (out.name.empty()) {
      fail(node, "kernel without a name");
      return out;
    }
    kernel_ = out.name;
    const YamlNode* environment = node.find("execution_env");
    if (environment == nullptr) {
      fail(node, "no `execution_env`");
      return out;
    }
    execution_environment(*environment, out);
    payload(node, out);
    per_thread_payload(node, out);
    binding_table(node, out);
    memory_buffers(node, out);
    inline_samplers(node, out);
    out.source_attributes = source_attributes(node);
    return out;
  }

  // `user_attributes` in the words of OpenCL C: "reqd_work_group_size(8,1,1) vec_type_hint(int)".
  std::string source_attributes(const YamlNode& node) {
    const YamlNode* attributes = node.find("user_attributes");
    std::string words;
    if (attributes == nullptr) {
      return words;
    }
    for (const auto& [name, value] : attributes->members) {
      std::string operands = value.scalar;
      for (const YamlNode& part : value.items) {
        operands += (operands.empty() ? "" : ",") + part.scalar;
      }
      words += (words.empty() ? "" : " ") + name + "(" + operands + ")";
    }
    return words;
  }

  void execution_environment(const YamlNode& node, Kernel& out) {
    if (node.find("simd_size") == nullptr || node.find("grf_count") == nullptr) {
      fail(node, "no `simd_size` or no `grf_count`");
      return;
    }
    out.simd_size = size(node, "simd_size", 32);
    if (out.simd_size != 1 && out.simd_size != 8 && out.simd_size != 16 && out.simd_size != 32) {
      fail(node, "`simd_size`: " + std::to_string(out.simd_size) + " is not 1, 8, 16 or 32");
    }
    out.grf_count = static_cast<std::uint32_t>(integer(node, "grf_count", 128, 32, 512));
    out.has_stack_calls = boolean(node, "has_stack_calls");
    out.has_implicit_arguments = out.has_stack_calls || boolean(node, "require_iab");
    out.barrier_count = size(node, "barrier_count", 32);
    out.slm_size = size(node, "slm_size", kMostMemoryBytes);
    out.inline_data_size = size(node, "inline_data_payload_size", 64);
    out.skip_per_thread_load = size(node, "offset_to_skip_per_thread_data_load", kMostPayloadBytes);
    out.private_size = size(node, "private_size", kMostMemoryBytes);
    out.spill_size = size(node, "spill_size", kMostMemoryBytes);
    if (const auto group = triple(node, "required_work_group_size")) {
      out.required_group_size = *group;
    }
    if (const auto order = triple(node, "work_group_walk_order_dimensions")) {
      walk_order(node, *order, out);
    }
  }

  // Three numbers that are not negative; nothing without the key.
  std::optional<std::array<std::uint32_t, 3>> triple(const YamlNode& mapping,
                                                     std::string_view key) {
    const YamlNode* node = sequence(mapping, key);
    if (node == nullptr) {
      return std::nullopt;
    }
    std::array<std::uint32_t, 3> out{};
    if (node->items.size() != out.size()) {
      fail(*node, "`" + std::string(key) + "` has not three elements");
      return std::nullopt;
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::int32_t value = number(node->items[i], key);
      if (value < 0) {
        fail(*node, "`" + std::string(key) + "` is negative");
      }
      out[i] = static_cast<std::uint32_t>(value);
    }
    return out;
  }

  // x is written [0,0,0] and xy [0,1,0]: dimensions that are missing follow in their own order.
  void walk_order(const YamlNode& node, const std::array<std::uint32_t, 3>& written, Kernel& out) {
    using Order = std::array<std::uint32_t, 3>;
    if (written == Order{0, 0, 0} || written == Order{0, 1, 0}) {
      return;
    }
    Order order = written == Order{1, 0, 0} ? Order{1, 0, 2} : written;
    Order sorted = order;
    std::ranges::sort(sorted);
    if (sorted != Order{0, 1, 2}) {
      fail(node, "`work_group_walk_order_dimensions` is not an order of dimensions");
      return;
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      out.walk_order[i] = static_cast<std::uint8_t>(order[i]);
    }
  }

  void payload(const YamlNode& node, Kernel& out) {
    const YamlNode* list = sequence(node, "payload_arguments");
    std::uint32_t end = out.inline_data_size;
    for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
      const YamlNode& item = list->items[i];
      PayloadArgument argument;
      argument.type_name = text(item, "arg_type");
      if (argument.type_name.empty()) {
        fail(item, "payload argument without `arg_type`");
        return;
      }
      argument.type = look_up<ArgumentType>(kArgumentTypes, argument.type_name).value_or(ArgumentType::Other);
      argument.size = integer(item, "size", 0, 0, kMostPayloadBytes);
      argument.offset = integer(item, "offset", -1, -1, kMostPayloadBytes);
      argument.index = integer(item, "arg_index", -1, -1, kMostArguments);
      argument.source_offset =
          std::max(integer(item, "source_offset", 0, -1, kMostPayloadBytes), 0);
      argument.slm_alignment =
          std::max(integer(item, "slm_alignment", 16, 0, kMostPayloadBytes), 1);
      argument.binding_table_index = integer(item, "bti_value", -1, -1, 255);
      argument.sampler_index = integer(item, "sampler_index", -1, -1, kMostSamplers - 1);
      argument.mode = member<AddressMode>(item, "addrmode", kAddressModes, AddressMode::None);
      argument.space = member<AddressSpace>(item, "addrspace", kAddressSpaces, AddressSpace::None);
      if (argument.size == 0 || argument.offset < 0) {
        argument.offset = -1;
      } else {
        end = std::max(end, static_cast<std::uint32_t>(argument.offset + argument.size));
      }
      out.argument_count =
          std::max(out.argument_count, static_cast<std::uint32_t>(argument.index + 1));
      out.arguments.push_back(std::move(argument));
    }
    // With an argument that points to them they need not be found from r0.0.
    for (const PayloadArgument& argument : out.arguments) {
      out.has_implicit_arguments &= argument.type != ArgumentType::ImplicitArgBuffer;
    }
    out.cross_thread_size = (end + kPayloadGranule - 1) / kPayloadGranule * kPayloadGranule;
  }

  template <typename Value>
  Value member(const YamlNode& mapping, std::string_view key,
               std::span<const Named<Value>> table, Value missing) {
    const YamlNode* node = mapping.find(key);
    if (node == nullptr) {
      return missing;
    }
    const auto value = look_up<Value>(table, node->scalar);
    // Inline samplers use `addrmode` for another set of values.
    if (!value && text(mapping, "arg_type") != "inline_sampler") {
      fail(*node, "`" + std::string(key) + "`: `" + node->scalar + "` is not known");
    }
    return value.value_or(missing);
  }

  void per_thread_payload(const YamlNode& node, Kernel& out) {
    const YamlNode* list = sequence(node, "per_thread_payload_arguments");
    std::uint32_t end = 0;
    for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
      const YamlNode& item = list->items[i];
      const std::string type = text(item, "arg_type");
      const std::uint32_t bytes = size(item, "size", kMostPayloadBytes);
      const std::uint32_t offset = size(item, "offset", kMostPayloadBytes);
      if (type == "local_id") {
        out.has_local_ids = bytes != 0;
        out.local_id_size = bytes;
        if (offset != 0) {
          fail(item, "local ids at offset " + std::to_string(offset) +
                         " of the per-thread payload are not supported");
        }
      } else if (type == "packed_local_ids") {
        out.has_packed_local_ids = true;
      } else {
        fail(item, "per-thread payload argument `" + type + "` is not known");
      }
      end = std::max(end, offset + bytes);
    }
    out.per_thread_size = (end + kPayloadGranule - 1) / kPayloadGranule * kPayloadGranule;
  }

  void binding_table(const YamlNode& node, Kernel& out) {
    const YamlNode* list = sequence(node, "binding_table_indices");
    for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
      const YamlNode& item = list->items[i];
      const std::int32_t index = integer(item, "bti_value", -1, 0, 255);
      const std::int32_t argument = integer(item, "arg_index", -1, 0, kMostArguments);
      bool found = false;
      for (PayloadArgument& candidate : out.arguments) {
        if (candidate.mode == AddressMode::Stateful && candidate.index == argument) {
          candidate.binding_table_index = index;
          found = true;
        }
      }
      if (!found) {
        fail(item, "binding table index " + std::to_string(index) + " names argument " +
                       std::to_string(argument) + ", which is not stateful");
      }
    }
  }

  void memory_buffers(const YamlNode& node, Kernel& out) {
    const YamlNode* list = sequence(node, "per_thread_memory_buffers");
    for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
      const YamlNode& item = list->items[i];
      ThreadMemoryBuffer buffer;
      buffer.type = text(item, "type");
      buffer.usage = text(item, "usage");
      buffer.size = integer(item, "size", 0, 0, kMostMemoryBytes);
      buffer.slot = integer(item, "slot", 0, 0, 1);
      buffer.is_simt_thread = boolean(item, "is_simt_thread");
      if (buffer.type != "global" && buffer.type != "scratch" && buffer.type != "slm") {
        fail(item, "per-thread memory of type `" + buffer.type + "` is not known");
      }
      out.memory_buffers.push_back(std::move(buffer));
    }
  }

  void inline_samplers(const YamlNode& node, Kernel& out) {
    const YamlNode* list = sequence(node, "inline_samplers");
    for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
      const YamlNode& item = list->items[i];
      InlineSampler sampler;
      sampler.index = size(item, "sampler_index", kMostSamplers - 1);
      sampler.address = member<SamplerAddressMode>(item, "addrmode", kSamplerAddressModes,
                                                   SamplerAddressMode::None);
      sampler.is_linear =
          member<Filter>(item, "filtermode", kFilters, Filter::Nearest) == Filter::Linear;
      sampler.is_normalized = boolean(item, "normalized");
      out.inline_samplers.push_back(sampler);
    }
  }

  void miscellaneous(const YamlNode& root, std::vector<Kernel>& kernels) {
    kernel_.clear();
    const YamlNode* list = sequence(root, "kernels_misc_info");
    // Both lists come in the same order; a search of all would be quadratic in the kernels.
    std::size_t next = 0;
    for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
      const YamlNode& item = list->items[i];
      const std::string name = text(item, "name");
      std::size_t position = next;
      while (position < kernels.size() && kernels[position].name != name) {
        ++position;
      }
      const YamlNode* arguments = sequence(item, "args_info");
      if (position == kernels.size() || arguments == nullptr) {
        continue;
      }
      next = position + 1;
      kernel_ = name;
      for (const YamlNode& argument : arguments->items) {
        const std::int32_t index = integer(argument, "index", -1, 0, kMostArguments);
        auto& names = kernels[position].argument_type_names;
        if (index < 0) {
          fail(argument, "argument without `index`");
          return;
        }
        if (names.size() <= static_cast<std::size_t>(index)) {
          names.resize(static_cast<std::size_t>(index) + 1);
        }
        names[static_cast<std::size_t>(index)] = text(argument, "type_name");
      }
    }
  }

  std::string error_;
  std::string kernel_;   // whose entry is being read, for reports
};

}  // namespace

std::variant<std::vector<Kernel>, std::string> parse_zeinfo(std::string_view content) {
  const auto parsed = parse_yaml(content);
  if (const auto* error = std::get_if<std::string>(&parsed)) {
    return *error;
  }
  return Reader().read(std::get<YamlNode>(parsed));
}

}  // namespace xesim::zebin
