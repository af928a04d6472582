// threads MODULE: many threads of the host that use one device at once: each with a context, modules,
// kernels, queues, lists, events and memory of its own, all with some that they share. On a device with
// tiles their own lists are those of one of them. Each result must be right.
#include <level_zero/ze_api.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 8;
constexpr int kRounds = 6;
constexpr int kItems = 64;
constexpr ze_group_count_t kGroups{kItems / 8, 1, 1};

void check(ze_result_t result, const char* what) {
  if (result != ZE_RESULT_SUCCESS) {
    std::fprintf(stderr, "%s = 0x%x\n", what, static_cast<unsigned>(result));
    std::exit(1);
  }
}
#define CHECK(call) check((call), #call)

struct Shared {
  ze_driver_handle_t driver{};
  ze_device_handle_t device{};
  std::vector<ze_device_handle_t> tiles;
  ze_context_handle_t context{};
  ze_module_handle_t module{};
  ze_command_queue_handle_t queue{};
  ze_event_pool_handle_t pool{};
  std::vector<ze_event_handle_t> finished;  // of each thread, for the next one
  std::vector<std::uint8_t> binary;
};

ze_module_handle_t load(const Shared& shared, ze_context_handle_t context) {
  ze_module_desc_t description{};
  description.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  description.format = ZE_MODULE_FORMAT_NATIVE;
  description.inputSize = shared.binary.size();
  description.pInputModule = shared.binary.data();
  ze_module_handle_t module{};
  CHECK(zeModuleCreate(context, shared.device, &description, &module, nullptr));
  return module;
}

class Worker {
 public:
  Worker(Shared& shared, int index)
      : shared_(shared),
        index_(index),
        device_(shared.tiles.empty() ? shared.device : shared.tiles[index % shared.tiles.size()]) {}

  void run() {
    const ze_context_desc_t contexts{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
    CHECK(zeContextCreate(shared_.driver, &contexts, &context_));
    for (int round = 0; round < kRounds; ++round) {
      one_round(round);
    }
    CHECK(zeEventHostSignal(shared_.finished[index_]));
    CHECK(zeEventHostSynchronize(shared_.finished[(index_ + 1) % kThreads], UINT64_MAX));
    CHECK(zeContextDestroy(context_));
  }

 private:
  void one_round(int round) {
    const bool own = (index_ + round) % 2 == 0;  // else what all threads share
    const ze_module_handle_t module = own ? load(shared_, context_) : shared_.module;
    float* a = allocate();
    float* sum = allocate();
    for (int i = 0; i < kItems; ++i) {
      a[i] = static_cast<float>(index_ * 1000 + round * 100 + i);
      sum[i] = 0;
    }
    const ze_kernel_desc_t named{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "vadd"};
    ze_kernel_handle_t kernel{};
    CHECK(zeKernelCreate(module, &named, &kernel));
    CHECK(zeKernelSetGroupSize(kernel, 8, 1, 1));
    CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof(a), &a));
    CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof(a), &a));
    CHECK(zeKernelSetArgumentValue(kernel, 2, sizeof(sum), &sum));
    CHECK(zeKernelSetArgumentValue(kernel, 3, sizeof(kItems), &kItems));
    if (own) {
      CHECK(zeModuleDestroy(module));  // its kernel keeps it
    }
    launch_in_a_list(kernel);
    expect_sums(a, sum);
    launch_at_once(kernel, a, sum);
    expect_sums(a, sum);
    CHECK(zeKernelDestroy(kernel));
    CHECK(zeMemFree(context_, a));
    CHECK(zeMemFree(context_, sum));
  }

  float* allocate() {
    const ze_device_mem_alloc_desc_t on_device{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
    const ze_host_mem_alloc_desc_t on_host{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
    void* memory = nullptr;
    CHECK(zeMemAllocShared(context_, &on_device, &on_host, kItems * sizeof(float), 64,
                           shared_.device, &memory));
    return static_cast<float*>(memory);
  }

  // On the queue that all threads share.
  void launch_in_a_list(ze_kernel_handle_t kernel) {
    const ze_command_list_desc_t description{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0, 0};
    ze_command_list_handle_t list{};
    CHECK(zeCommandListCreate(context_, shared_.device, &description, &list));
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &kGroups, nullptr, 0, nullptr));
    CHECK(zeCommandListClose(list));
    const ze_fence_desc_t fences{ZE_STRUCTURE_TYPE_FENCE_DESC, nullptr, 0};
    ze_fence_handle_t fence{};
    CHECK(zeFenceCreate(shared_.queue, &fences, &fence));
    CHECK(zeCommandQueueExecuteCommandLists(shared_.queue, 1, &list, fence));
    CHECK(zeFenceHostSynchronize(fence, UINT64_MAX));
    CHECK(zeFenceDestroy(fence));
    CHECK(zeCommandListDestroy(list));
  }

  // On an immediate list of its own: a fill, the launch, and waits by events of a pool of its own.
  void launch_at_once(ze_kernel_handle_t kernel, const float* a, float* sum) {
    ze_command_queue_desc_t description{};
    description.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
    description.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
    ze_command_list_handle_t list{};
    CHECK(zeCommandListCreateImmediate(context_, device_, &description, &list));
    const ze_event_pool_desc_t pools{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
                                     ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, 2};
    ze_event_pool_handle_t pool{};
    CHECK(zeEventPoolCreate(context_, &pools, 0, nullptr, &pool));
    ze_event_handle_t events[2]{};
    for (std::uint32_t i = 0; i < 2; ++i) {
      const ze_event_desc_t event{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, i, 0, 0};
      CHECK(zeEventCreate(pool, &event, &events[i]));
    }
    const float zero = -1;
    CHECK(zeCommandListAppendMemoryFill(list, sum, &zero, sizeof(zero), kItems * sizeof(float),
                                        events[0], 0, nullptr));
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &kGroups, events[1], 1, &events[0]));
    CHECK(zeEventHostSynchronize(events[1], UINT64_MAX));
    expect_sums(a, sum);
    ze_kernel_timestamp_result_t times{};
    CHECK(zeEventQueryKernelTimestamp(events[1], &times));
    CHECK(zeEventDestroy(events[0]));
    CHECK(zeEventDestroy(events[1]));
    CHECK(zeEventPoolDestroy(pool));
    CHECK(zeCommandListDestroy(list));
  }

  void expect_sums(const float* a, const float* sum) const {
    for (int i = 0; i < kItems; ++i) {
      if (sum[i] != 2 * a[i]) {
        std::fprintf(stderr, "thread %d: item %d is %g\n", index_, i, static_cast<double>(sum[i]));
        std::exit(1);
      }
    }
  }

  Shared& shared_;
  const int index_;
  const ze_device_handle_t device_;
  ze_context_handle_t context_{};
};

}  // namespace

int main(int argc, char** argv) {
  std::ifstream file(argc > 1 ? argv[1] : "", std::ios::binary);
  Shared shared;
  shared.binary.assign(std::istreambuf_iterator<char>(file), {});
  CHECK(zeInit(0));
  std::uint32_t one = 1;
  CHECK(zeDriverGet(&one, &shared.driver));
  CHECK(zeDeviceGet(shared.driver, &one, &shared.device));
  std::uint32_t tiles = 0;
  CHECK(zeDeviceGetSubDevices(shared.device, &tiles, nullptr));
  shared.tiles.resize(tiles);
  CHECK(zeDeviceGetSubDevices(shared.device, &tiles, shared.tiles.data()));
  const ze_context_desc_t contexts{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  CHECK(zeContextCreate(shared.driver, &contexts, &shared.context));
  shared.module = load(shared, shared.context);
  ze_command_queue_desc_t queues{};
  queues.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  CHECK(zeCommandQueueCreate(shared.context, shared.device, &queues, &shared.queue));
  const ze_event_pool_desc_t pools{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
                                   ZE_EVENT_POOL_FLAG_HOST_VISIBLE, kThreads};
  CHECK(zeEventPoolCreate(shared.context, &pools, 0, nullptr, &shared.pool));
  for (std::uint32_t i = 0; i < kThreads; ++i) {
    const ze_event_desc_t event{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, i, 0, 0};
    shared.finished.emplace_back();
    CHECK(zeEventCreate(shared.pool, &event, &shared.finished.back()));
  }
  std::vector<std::thread> threads;
  for (int index = 0; index < kThreads; ++index) {
    threads.emplace_back([&shared, index] { Worker(shared, index).run(); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  std::puts("threads: ok");
}
