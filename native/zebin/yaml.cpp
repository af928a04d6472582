#include "zebin/yaml.hpp"

#include <optional>

namespace xesim::zebin {

namespace {

// Deeper than zeinfo ever nests; keeps recursion bounded for hostile input.
constexpr unsigned kMostLevels = 16;
// More keys than any mapping of zeinfo has; keeps the search for duplicates bounded.
constexpr std::size_t kMostMembers = 1024;

struct Line {
  std::size_t number = 0;
  std::size_t indent = 0;
  std::string_view text;   // without indentation, trailing blanks and comments
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// Where the quoted scalar that starts at 0 ends (one past the quote); npos when it does not.
std::size_t quoted_end(std::string_view text) {
  const char quote = text[0];
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '\'' && i + 1 < text.size() && text[i + 1] == '\'') {
        ++i;
      } else {
        return i + 1;
      }
    }
  }
  return std::string_view::npos;
}

bool is_quoted(std::string_view text) {
  return !text.empty() && (text[0] == '\'' || text[0] == '"');
}

class Parser {
 public:
  explicit Parser(std::string_view text) { split(text); }

  std::variant<YamlNode, std::string> document() {
    if (error_.empty() && lines_.empty()) {
      fail(1, "no content");
    }
    YamlNode root;
    if (error_.empty()) {
      root = block(lines_[0].indent, 0);
    }
    if (error_.empty() && next_ < lines_.size()) {
      fail(lines_[next_].number, "indentation does not match any level above");
    }
    if (!error_.empty()) {
      return error_;
    }
    return root;
  }

 private:
  void fail(std::size_t line, const std::string& what) {
    if (error_.empty()) {
      error_ = "line " + std::to_string(line) + ": " + what;
    }
  }

  void split(std::string_view text) {
    std::size_t number = 0;
    bool started = false;
    while (!text.empty()) {
      const auto end = text.find('\n');
      std::string_view raw = text.substr(0, end);
      text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
      ++number;
      if (raw.find('\0') != std::string_view::npos) {
        // Sections may be padded with zero bytes after the end of the document.
        if (raw.find_first_not_of('\0') != std::string_view::npos) {
          fail(number, "zero byte in text");
        }
        continue;
      }
      const auto indent = raw.find_first_not_of(' ');
      const std::string_view content = trimmed(raw);
      if (content.empty() || content[0] == '#') {
        continue;
      }
      if (indent == 0 && content == "---") {
        if (started || !lines_.empty()) {
          fail(number, "more than one document");
        }
        started = true;
        continue;
      }
      if (indent == 0 && content == "...") {
        return;
      }
      if (raw[indent] == '\t') {
        fail(number, "tab in indentation");
      }
      lines_.push_back({number, indent, content});
    }
  }

  // The block whose lines start at `indent`, from next_ on.
  YamlNode block(std::size_t indent, unsigned level) {
    YamlNode node;
    node.line = lines_[next_].number;
    if (level > kMostLevels) {
      fail(node.line, "nested too deeply");
      return node;
    }
    const bool sequence = is_item(lines_[next_].text);
    node.kind = sequence ? YamlNode::Kind::Sequence : YamlNode::Kind::Mapping;
    while (error_.empty() && next_ < lines_.size() && lines_[next_].indent == indent &&
           is_item(lines_[next_].text) == sequence) {
      if (sequence) {
        item(node, indent, level);
      } else {
        member(node, indent, level);
      }
    }
    if (error_.empty() && next_ < lines_.size() && lines_[next_].indent > indent) {
      fail(lines_[next_].number, "unexpected indentation");
    }
    return node;
  }

  static bool is_item(std::string_view text) {
    return text == "-" || text.substr(0, 2) == "- ";
  }

  void item(YamlNode& sequence, std::size_t indent, unsigned level) {
    Line& line = lines_[next_];
    const auto content = line.text.find_first_not_of(' ', 1);
    if (content == std::string_view::npos) {
      fail(line.number, "empty sequence item");
      return;
    }
    if (colon(line.text.substr(content))) {
      // A mapping that starts on the line of its dash: the dash counts as indentation.
      line.indent = indent + content;
      line.text = line.text.substr(content);
      sequence.items.push_back(block(line.indent, level + 1));
    } else {
      sequence.items.push_back(value(line.text.substr(content), line.number));
      ++next_;
    }
  }

  // Position of the colon that ends the key of a mapping entry.
  static std::optional<std::size_t> colon(std::string_view text) {
    std::size_t from = 0;
    if (is_quoted(text)) {
      from = quoted_end(text);
      if (from == std::string_view::npos) {
        return std::nullopt;
      }
    }
    for (auto at = text.find(':', from); at != std::string_view::npos; at = text.find(':', at + 1)) {
      if (at + 1 == text.size() || text[at + 1] == ' ') {
        return at;
      }
    }
    return std::nullopt;
  }

  void member(YamlNode& mapping, std::size_t indent, unsigned level) {
    const Line line = lines_[next_];
    const auto at = colon(line.text);
    if (!at || *at == 0) {
      fail(line.number, "expected `key: value`");
      return;
    }
    const std::string key = value(trimmed(line.text.substr(0, *at)), line.number).scalar;
    if (mapping.members.size() == kMostMembers) {
      fail(line.number, "too many keys in one mapping");
      return;
    }
    if (mapping.find(key) != nullptr) {
      fail(line.number, "key `" + key + "` appears twice");
      return;
    }
    const std::string_view rest = trimmed(line.text.substr(*at + 1));
    ++next_;
    YamlNode child;
    child.line = line.number;
    if (!rest.empty()) {
      child = value(rest, line.number);
    } else if (next_ < lines_.size() &&
               (lines_[next_].indent > indent ||
                (lines_[next_].indent == indent && is_item(lines_[next_].text)))) {
      child = block(lines_[next_].indent, level + 1);
    }
    mapping.members.emplace_back(key, std::move(child));
  }

  YamlNode value(std::string_view text, std::size_t line) {
    YamlNode node;
    node.line = line;
    if (text[0] == '[') {
      flow_sequence(node, text, line);
    } else if (is_quoted(text)) {
      const auto end = quoted_end(text);
      if (end == std::string_view::npos || !trimmed(text.substr(end)).empty()) {
        fail(line, "unterminated or trailing text after quoted scalar");
        return node;
      }
      node.scalar = unquoted(text.substr(0, end), line);
    } else if (std::string_view("{}&*!|>%@`").find(text[0]) != std::string_view::npos) {
      fail(line, std::string("unsupported YAML construct `") + text[0] + "`");
    } else {
      node.scalar = text.substr(0, text.find(" #"));
      while (!node.scalar.empty() && node.scalar.back() == ' ') {
        node.scalar.pop_back();
      }
    }
    return node;
  }

  std::string unquoted(std::string_view text, std::size_t line) {
    std::string out;
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
      if (text[0] == '\'' && text[i] == '\'') {
        ++i;
        out += '\'';
      } else if (text[0] == '"' && text[i] == '\\') {
        ++i;
        switch (text[i]) {
          case '\\': out += '\\'; break;
          case '"': out += '"'; break;
          case '/': out += '/'; break;
          case 'n': out += '\n'; break;
          case 't': out += '\t'; break;
          case '0': out += '\0'; break;
          default: fail(line, std::string("unsupported escape `\\") + text[i] + "`");
        }
      } else {
        out += text[i];
      }
    }
    return out;
  }

  void flow_sequence(YamlNode& node, std::string_view text, std::size_t line) {
    node.kind = YamlNode::Kind::Sequence;
    if (text.back() != ']') {
      fail(line, "flow sequence does not end on its line");
      return;
    }
    std::string_view rest = trimmed(text.substr(1, text.size() - 2));
    while (!rest.empty()) {
      const auto comma = rest.find(',');
      const std::string_view element = trimmed(rest.substr(0, comma));
      if (element.empty() || element[0] == '[' || is_quoted(element)) {
        fail(line, "flow sequences may hold plain scalars only");
        return;
      }
      node.items.push_back(value(element, line));
      rest = comma == std::string_view::npos ? std::string_view{} : trimmed(rest.substr(comma + 1));
    }
  }

  std::vector<Line> lines_;
  std::size_t next_ = 0;
  std::string error_;
};

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  for (const auto& [name, value] : members) {
    if (name == key) {
      return &value;
    }
  }
  return nullptr;
}

std::variant<YamlNode, std::string> parse_yaml(std::string_view text) {
  return Parser(text).document();
}

}  // namespace xesim::zebin
