#include "launch/host_calls.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>

namespace zedbg::launch {
namespace {

constexpr const char* kName = "zedbg-host-calls";
constexpr std::size_t kObjects = 4096;  // memory, modules and kernels; the oldest gone ones make room
constexpr std::size_t kLaunches = 256;  // the newest
constexpr std::size_t kObjectStack = 8U << 10U;
constexpr std::size_t kLaunchStack = 32U << 10U;
constexpr std::size_t kNameBytes = 512;  // longer names are cut
constexpr std::size_t kArguments = 64;     // of a kernel; later ones are left out
constexpr std::size_t kArgumentBytes = 16;  // of an argument; longer ones are cut
constexpr std::size_t kPage = 4096;

// The registers that a frame's rules can refer to, by their DWARF numbers (System V ABI for AMD64,
// figure 3.36).
constexpr std::size_t kRegisters = 17;

struct Header {
  char magic[4] = {'Z', 'H', 'C', 'L'};
  std::uint32_t version = 4;
  std::uint32_t pid = 0;
  std::uint32_t head_bytes = kPage;
  std::uint32_t objects = kObjects;
  std::uint32_t object_bytes = 0;
  std::uint32_t launches = kLaunches;
  std::uint32_t launch_bytes = 0;
  std::uint64_t not_noted = 0;  // objects that found no room
  std::uint64_t noted = 0;      // calls so far
  std::uint64_t changes = 0;    // of launches that are in lists already
};
static_assert(sizeof(Header) == 56);

enum class ValueKind : std::uint32_t {
  kNone,     // memory that the launch gets
  kWhole,    // `size` bytes
  kAtLeast,  // the kernel knows how many of them are its own
};

struct Argument {
  std::uint32_t size = 0;  // 0: it was not set
  ValueKind value_kind = ValueKind::kNone;
  std::uint8_t value[kArgumentBytes] = {};
};

struct Note {
  std::uint64_t sequence = 0;  // odd while it is written, 0 before it is used
  std::uint64_t order = 0;     // of all calls, from 1
  std::uint64_t gone = 0;      // the order of the call that ended it, 0: it is there
  std::uint32_t kind = 0;
  std::uint32_t number = 0;  // of those of its kind (memory is one), from 1
  std::uint32_t thread = 0;
  std::uint32_t stack_bytes = 0;
  std::uint64_t handle = 0;
  std::uint64_t size = 0;
  std::uint64_t alignment = 0;
  std::uint64_t device = 0;
  std::uint64_t parent = 0;
  std::uint32_t groups[3] = {0, 0, 0};
  std::uint32_t name_bytes = 0;
  std::uint64_t registers[kRegisters] = {};
  char name[kNameBytes] = {};
  std::uint64_t argument_count = 0;  // of a kernel those that are set now, of a launch its own
  Argument arguments[kArguments] = {};
};
static_assert(sizeof(Note) == 2288);

constexpr std::size_t kObjectBytes = sizeof(Note) + kObjectStack;
constexpr std::size_t kLaunchBytes = sizeof(Note) + kLaunchStack;
constexpr std::size_t kFileBytes = kPage + kObjects * kObjectBytes + kLaunches * kLaunchBytes;

// What finds an object again without a look at its note.
struct Object {
  const void* handle = nullptr;
  CallKind kind{};
  bool is_gone = false;
};

bool is_memory(CallKind kind) { return kind <= CallKind::kSharedAllocation; }

class Record {
 public:
  // The record of this process, a new one in a child made by fork. None where there can be none.
  static Record* of_process() {
    if (record_.owner_ != getpid()) {
      new (&record_) Record;
      record_.open();
    }
    return record_.file_ == nullptr ? nullptr : &record_;
  }

  void add_object(const Call& call) {
    const std::size_t index = free_object();
    if (index == kObjects) {
      ++header().not_noted;
      return;
    }
    objects_[index] = {call.handle, call.kind, false};
    std::uint32_t& count = is_memory(call.kind)             ? allocations_
                           : call.kind == CallKind::kModule ? modules_
                                                            : kernels_;
    write(note(index), call, ++count, kObjectStack);
  }

  void add_launch(Call call) {
    const Note* const kernel = kernel_note(call.handle);
    call.name = kernel == nullptr ? nullptr : kernel->name;
    Note& next = launch(launches_ % kLaunches);
    ++launches_;
    write(next, call, static_cast<std::uint32_t>(launches_), kLaunchStack, kernel);
  }

  void set_argument(const void* kernel, std::uint32_t index, std::size_t size, const void* value) {
    Note* const found = index < kArguments ? kernel_note(kernel) : nullptr;
    if (found == nullptr) {
      return;
    }
    while (found->argument_count <= index) {
      found->arguments[found->argument_count++] = {};
    }
    Argument& argument = found->arguments[index];
    argument.size = static_cast<std::uint32_t>(size);
    argument.value_kind = value != nullptr ? ValueKind::kWhole : ValueKind::kNone;
    if (value != nullptr) {
      std::memcpy(argument.value, value, std::min(size, kArgumentBytes));
    }
  }

  void set_arguments(const void* kernel, void* const* values) {
    Note* const found = values == nullptr ? nullptr : kernel_note(kernel);
    if (found == nullptr) {
      return;
    }
    found->argument_count = std::min<std::uint64_t>(found->size, kArguments);
    for (std::uint64_t index = 0; index < found->argument_count; ++index) {
      Argument& argument = found->arguments[index];
      argument = {};
      // By a system call: memory may end after a short value.
      const ssize_t copied = copy_memory(argument.value, values[index], kArgumentBytes);
      if (copied > 0) {
        argument.size = static_cast<std::uint32_t>(copied);
        argument.value_kind = ValueKind::kAtLeast;
      }
    }
  }

  void add_change() {
    ++header().changes;
    ++header().noted;
  }

  template <typename Fits>
  void set_gone(const void* handle, bool gone, Fits fits) {
    for (std::size_t index = used_; index-- > 0;) {
      Object& object = objects_[index];
      if (object.handle == handle && object.is_gone != gone && fits(object.kind)) {
        object.is_gone = gone;
        note(index).gone = gone ? ++header().noted : 0;
        return;
      }
    }
  }

 private:
  void open() {
    owner_ = getpid();
    const int descriptor = memfd_create(kName, MFD_CLOEXEC);
    if (descriptor < 0) {
      return;
    }
    void* mapped = MAP_FAILED;
    if (ftruncate(descriptor, kFileBytes) == 0) {
      mapped = mmap(nullptr, kFileBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    }
    close(descriptor);  // the mapping holds the file: a program may close all descriptors
    if (mapped == MAP_FAILED) {
      return;
    }
    madvise(mapped, kFileBytes, MADV_DONTFORK);
    file_ = static_cast<std::byte*>(mapped);
    Header* start = new (file_) Header;
    start->pid = static_cast<std::uint32_t>(owner_);
    start->object_bytes = kObjectBytes;
    start->launch_bytes = kLaunchBytes;
  }

  Header& header() { return *reinterpret_cast<Header*>(file_); }
  Note& note(std::size_t index) {
    return *reinterpret_cast<Note*>(file_ + kPage + index * kObjectBytes);
  }
  Note& launch(std::size_t index) {
    return *reinterpret_cast<Note*>(file_ + kPage + kObjects * kObjectBytes + index * kLaunchBytes);
  }

  // The note of the kernel `handle`; none where it found no room. Calls about one kernel follow each
  // other.
  Note* kernel_note(const void* handle) {
    const auto is_it = [&](const Object& object) {
      return object.kind == CallKind::kKernel && object.handle == handle && !object.is_gone;
    };
    if (last_kernel_ < used_ && is_it(objects_[last_kernel_])) {
      return &note(last_kernel_);
    }
    for (std::size_t index = used_; index-- > 0;) {
      if (is_it(objects_[index])) {
        last_kernel_ = index;
        return &note(index);
      }
    }
    return nullptr;
  }

  // A place without an object, or that of the one that is gone longest; kObjects when all are there.
  std::size_t free_object() {
    if (used_ < kObjects) {
      return used_++;
    }
    std::size_t found = kObjects;
    for (std::size_t index = 0; index < kObjects; ++index) {
      if (objects_[index].is_gone && (found == kObjects || note(index).gone < note(found).gone)) {
        found = index;
      }
    }
    return found;
  }

  // The frames from here on are this library's: the debugger leaves them out.
  __attribute__((noinline)) void write(Note& note, const Call& call, std::uint32_t number,
                                       std::size_t stack_room,
                                       const Note* with_arguments_of = nullptr) {
    const std::uint64_t sequence = note.sequence;
    note.sequence = sequence + 1;
    std::atomic_thread_fence(std::memory_order_release);
    note.order = ++header().noted;
    note.gone = 0;
    note.kind = static_cast<std::uint32_t>(call.kind);
    note.number = number;
    note.thread = static_cast<std::uint32_t>(syscall(SYS_gettid));
    note.handle = reinterpret_cast<std::uint64_t>(call.handle);
    note.size = call.size;
    note.alignment = call.alignment;
    note.device = reinterpret_cast<std::uint64_t>(call.device);
    note.parent = reinterpret_cast<std::uint64_t>(call.parent);
    for (std::uint32_t& count : note.groups) {
      count = 0;
    }
    if (call.groups != nullptr) {
      note.groups[0] = call.groups->groupCountX;
      note.groups[1] = call.groups->groupCountY;
      note.groups[2] = call.groups->groupCountZ;
    }
    note.name_bytes = 0;
    note.name[0] = '\0';
    if (call.name != nullptr) {
      note.name_bytes = static_cast<std::uint32_t>(strnlen(call.name, kNameBytes - 1));
      std::memcpy(note.name, call.name, note.name_bytes);
      note.name[note.name_bytes] = '\0';
    }
    note.argument_count = 0;
    if (with_arguments_of != nullptr) {
      note.argument_count = with_arguments_of->argument_count;
      std::copy_n(with_arguments_of->arguments, note.argument_count, note.arguments);
    }
    std::uint64_t* const registers = note.registers;
    // NOLINTNEXTLINE(hicpp-no-assembler)
    asm volatile(
        "movq %%rbx, 24(%0)\n\t"
        "movq %%rbp, 48(%0)\n\t"
        "movq %%rsp, 56(%0)\n\t"
        "movq %%r12, 96(%0)\n\t"
        "movq %%r13, 104(%0)\n\t"
        "movq %%r14, 112(%0)\n\t"
        "movq %%r15, 120(%0)\n\t"
        "leaq 0(%%rip), %%rax\n\t"
        "movq %%rax, 128(%0)"
        :
        : "r"(registers)
        : "rax", "memory");
    // By a system call, which stops where the stack ends.
    const ssize_t copied = copy_memory(&note + 1, reinterpret_cast<void*>(registers[7]), stack_room);
    note.stack_bytes = copied > 0 ? static_cast<std::uint32_t>(copied) : 0;
    std::atomic_thread_fence(std::memory_order_release);
    note.sequence = sequence + 2;
  }

  // How many bytes at `from` could be read; -1 when none.
  __attribute__((always_inline)) ssize_t copy_memory(void* to, void* from, std::size_t size) const {
    const iovec into{to, size};
    const iovec out_of{from, size};
    return process_vm_readv(owner_, &into, 1, &out_of, 1, 0);
  }

  static Record record_;

  pid_t owner_ = 0;
  std::byte* file_ = nullptr;
  std::size_t used_ = 0;
  std::size_t last_kernel_ = 0;  // the place of the one that was asked for last
  std::uint64_t launches_ = 0;
  std::uint32_t allocations_ = 0;
  std::uint32_t modules_ = 0;
  std::uint32_t kernels_ = 0;
  std::array<Object, kObjects> objects_{};
};

constinit Record Record::record_{};
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
std::atomic<pid_t> mutex_owner{0};

// Calls `use` with the record, one thread after the other.
template <typename Use>
void with_record(Use use) {
  const int saved_errno = errno;
  const pid_t previous = mutex_owner.exchange(getpid());
  if (previous != 0 && previous != getpid()) {
    mutex = PTHREAD_MUTEX_INITIALIZER;  // a child made by fork: who held it is not in the child
  }
  pthread_mutex_lock(&mutex);
  if (Record* const record = Record::of_process()) {
    use(*record);
  }
  pthread_mutex_unlock(&mutex);
  errno = saved_errno;
}

}  // namespace

void note_made(const Call& call) {
  with_record([&](Record& record) { record.add_object(call); });
}

void note_gone(CallKind kind, const void* handle, bool gone) {
  with_record([&](Record& record) {
    record.set_gone(handle, gone, [kind](CallKind other) { return other == kind; });
  });
}

void note_freed(const void* address, bool freed) {
  with_record([&](Record& record) { record.set_gone(address, freed, is_memory); });
}

void note_argument(ze_kernel_handle_t kernel, std::uint32_t index, std::size_t size,
                   const void* value) {
  with_record([&](Record& record) { record.set_argument(kernel, index, size, value); });
}

void note_arguments(ze_kernel_handle_t kernel, void* const* values) {
  with_record([&](Record& record) { record.set_arguments(kernel, values); });
}

void note_change() {
  with_record([](Record& record) { record.add_change(); });
}

void note_launch(ze_kernel_handle_t kernel, ze_command_list_handle_t list,
                 const ze_group_count_t* groups) {
  Call call;
  call.kind = CallKind::kLaunch;
  call.handle = kernel;
  call.parent = list;
  call.groups = groups;
  with_record([&](Record& record) { record.add_launch(call); });
}

}  // namespace zedbg::launch
