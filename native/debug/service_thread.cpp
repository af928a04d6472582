#include "debug/service_thread.hpp"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

namespace xesim::debug {

namespace {

constexpr unsigned kFirstOther = 3;

// The standard descriptors stay taken, so that whatever a library prints goes nowhere.
void discard_standard_streams() {
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (unsigned standard = 0; standard < kFirstOther; ++standard) {
    if (nowhere < 0) {
      ::close(static_cast<int>(standard));
    } else if (nowhere != static_cast<int>(standard)) {
      ::dup2(nowhere, static_cast<int>(standard));
    }
  }
  if (nowhere >= static_cast<int>(kFirstOther)) ::close(nowhere);
}

}  // namespace

void leave_descriptors_of_program() {
  if (::unshare(CLONE_FILES) != 0) return;
  // The copies go at once: a pipe must end when the program closes it.
  if (::close_range(kFirstOther, ~0u, 0) != 0) {
    const long limit = ::sysconf(_SC_OPEN_MAX);
    for (int other = static_cast<int>(kFirstOther); other < limit; ++other) ::close(other);
  }
  discard_standard_streams();
}

}  // namespace xesim::debug
