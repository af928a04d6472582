// Linking modules that use each other's functions and variables.
//
// Rules: core programming guide, "Dynamically Linked Modules": imports are linked once, and each must
// be defined by exactly one of the modules that are given.
#include <level_zero/ze_api.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "driver/build_log.hpp"
#include "driver/module.hpp"
#include "driver/report.hpp"

using namespace xesim::driver;

namespace {

using Definitions = std::map<std::string, std::vector<std::uint64_t>, std::less<>>;

Definitions definitions(const std::vector<Module*>& modules) {
  Definitions defined;
  for (const Module* module : modules) {
    for (const auto& [name, address] : module->exports()) {
      defined[name].push_back(address);
    }
  }
  return defined;
}

// What `defined` says of the imports of `module`; appends a line to `problems` for each of which it
// does not say one address.
xesim::zebin::Exports resolve(const Module& module, const Definitions& defined,
                              std::string& problems) {
  xesim::zebin::Exports resolved;
  for (const std::string& name : module.image().imports()) {
    const auto found = defined.find(name);
    if (found == defined.end()) {
      problems += "`" + name + "` is defined by none of the modules\n";
    } else if (found->second.size() > 1) {
      problems += "`" + name + "` is defined by " + std::to_string(found->second.size()) +
                  " of the modules\n";
    } else {
      resolved.emplace(name, found->second.front());
    }
  }
  return resolved;
}

// The problems of linking `modules`, a line each; empty once all of them are linked.
std::string link(std::vector<Module*> modules) {
  const Definitions defined = definitions(modules);
  std::erase_if(modules, [](const Module* module) { return module->linked(); });
  std::string problems;
  std::vector<xesim::zebin::Exports> resolved;
  for (const Module* module : modules) {
    resolved.push_back(resolve(*module, defined, problems));
  }
  for (std::size_t index = 0; problems.empty() && index < modules.size(); ++index) {
    if (const auto error = modules[index]->link(resolved[index])) {
      problems = error->message + "\n";
    }
  }
  return problems;
}

}  // namespace

ze_result_t zeModuleDynamicLink(uint32_t numModules, ze_module_handle_t* phModules,
                                ze_module_build_log_handle_t* phLinkLog) {
  if (phModules == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    std::vector<Module*> modules;
    for (std::uint32_t index = 0; index < numModules; ++index) {
      if (!is_live(phModules[index])) {
        return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
      }
      Module* const module = object_of<Module>(phModules[index]);
      if (std::ranges::find(modules, module) == modules.end()) {
        modules.push_back(module);
      }
    }
    const std::string problems = link(std::move(modules));
    if (!problems.empty() && phLinkLog == nullptr) {
      report("zeModuleDynamicLink: " + problems.substr(0, problems.find('\n')));
    }
    give_log(phLinkLog, problems);
    return problems.empty() ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_MODULE_LINK_FAILURE;
  });
}
