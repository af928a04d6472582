#include "driver/recording.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "driver/report.hpp"

namespace xesim::driver {

namespace {

constexpr const char* kProfileHeader = "xesim-profile\t1\n";
constexpr const char* kTraceHeader = "xesim-trace\t1\n";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Numbers separated by commas, as many as `count`; nothing, and a line for the user, otherwise.
std::optional<std::vector<std::uint64_t>> numbers(const char* name, std::size_t count) {
  const std::string text = variable(name);
  if (text.empty()) return std::nullopt;
  std::vector<std::uint64_t> values;
  std::string_view rest = text;
  while (true) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc{}) break;
    values.push_back(value);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (rest.empty() || rest.front() != ',') break;
    rest.remove_prefix(1);
  }
  if (!rest.empty() || values.size() != count) {
    report(std::string(name) + "=" + text + " is not " + std::to_string(count) +
           (count == 1 ? " number" : " numbers separated by commas") + "; it is ignored");
    return std::nullopt;
  }
  return values;
}

TraceOptions trace_options() {
  TraceOptions options;
  if (const auto limit = numbers("XESIM_TRACE_LIMIT", 1)) options.limit = limit->front();
  if (const auto group = numbers("XESIM_TRACE_GROUP", 3)) {
    options.group = {static_cast<std::uint32_t>((*group)[0]),
                     static_cast<std::uint32_t>((*group)[1]),
                     static_cast<std::uint32_t>((*group)[2])};
  }
  if (const auto thread = numbers("XESIM_TRACE_THREAD", 1)) {
    options.thread = static_cast<std::uint32_t>(thread->front());
  }
  return options;
}

}  // namespace

std::unique_ptr<Recording> Recording::from_environment(std::uint32_t device) {
  auto recording = std::make_unique<Recording>();
  const std::string suffix = device == 0 ? "" : "." + std::to_string(device);
  recording->profile_path_ = variable("XESIM_PROFILE");
  if (!recording->profile_path_.empty()) {
    recording->profile_path_ += suffix;
    recording->profile_.emplace();
  }
  if (std::string path = variable("XESIM_TRACE"); !path.empty()) {
    path += suffix;
    recording->trace_file_.open(path, std::ios::trunc);
    if (!recording->trace_file_) {
      report("XESIM_TRACE=" + path + " cannot be written; there is no trace");
    } else {
      recording->trace_file_ << kTraceHeader;
      recording->trace_.emplace(recording->trace_file_, trace_options());
    }
  }
  if (!recording->profile_ && !recording->trace_) return nullptr;
  return recording;
}

void Recording::add_section(const CodeSection& section) {
  if (profile_) profile_->add_section(section);
  if (trace_) trace_->add_section(section);
}

void Recording::remove_section(std::uint32_t start) {
  if (profile_) profile_->remove_section(start);
}

void Recording::finish_launch() {
  if (trace_) trace_->finish_launch();
  if (!profile_) return;
  std::ofstream output(profile_path_, std::ios::trunc);
  output << kProfileHeader;
  profile_->write(output);
  if (!output.flush()) {
    report("XESIM_PROFILE=" + profile_path_ + " cannot be written; there is no profile");
    profile_.reset();
  }
}

void Recording::thread_begin(const eu::ThreadState& thread) {
  if (trace_) trace_->thread_begin(thread);
}

void Recording::thread_end(const eu::ThreadState& thread) {
  if (trace_) trace_->thread_end(thread);
}

void Recording::instruction(const eu::ThreadState& thread, const eu::Instruction& instruction,
                            std::uint32_t lanes) {
  if (profile_) profile_->instruction(thread, instruction, lanes);
  if (trace_) trace_->instruction(thread, instruction, lanes);
}

}  // namespace xesim::driver
