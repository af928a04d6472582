#include "driver/spirv_program.hpp"

#include <optional>
#include <span>
#include <string>

#include "driver/handle.hpp"
#include "driver/spirv_compiler.hpp"
#include "driver/spirv_constants.hpp"

namespace xesim::driver {

namespace {

struct Input {
  const std::uint8_t* bytes = nullptr;
  std::size_t size = 0;
  const ze_module_constants_t* constants = nullptr;  // null: none
};

const ze_module_program_exp_desc_t* program_of(const ze_module_desc_t& description) {
  const ze_module_program_exp_desc_t* program = nullptr;
  for_each_extension(description.pNext, [&](const ExtensionHead& head) {
    if (head.stype == ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC) {
      program = reinterpret_cast<const ze_module_program_exp_desc_t*>(&head);
    }
  });
  return program;
}

std::vector<Input> inputs_of(const ze_module_desc_t& description) {
  const ze_module_program_exp_desc_t* program = program_of(description);
  if (program == nullptr) {
    return {{description.pInputModule, description.inputSize, description.pConstants}};
  }
  std::vector<Input> inputs;
  for (std::uint32_t index = 0; index < program->count; ++index) {
    inputs.push_back({program->pInputModules[index], program->inputSizes[index],
                      program->pConstants != nullptr ? program->pConstants[index] : nullptr});
  }
  return inputs;
}

// The flags of the module, then those of its inputs: they are compiled in one go.
std::string flags_of(const ze_module_desc_t& description) {
  std::string flags = description.pBuildFlags != nullptr ? description.pBuildFlags : "";
  const ze_module_program_exp_desc_t* program = program_of(description);
  if (program != nullptr && program->pBuildFlags != nullptr) {
    for (std::uint32_t index = 0; index < program->count; ++index) {
      if (program->pBuildFlags[index] != nullptr) {
        flags += std::string(" ") + program->pBuildFlags[index];
      }
    }
  }
  return flags;
}

// Why the inputs cannot be read at all.
std::optional<ModuleError> refused(const ze_module_desc_t& description) {
  const ze_module_program_exp_desc_t* program = program_of(description);
  if (program != nullptr && (program->inputSizes == nullptr || program->pInputModules == nullptr)) {
    return ModuleError{ZE_RESULT_ERROR_INVALID_NULL_POINTER,
                       "ze_module_program_exp_desc_t without inputSizes or pInputModules"};
  }
  const std::vector<Input> inputs = inputs_of(description);
  if (inputs.empty()) {
    return ModuleError{ZE_RESULT_ERROR_INVALID_SIZE,
                       "ze_module_program_exp_desc_t with no input modules"};
  }
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    if (inputs[index].bytes == nullptr || inputs[index].size == 0) {
      return ModuleError{inputs[index].bytes == nullptr ? ZE_RESULT_ERROR_INVALID_NULL_POINTER
                                                        : ZE_RESULT_ERROR_INVALID_SIZE,
                         "input module " + std::to_string(index) + " is empty"};
    }
  }
  return std::nullopt;
}

}  // namespace

bool has_several_inputs(const ze_module_desc_t& description) {
  return program_of(description) != nullptr;
}

std::variant<std::vector<std::byte>, ModuleError> build_spirv(const ze_module_desc_t& description,
                                                              const device::Topology& topology) {
  if (auto error = refused(description)) {
    return std::move(*error);
  }
  std::vector<std::vector<std::byte>> modules;
  for (const Input& input : inputs_of(description)) {
    const auto bytes = std::as_bytes(std::span(input.bytes, input.size));
    if (input.constants == nullptr || input.constants->numConstants == 0) {
      modules.emplace_back(bytes.begin(), bytes.end());
      continue;
    }
    auto with_values = specialize_spirv(bytes, *input.constants);
    if (auto* message = std::get_if<std::string>(&with_values)) {
      return ModuleError{ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, std::move(*message)};
    }
    modules.push_back(std::get<std::vector<std::byte>>(std::move(with_values)));
  }
  auto compiled = compile_spirv(modules, flags_of(description), topology);
  if (auto* message = std::get_if<std::string>(&compiled)) {
    return ModuleError{ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, std::move(*message)};
  }
  return std::get<std::vector<std::byte>>(std::move(compiled));
}

}  // namespace xesim::driver
