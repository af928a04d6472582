// A thread of the driver's own inside somebody's process.
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

}  // namespace xesim::debug
