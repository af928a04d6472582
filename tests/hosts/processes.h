/* A second process of a host program, which talks to the first over a socket. */
#pragma once
#include "host.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct other_process {
  pid_t id;
  int socket; /* to it */
};

/* Runs `program` with its end of the socket in a process of its own. To be called before zeInit: each process
 * has a driver of its own. */
static inline struct other_process start_other(void (*program)(int socket)) {
  int sockets[2];
  EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
  const struct other_process other = {fork(), sockets[0]};
  EXPECT(other.id >= 0);
  if (other.id == 0) {
    close(sockets[0]);
    program(sockets[1]);
    exit(0);
  }
  close(sockets[1]);
  return other;
}

/* Waits for its end, which must be a success. */
static inline void end_other(struct other_process other) {
  int status = 0;
  EXPECT(waitpid(other.id, &status, 0) == other.id && status == 0);
  close(other.socket);
}

/* Sends bytes, and beside them a descriptor (SCM_RIGHTS). */
static inline void send_with_descriptor(int socket, const void* bytes, size_t size, int descriptor) {
  struct iovec part = {(void*)bytes, size};
  char control[CMSG_SPACE(sizeof(int))] = {0};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control,
                           .msg_controllen = sizeof(control)};
  struct cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
  EXPECT(sendmsg(socket, &message, 0) == (ssize_t)size);
}

/* Receives them; the descriptor's number here. */
static inline int receive_with_descriptor(int socket, void* bytes, size_t size) {
  struct iovec part = {bytes, size};
  char control[CMSG_SPACE(sizeof(int))] = {0};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control,
                           .msg_controllen = sizeof(control)};
  EXPECT(recvmsg(socket, &message, 0) == (ssize_t)size);
  int descriptor = -1;
  memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(int));
  return descriptor;
}

/* One character, by which the processes take turns. */
static inline void tell(int socket, char what) {
  EXPECT(write(socket, &what, 1) == 1);
}

static inline void await(int socket, char expected) {
  char what = 0;
  EXPECT(read(socket, &what, 1) == 1 && what == expected);
}
