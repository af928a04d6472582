#include "launch/record.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>

namespace zedbg::launch {
namespace {

constexpr const char* kName = "zedbg-constants";  // as zedbg/engine/constants_record.py looks for it

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int descriptor = -1;
pid_t owner = 0;  // a child made by fork gets a record of its own: its parent's goes on

}  // namespace

void append_to_record(const void* data, std::size_t size) {
  pthread_mutex_lock(&mutex);
  if (owner != getpid()) {
    owner = getpid();
    descriptor = memfd_create(kName, MFD_CLOEXEC);
  }
  const char* at = static_cast<const char*>(data);
  while (descriptor >= 0 && size > 0) {
    const ssize_t written = write(descriptor, at, size);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      descriptor = -1;  // the program closed it, or there is no memory: what follows would be torn
      break;
    }
    at += written;
    size -= static_cast<std::size_t>(written);
  }
  pthread_mutex_unlock(&mutex);
}

}  // namespace zedbg::launch
