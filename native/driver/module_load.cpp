// Loading a native module: placement, relocation, and the announcement to a debugger.
#include "driver/module.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <utility>

#include "driver/module_target.hpp"
#include "zebin/elf.hpp"

namespace xesim::driver {

namespace {

// Section flags of the System V gABI.
constexpr std::uint64_t kFlagAllocated = 2;
constexpr std::uint64_t kFlagExecutable = 4;

// The pseudo kernel that carries a module's exported functions; not an application's to launch.
constexpr std::string_view kFunctionsOnly = "Intel_Symbol_Table_Void_Program";

device::AllocationKind kind_of(const zebin::Section& section) {
  if ((section.flags & kFlagExecutable) != 0) {
    return device::AllocationKind::Code;
  }
  const bool global =
      section.name.starts_with(".data.global") || section.name.starts_with(".bss.global");
  return global ? device::AllocationKind::GlobalData : device::AllocationKind::ConstantData;
}

bool is_placed(const zebin::Section& section) {
  return section.size > 0 &&
         ((section.flags & kFlagAllocated) != 0 || section.name.starts_with(".data.") ||
          section.name.starts_with(".bss."));
}

// Bytes of the section that lies right after section `index`.
std::uint64_t size_after(const std::vector<zebin::Section>& sections, std::uint32_t index) {
  if (!sections[index].name.starts_with(".data.")) return 0;  // of code there are thousands
  for (std::uint32_t other = 0; other < sections.size(); ++other) {
    if (zebin::section_in_front(sections, other) == index) return sections[other].size;
  }
  return 0;
}

// What an instruction pointer holds for the code at `address`.
std::uint32_t instruction_pointer(Device& device, std::uint64_t address) {
  return static_cast<std::uint32_t>(address - device.memory().instruction_base());
}

std::atomic<std::uint64_t> last_module_id{0};

}  // namespace

Module::Module(std::shared_ptr<Context> context, Device& device, zebin::Image image)
    : context_(std::move(context)), device_(device), image_(std::move(image)) {}

std::variant<std::shared_ptr<Module>, ModuleError> Module::load(std::shared_ptr<Context> context,
                                                                Device& device,
                                                                std::span<const std::byte> binary) {
  auto parsed = zebin::Image::parse(binary);
  if (auto* message = std::get_if<std::string>(&parsed)) {
    return ModuleError{ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, std::move(*message)};
  }
  auto& image = std::get<zebin::Image>(parsed);
  if (auto mismatch = target_mismatch(image, device.topology())) {
    return ModuleError{ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, std::move(*mismatch)};
  }
  auto module = std::make_shared<Module>(std::move(context), device, std::move(image));
  if (auto error = module->place()) {
    return std::move(*error);
  }
  if (module->image().imports().empty()) {
    if (auto error = module->link({})) {
      return std::move(*error);
    }
  }
  return module;
}

std::optional<ModuleError> Module::link(const zebin::Exports& others) {
  if (auto error = fill(others)) {
    return error;
  }
  linked_ = true;
  announce();
  return std::nullopt;
}

void Module::withdraw_announcement() {
  if (id_ != 0) {
    device().debug_server()->module_unloaded(std::exchange(id_, 0));
  }
}

Module::~Module() {
  withdraw_announcement();
  for (const std::uint64_t address : announced_code_) {
    device().gpu().remove_code(address);
    if (Recording* recording = device().recording(); recording != nullptr) {
      const auto pause = device().gpu().pause();
      recording->remove_section(instruction_pointer(device(), address));
    }
  }
  const auto held = device().gpu().pause();  // a kernel that still runs faults, not the process
  for (const auto& [section, address] : placement_) {
    if (!zebin::section_in_front(image_.sections(), section)) device().memory().release(address);
  }
}

// Every section that the GPU sees gets an allocation of its own, so that a debugger can
// identify a kernel by address.
std::optional<ModuleError> Module::place() {
  const auto& sections = image_.sections();
  for (std::uint32_t index = 0; index < sections.size(); ++index) {
    if (!is_placed(sections[index])) {
      continue;
    }
    if (zebin::section_in_front(sections, index)) continue;
    const auto allocation = device().memory().allocate(
        kind_of(sections[index]), sections[index].size + size_after(sections, index), 0,
        context_.get(), &device());
    if (!allocation.has_value()) {
      return ModuleError{ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY,
                         "no device memory for section " + sections[index].name};
    }
    placement_[index] = allocation->address;
    allocated_[index] = allocation->mapped;
  }
  for (std::uint32_t index = 0; index < sections.size(); ++index) {
    const auto front = zebin::section_in_front(sections, index);
    if (front && is_placed(sections[index])) {
      placement_[index] = placement_.at(*front) + sections[*front].size;
      allocated_[index] = sections[index].size;
    }
  }
  debug_image_ = image_.debug_image(placement_, allocated_);
  return std::nullopt;
}

std::optional<ModuleError> Module::fill(const zebin::Exports& others) {
  for (const auto& [index, address] : placement_) {
    const zebin::Section& section = image_.sections()[index];
    if (section.type == zebin::section_type::kNoBits) {
      continue;  // allocations start zeroed
    }
    auto relocated = image_.relocated(index, placement_, others);
    if (auto* message = std::get_if<std::string>(&relocated)) {
      return ModuleError{ZE_RESULT_ERROR_MODULE_LINK_FAILURE, std::move(*message)};
    }
    const auto& bytes = std::get<std::vector<std::byte>>(relocated);
    std::memcpy(reinterpret_cast<void*>(address), bytes.data(), bytes.size());
    if (kind_of(section) == device::AllocationKind::Code) {
      device().gpu().add_code(address, bytes.size());
      if (Recording* recording = device().recording(); recording != nullptr) {
        const auto pause = device().gpu().pause();
        recording->add_section({section.name, instruction_pointer(device(), address),
                                static_cast<std::uint32_t>(bytes.size())});
      }
      announced_code_.push_back(address);
    }
  }
  return std::nullopt;
}

void Module::announce() {
  debug::Server* server = device().debug_server();
  if (server == nullptr) {
    return;
  }
  id_ = ++last_module_id;
  debug::ModuleDescription description;
  description.id = id_;
  description.debug_image = debug_image_;
  std::uint64_t lowest = 0;
  for (const auto& [section, address] : placement_) {
    const bool counts = zebin::is_segment(image_.sections()[section].name);
    if (counts && (lowest == 0 || address < lowest)) lowest = address;
  }
  description.load_address = lowest;
  description.tiles = device().tile_mask();
  server->module_loaded(description);
}

std::vector<const zebin::Kernel*> Module::kernels() const {
  std::vector<const zebin::Kernel*> found;
  for (const zebin::Kernel& kernel : image_.kernels()) {
    if (kernel.name != kFunctionsOnly) {
      found.push_back(&kernel);
    }
  }
  return found;
}

const zebin::Kernel* Module::find_kernel(const std::string& name) const {
  const auto all = kernels();
  const auto found =
      std::ranges::find(all, name, [](const zebin::Kernel* kernel) { return kernel->name; });
  return found != all.end() ? *found : nullptr;
}

device::ModuleAddresses Module::addresses(const zebin::Kernel& kernel) const {
  device::ModuleAddresses addresses;
  const auto code = placement_.find(kernel.text_section);
  addresses.code = code != placement_.end() ? code->second : 0;
  addresses.constant_data = zebin::variables_address(image_.sections(), placement_, "const");
  addresses.global_data = zebin::variables_address(image_.sections(), placement_, "global");
  return addresses;
}

}  // namespace xesim::driver
