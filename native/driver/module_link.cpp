// Linking modules that use each other's functions and variables, and what there is to link.
//
// Rules: core programming guide, "Dynamically Linked Modules": imports are linked once, and each must
// be defined by exactly one of the modules that are given.
#include <level_zero/ze_api.h>

#include <algorithm>
#include <map>
#include <set>
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

// Each module of a list that programs give, once; INVALID_NULL_HANDLE for what is none.
ze_result_t collect(std::uint32_t count, const ze_module_handle_t* handles,
                    std::vector<Module*>& modules) {
  for (std::uint32_t index = 0; index < count; ++index) {
    if (!is_live(handles[index])) {
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    }
    Module* const module = object_of<Module>(handles[index]);
    if (std::ranges::find(modules, module) == modules.end()) {
      modules.push_back(module);
    }
  }
  return ZE_RESULT_SUCCESS;
}

// The names under a heading, a line each.
std::string listed(const char* heading, const std::set<std::string>& names) {
  std::string text = std::string(heading) + ":\n";
  for (const std::string& name : names) {
    text += "  " + name + "\n";
  }
  return text;
}

}  // namespace

ze_result_t zeModuleDynamicLink(uint32_t numModules, ze_module_handle_t* phModules,
                                ze_module_build_log_handle_t* phLinkLog) {
  if (phModules == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    std::vector<Module*> modules;
    if (const ze_result_t result = collect(numModules, phModules, modules)) {
      return result;
    }
    const std::string problems = link(std::move(modules));
    if (!problems.empty() && phLinkLog == nullptr) {
      report("zeModuleDynamicLink: " + problems.substr(0, problems.find('\n')));
    }
    give_log(phLinkLog, problems);
    return problems.empty() ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_MODULE_LINK_FAILURE;
  });
}

ze_result_t zeModuleInspectLinkageExt(ze_linkage_inspection_ext_desc_t* pInspectDesc,
                                      uint32_t numModules, ze_module_handle_t* phModules,
                                      ze_module_build_log_handle_t* phLog) {
  if (pInspectDesc == nullptr || phModules == nullptr || phLog == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  constexpr ze_linkage_inspection_ext_flags_t kAll =
      ZE_LINKAGE_INSPECTION_EXT_FLAG_IMPORTS | ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS |
      ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS;
  if (pInspectDesc->flags > kAll) {
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  const auto wanted = pInspectDesc->flags != 0 ? pInspectDesc->flags : kAll;
  return guarded([&] {
    std::vector<Module*> modules;
    if (const ze_result_t result = collect(numModules, phModules, modules)) {
      return result;
    }
    const Definitions defined = definitions(modules);
    std::set<std::string> imports;
    std::set<std::string> unresolvable;
    std::set<std::string> exports;
    for (const auto& [name, addresses] : defined) {
      exports.insert(name);
    }
    for (const Module* module : modules) {
      for (const std::string& name : module->image().imports()) {
        imports.insert(name);
        if (!defined.contains(name)) {
          unresolvable.insert(name);
        }
      }
    }
    std::string text;
    if ((wanted & ZE_LINKAGE_INSPECTION_EXT_FLAG_IMPORTS) != 0) {
      text += listed("imports", imports);
    }
    if ((wanted & ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS) != 0) {
      text += listed("unresolvable imports", unresolvable);
    }
    if ((wanted & ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS) != 0) {
      text += listed("exports", exports);
    }
    give_log(phLog, text);
    return ZE_RESULT_SUCCESS;
  });
}
