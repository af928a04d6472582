// The subset of YAML that .ze_info is written in, and no more: one document of nested block
// mappings and block sequences with two-space steps, plain and quoted scalars, flow sequences of
// scalars. Anchors, tags, multi-line scalars and flow mappings are errors.
//
// Every scalar is a string: a kernel may be called `no` or `on`, and the compiler does not quote it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace xesim::zebin {

struct YamlNode {
  enum class Kind : std::uint8_t { Scalar, Mapping, Sequence };
  Kind kind = Kind::Scalar;
  std::size_t line = 0;                                      // 1-based, for reports
  std::string scalar;
  std::vector<YamlNode> items;                               // of a sequence
  std::vector<std::pair<std::string, YamlNode>> members;     // of a mapping, in order

  // The value of `key` in a mapping; null when it is not there.
  [[nodiscard]] const YamlNode* find(std::string_view key) const;
};

// The document, or one line that says what is wrong and in which line of the text.
[[nodiscard]] std::variant<YamlNode, std::string> parse_yaml(std::string_view text);

}  // namespace xesim::zebin
