// submitters MODULE: four threads launch a kernel each, one after the other, from a method, a
// lambda, a template and a plain function, and each waits for its end. With a second argument: one
// thread appends three launches to a list, each with another argument, and then executes it.
#include <level_zero/ze_api.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace {

void check(ze_result_t result, const char* what) {
  if (result != ZE_RESULT_SUCCESS) {
    std::fprintf(stderr, "%s = 0x%x\n", what, static_cast<unsigned>(result));
    std::exit(1);
  }
}
#define CHECK(call) check((call), #call)

struct Host {
  ze_driver_handle_t driver{};
  ze_device_handle_t device{};
  ze_context_handle_t context{};
};

}  // namespace

namespace work {

class Submitter {
 public:
  Submitter(const Host& host, ze_kernel_handle_t kernel) : kernel_(kernel) {
    ze_command_queue_desc_t description{};
    description.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
    description.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
    CHECK(zeCommandListCreateImmediate(host.context, host.device, &description, &list_));
  }

  __attribute__((noinline)) int submit(std::uint32_t groups) {
    const ze_group_count_t count{groups, 1, 1};
    CHECK(zeCommandListAppendLaunchKernel(list_, kernel_, &count, nullptr, 0, nullptr));
    return 1;
  }

 private:
  ze_kernel_handle_t kernel_;
  ze_command_list_handle_t list_{};
};

template <typename Number>
__attribute__((noinline)) Number submit_some(Submitter& submitter, Number groups) {
  return groups + submitter.submit(groups);
}

}  // namespace work

__attribute__((noinline)) int submit_plainly(work::Submitter& submitter) {
  return submitter.submit(4) + 1;
}

void submit_together(const Host& host, ze_kernel_handle_t kernel) {
  ze_command_queue_desc_t queue_description{};
  queue_description.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  queue_description.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  ze_command_queue_handle_t queue{};
  CHECK(zeCommandQueueCreate(host.context, host.device, &queue_description, &queue));
  ze_command_list_desc_t description{};
  description.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  ze_command_list_handle_t list{};
  CHECK(zeCommandListCreate(host.context, host.device, &description, &list));
  for (const int items : {5, 6, 7}) {
    const ze_group_count_t count{1, 1, 1};
    CHECK(zeKernelSetArgumentValue(kernel, 3, sizeof(items), &items));
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &count, nullptr, 0, nullptr));
  }
  CHECK(zeCommandListClose(list));
  CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, nullptr));
}

int main(int argc, char** argv) {
  std::ifstream file(argc > 1 ? argv[1] : "", std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  Host host;
  std::uint32_t one = 1;
  CHECK(zeInit(0));
  CHECK(zeDriverGet(&one, &host.driver));
  CHECK(zeDeviceGet(host.driver, &one, &host.device));
  ze_context_desc_t context{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  CHECK(zeContextCreate(host.driver, &context, &host.context));
  ze_module_desc_t description{};
  description.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  description.format = ZE_MODULE_FORMAT_NATIVE;
  description.inputSize = bytes.size();
  description.pInputModule = reinterpret_cast<const std::uint8_t*>(bytes.data());
  ze_module_handle_t module{};
  CHECK(zeModuleCreate(host.context, host.device, &description, &module, nullptr));
  ze_kernel_desc_t named{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "vadd"};
  ze_kernel_handle_t kernel{};
  CHECK(zeKernelCreate(module, &named, &kernel));
  CHECK(zeKernelSetGroupSize(kernel, 32, 1, 1));
  ze_device_mem_alloc_desc_t on_device{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  ze_host_mem_alloc_desc_t on_host{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  for (std::uint32_t index = 0; index < 3; ++index) {
    void* buffer = nullptr;
    CHECK(zeMemAllocShared(host.context, &on_device, &on_host, 512, 64, host.device, &buffer));
    CHECK(zeKernelSetArgumentValue(kernel, index, sizeof(buffer), &buffer));
  }
  const int items = 128;
  CHECK(zeKernelSetArgumentValue(kernel, 3, sizeof(items), &items));

  if (argc > 2) {
    submit_together(host, kernel);
    return 0;
  }
  work::Submitter submitter(host, kernel);
  const std::function<void()> ways[] = {
      [&] { submitter.submit(1); },
      [&] { work::submit_some<std::uint32_t>(submitter, 2); },
      [&] { work::submit_some<long>(submitter, 3); },
      [&] { submit_plainly(submitter); },
  };
  for (const auto& way : ways) {
    std::thread(way).join();
  }
  std::puts("submitted");
}
