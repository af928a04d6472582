#include "driver/spirv_compiler.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>

#include "driver/module_cache.hpp"

namespace xesim::driver {

namespace {

namespace fs = std::filesystem;

// A directory for one compilation, gone with everything in it at the end.
class WorkDirectory {
 public:
  WorkDirectory() {
    std::error_code error;
    const fs::path temporary = fs::temp_directory_path(error);
    std::string pattern = (error ? fs::path("/tmp") : temporary) / "ze_sim_gpu-XXXXXX";
    if (mkdtemp(pattern.data()) != nullptr) {
      path_ = pattern;
    }
  }
  ~WorkDirectory() {
    if (!path_.empty()) {
      std::error_code ignored;
      fs::remove_all(path_, ignored);
    }
  }
  WorkDirectory(const WorkDirectory&) = delete;
  WorkDirectory& operator=(const WorkDirectory&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }  // empty when there is none

 private:
  fs::path path_;
};

std::vector<std::byte> read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> characters{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(characters));
  return {bytes.begin(), bytes.end()};
}

bool write_file(const fs::path& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  return file.good();
}

// Level Zero's build flags as the compiler wants them.
std::string compiler_options(const std::string& flags) {
  constexpr std::string_view kLevel = "-ze-opt-level=";
  std::istringstream words(flags);
  std::string options;
  for (std::string word; words >> word;) {
    options += options.empty() ? "" : " ";
    if (word == "-ze-opt-disable") {
      word = "-cl-opt-disable";
    } else if (word.starts_with(kLevel) && word.size() == kLevel.size() + 1) {
      word.insert(kLevel.size(), "O");  // -ze-opt-level=2: the compiler knows =O2 only
    }
    options += word;
  }
  return options;
}

// Runs `command` with its output in the file `log`. Nothing when it ended well, else how it ended.
std::optional<std::string> run(std::vector<std::string> command, const fs::path& log) {
  std::vector<char*> arguments;
  for (std::string& word : command) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    return command[0] + " cannot be run (" + std::strerror(error) +
           "): install Intel's offline compiler, or give a native module (zebin)";
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      return std::nullopt;  // the program collects its children itself: the output will show
    }
  }
  if (WIFSIGNALED(status)) {
    return command[0] + " was killed by signal " + std::to_string(WTERMSIG(status)) +
           " while it compiled the SPIR-V";
  }
  if (WEXITSTATUS(status) != 0) {
    return command[0] + " could not compile the SPIR-V";
  }
  return std::nullopt;
}

// Runs the compiler; what it said is part of the reason why it failed.
std::optional<std::string> run_compiler(std::vector<std::string> command, const fs::path& work) {
  const fs::path log = work / "log";
  auto failure = run(std::move(command), log);
  if (failure) {
    const auto messages = read_file(log);
    *failure += messages.empty() ? "" : "\n";
    failure->append(reinterpret_cast<const char*>(messages.data()), messages.size());
  }
  return failure;
}

// All that the compiler's answer depends on.
std::string cache_key(const std::string& compiler, std::span<const std::vector<std::byte>> modules,
                      const std::string& options, const device::Topology& topology) {
  std::string key = program_identity(compiler) + '\n' + std::string(topology.key) + '\n' + options;
  for (const std::vector<std::byte>& module : modules) {
    key += '\n' + std::to_string(module.size()) + '\n';
    key.append(reinterpret_cast<const char*>(module.data()), module.size());
  }
  return key;
}

std::variant<std::vector<std::byte>, std::string> compile(
    const std::string& compiler, std::span<const std::vector<std::byte>> modules,
    const std::string& options, const device::Topology& topology) {
  const WorkDirectory directory;
  const fs::path& work = directory.path();
  std::vector<std::string> link{compiler, "link"};
  fs::path source;
  for (std::size_t index = 0; index < modules.size(); ++index) {
    source = work / ("module" + std::to_string(index) + ".spv");
    if (work.empty() || !write_file(source, modules[index])) {
      return std::string("no temporary directory to compile the SPIR-V in");
    }
    link.insert(link.end(), {"-file", source.string()});
  }
  const bool several = modules.size() > 1;
  if (several) {
    source = work / "linked.bc";
    link.insert(link.end(), {"-out", source.string(), "-out_format", "LLVM_BC", "-options", options});
    if (auto failure = run_compiler(std::move(link), work)) {
      return std::move(*failure);
    }
  }
  std::vector<std::string> command{compiler, "compile", "-q",
                                   several ? "-llvm_input" : "-spirv_input", "-file",
                                   source.string(), "-device", std::string(topology.key),
                                   "-out_dir", work.string(), "-output", "module",
                                   "-output_no_suffix", "-options", options,
                                   // Without it older compilers make the format before zebin.
                                   "-internal_options", "-cl-intel-allow-zebin"};
  if (auto failure = run_compiler(std::move(command), work)) {
    return std::move(*failure);
  }
  for (const char* name : {"module.bin", "module"}) {  // newer compilers, older ones
    auto binary = read_file(work / name);
    if (!binary.empty()) {
      return binary;
    }
  }
  return compiler + " compiled the SPIR-V but left no module";
}

}  // namespace

std::variant<std::vector<std::byte>, std::string> compile_spirv(
    std::span<const std::vector<std::byte>> modules, const std::string& flags,
    const device::Topology& topology) {
  const char* chosen = std::getenv("XESIM_OCLOC");
  const std::string compiler = chosen != nullptr && *chosen != '\0' ? chosen : "ocloc";
  const std::string options = compiler_options(flags);
  const ModuleCache cache = ModuleCache::of_user();
  const std::string key = cache_key(compiler, modules, options, topology);
  if (auto kept = cache.find(key)) {
    return std::move(*kept);
  }
  auto compiled = compile(compiler, modules, options, topology);
  if (const auto* module = std::get_if<std::vector<std::byte>>(&compiled)) {
    cache.keep(key, *module);
  }
  return compiled;
}

}  // namespace xesim::driver
