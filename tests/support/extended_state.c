/* Lets a GDB before 14 write the vector registers of a processor with AMX: preloaded into GDB.
 *
 * Linux takes the extended state of a thread (ptrace, NT_X86_XSTATE) only as a whole. Such a GDB
 * writes as much of it as it knows, and gets EFAULT ("Couldn't write extended state status"): it
 * can neither call functions of the program nor go back in it. The rest is what the thread has. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <linux/ptrace.h>
#include <stdarg.h>
#include <string.h>
#include <sys/uio.h>

typedef long traced(int, ...);

long ptrace(int request, ...) {
  static traced *of_the_library;
  if (!of_the_library) of_the_library = (traced *)dlsym(RTLD_NEXT, "ptrace");
  va_list given;
  va_start(given, request);
  const long thread = va_arg(given, long);
  void *const address = va_arg(given, void *);
  void *const data = va_arg(given, void *);
  va_end(given);
  if (request == PTRACE_SETREGSET && (long)address == NT_X86_XSTATE) {
    static char bytes[1 << 16];
    const struct iovec *part = data;
    struct iovec whole = {bytes, sizeof bytes};
    if (of_the_library(PTRACE_GETREGSET, thread, address, &whole) == 0 &&
        part->iov_len < whole.iov_len) {
      memcpy(bytes, part->iov_base, part->iov_len);
      return of_the_library(request, thread, address, &whole);
    }
  }
  return of_the_library(request, thread, address, data);
}
