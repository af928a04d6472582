// Where the hardware's own threads run: in a process of their own, beside the program.
//
// A GPU goes on while its program is stopped, be it by a signal or by a debugger of the host. Such
// a debugger stops every thread of the program when one of the GPU's stops, and asks the GPU then.
// So what plays the GPU must not be of the program's threads. begin() makes a second process that
// shares memory and descriptors with the program, that no debugger of the program follows
// (CLONE_UNTRACED), that signals to the program do not reach, and that ends with the program.
//
// To the C library a thread is a stack and thread-local storage. Each thread of the second process
// has those of a partner, an ordinary thread of the program, which sleeps for as long. When the
// program ends, the system clears the numbers by which the C library knows the partners, a moment
// before the second process ends as well: locks that look at these (std::shared_mutex,
// std::recursive_mutex) are not for what threads of the device share.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>

namespace xesim::device {

class DeviceProcess {
 public:
  // Once for the program; threads that are started later are of the device's process. False when
  // the system does not allow it: they are threads of the program then.
  static bool begin();

  // The program's id, also when asked by a thread of its device. (A child that the program forks is
  // another program.)
  [[nodiscard]] static pid_t program();
};

// A thread that takes no signals: they are for the program's own.
class DeviceThread {
 public:
  DeviceThread() = default;
  // Throws std::system_error when the host refuses another thread. One that is started by a thread
  // of the device's process shares its table of file descriptors; else it is the program's.
  explicit DeviceThread(std::function<void()> work);

  [[nodiscard]] bool joinable() const { return task_ != nullptr; }
  // Returns when the thread has ended. Without it, the thread outlives this object.
  void join();

  struct Task;

 private:
  std::shared_ptr<Task> task_;
};

}  // namespace xesim::device
