// Threads of the driver's own inside somebody's process.
#pragma once

#include <signal.h>

#include <thread>
#include <utility>

namespace xesim::debug {

// Starts a thread that takes no signals: they are for the program's own threads.
template <class Function>
std::thread start_service_thread(Function&& function) {
  sigset_t all{};
  sigset_t before{};
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::forward<Function>(function));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

// Gives the calling thread, and those that it starts later, an empty table of file descriptors.
// What it opens from then on is out of reach of a program that closes, or has used up, all of its
// descriptors, and is in no child of it. Where the system does not allow that (some containers),
// the thread goes on sharing the program's table.
void leave_descriptors_of_program();

}  // namespace xesim::debug
