#include "device/device_process.hpp"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <future>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace xesim::device {

struct DeviceThread::Task {
  std::function<void()> work;
  void* thread_pointer = nullptr;   // of the partner
  std::byte* stack = nullptr;       // free below
  std::promise<void> prepared;      // both are known
  std::promise<void> ended;
  // The kernel clears it, and wakes what waits for it, when the thread has ended.
  std::int32_t running = 1;
  bool refused = false;             // there is no such thread: the partner does the work
  bool done = false;
};

namespace {

using Task = DeviceThread::Task;

// Of its stack the partner keeps this much, for handlers of signals.
constexpr std::size_t kOfPartner = 64 * 1024;
// Not CLONE_FS: a program that shares that with another process cannot exec what is set-user-id.
constexpr int kShared = CLONE_VM | CLONE_FILES | CLONE_SYSVSEM | CLONE_IO;

// System calls of a partner that sleeps: they leave errno alone, which is the other's.
long system_call(long number, long first, long second, long third = 0) {
  long result = number;
  register long fourth asm("r10") = 0;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(first), "S"(second), "d"(third), "r"(fourth)
               : "rcx", "r11", "memory");
  return result;
}

void sleep_while_one(std::int32_t* word) {
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == 1) {
    system_call(SYS_futex, reinterpret_cast<long>(word), FUTEX_WAIT, 1);
  }
}

[[noreturn]] void sleep_for_ever() {
  for (std::int32_t never = 1;;) sleep_while_one(&never);
}

class TaskQueue {
 public:
  void put(std::shared_ptr<Task> task) {
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    put_.notify_one();
  }
  std::shared_ptr<Task> take() {
    std::unique_lock lock(mutex_);
    put_.wait(lock, [this] { return !tasks_.empty(); });
    auto task = std::move(tasks_.front());
    tasks_.pop_front();
    return task;
  }

 private:
  std::mutex mutex_;
  std::condition_variable put_;
  std::deque<std::shared_ptr<Task>> tasks_;
};

// Blocks every signal while the calling thread starts threads that inherit that.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all{};
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

struct Process {
  const pid_t program = ::getpid();
  std::atomic<pid_t> leader{0};   // the device's process; negative: it could not be made
  pthread_mutex_t alive{};        // held by a thread of the program until the program ends
  TaskQueue to_pair;              // taken by a thread of the program
  TaskQueue to_start;             // taken by the leader
};

std::once_flag begun;
// Never destroyed: its threads run on while the program exits.
std::atomic<Process*> process{nullptr};

// --- the device's process ---

int enter(void* argument) {
  Task& task = *static_cast<Task*>(argument);
  task.work();
  __atomic_store_n(&task.done, true, __ATOMIC_RELEASE);
  return 0;
}

// Called by a thread of the device's process.
void start_here(Task& task) {
  constexpr int kFlags = kShared | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SETTLS |
                         CLONE_CHILD_CLEARTID | CLONE_UNTRACED;
  if (::clone(enter, task.stack, kFlags, &task, nullptr, task.thread_pointer, &task.running) < 0) {
    task.refused = true;
    __atomic_store_n(&task.running, 0, __ATOMIC_RELEASE);
    ::syscall(SYS_futex, &task.running, FUTEX_WAKE, 1);
  }
}

// A breakpoint that a debugger of the host has set is in the memory of both processes, and only the
// program has a debugger. A thread here waits until it is gone: the instruction is tried again.
void retry_breakpoint(int, siginfo_t*, void* context) {
  constexpr timespec kMoment{0, 1'000'000};
  const int before = errno;
  --static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
  ::nanosleep(&kMoment, nullptr);
  errno = before;
}

int lead(void*) {
  Process& self = *process;
  ::prctl(PR_SET_NAME, "simulated-gpu");
  // Ends with its partner, a thread that stays until the program ends; it may have ended already.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != self.program) ::_exit(0);
  ::setpgid(0, 0);  // what a terminal sends to the program's group is not for it
  struct sigaction retry {};
  retry.sa_sigaction = retry_breakpoint;
  retry.sa_flags = SA_SIGINFO;
  ::sigaction(SIGTRAP, &retry, nullptr);
  sigset_t trap{};
  sigemptyset(&trap);
  sigaddset(&trap, SIGTRAP);
  ::sigprocmask(SIG_UNBLOCK, &trap, nullptr);
  self.leader = static_cast<pid_t>(::getpid());
  self.leader.notify_all();
  for (;;) start_here(*self.to_start.take());
}

// Ends the device's process with the program, however that ends (also by exec).
void end_with_program() {
  pthread_mutex_lock(&process.load()->alive);  // EOWNERDEAD
  ::_exit(0);
}

// --- the program's ---

void be_partner(const std::shared_ptr<Task>& task) {
  task->thread_pointer = __builtin_thread_pointer();
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  task->stack = reinterpret_cast<std::byte*>((here - kOfPartner) & ~std::uintptr_t{63});
  task->prepared.set_value();
  sleep_while_one(&task->running);
  if (task->refused) {
    task->work();
  } else if (!task->done) {
    sleep_for_ever();  // the device's process is gone, and the program is about to be
  }
  task->ended.set_value();
}

// The program ends as it would if the thread that failed were its own.
[[noreturn]] void end_program(int status) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : SIGKILL;
  ::signal(signal, SIG_DFL);
  ::kill(::getpid(), signal);
  sigset_t none{};
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  sleep_for_ever();
}

void be_partner_of_leader() {
  Process& self = *process;
  pthread_mutex_lock(&self.alive);
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  auto* stack = reinterpret_cast<std::byte*>((here - kOfPartner) & ~std::uintptr_t{63});
  const int child = ::clone(lead, stack, kShared | CLONE_UNTRACED, nullptr);
  if (child < 0) {
    self.leader = -1;
    self.leader.notify_all();
    pthread_mutex_unlock(&self.alive);
    return;
  }
  int status = 0;
  while (system_call(SYS_wait4, child, reinterpret_cast<long>(&status), __WALL) == -EINTR) {
  }
  end_program(status);
}

// Makes the ordinary threads that threads of the device are paired with.
[[noreturn]] void pair_threads() {
  for (;;) {
    const auto task = process.load()->to_pair.take();
    try {
      std::thread([task] { be_partner(task); }).detach();
    } catch (const std::system_error&) {
      task->prepared.set_exception(std::current_exception());
    }
  }
}

void begin_process() {
  auto* made = new Process;
  pthread_mutexattr_t robust{};
  pthread_mutexattr_init(&robust);
  pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&made->alive, &robust);
  pthread_mutexattr_destroy(&robust);
  process = made;
  const SignalsBlocked while_they_inherit_them;
  try {
    std::thread(be_partner_of_leader).detach();
    made->leader.wait(0);
    if (made->leader > 0) std::thread(pair_threads).detach();
  } catch (const std::system_error&) {
    made->leader = -1;
  }
  if (made->leader > 0) DeviceThread{end_with_program};
}

// The device's process of this program, or null. It is not of a child that the program forked.
Process* current_process() {
  Process* const known = process;
  if (known == nullptr || known->leader <= 0) return nullptr;
  const pid_t self = ::getpid();
  return self == known->program || self == known->leader ? known : nullptr;
}

}  // namespace

bool DeviceProcess::begin() {
  std::call_once(begun, begin_process);
  return current_process() != nullptr;
}

pid_t DeviceProcess::program() {
  const Process* const known = current_process();
  return known != nullptr ? known->program : ::getpid();
}

DeviceThread::DeviceThread(std::function<void()> work) : task_(std::make_shared<Task>()) {
  Process* const known = current_process();
  if (known == nullptr) {
    const SignalsBlocked while_it_inherits_them;
    std::thread([task = task_, work = std::move(work)] {
      work();
      task->ended.set_value();
    }).detach();
    return;
  }
  task_->work = std::move(work);
  known->to_pair.put(task_);
  task_->prepared.get_future().get();
  if (::getpid() == known->program) {
    known->to_start.put(task_);
  } else {
    start_here(*task_);
  }
}

void DeviceThread::join() {
  task_->ended.get_future().get();
  task_.reset();
}

}  // namespace xesim::device
