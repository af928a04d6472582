#include "launch/constants.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "launch/connection.hpp"
#include "launch/record.hpp"

namespace zedbg::launch {
namespace {

constexpr std::uint32_t kMostConstants = 1U << 16U;

// As the debugger reads them: zedbg/engine/process/constants_message.py.
struct Header {
  char magic[4] = {'Z', 'C', 'S', 'T'};
  std::uint32_t version = 1;
  std::uint32_t pid = 0;
  std::uint32_t count = 0;
  std::uint64_t input_size = 0;  // bytes of SPIR-V
  std::uint32_t input_crc = 0;
  std::uint32_t reserved = 0;
};
static_assert(sizeof(Header) == 32);

struct Constant {
  std::uint32_t id = 0;
  std::uint32_t size = 0;   // readable bytes of `value`
  std::uint64_t value = 0;  // the type, and so the size that counts, is the module's business
};
static_assert(sizeof(Constant) == 16);

// CRC-32 as in ISO 3309, so that the debugger knows the module among those of the program's files.
std::uint32_t crc32(const std::uint8_t* data, std::size_t size) {
  std::uint32_t crc = 0xFFFF'FFFFU;
  for (std::size_t index = 0; index < size; ++index) {
    crc ^= data[index];
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB8'8320U : 0U);
    }
  }
  return ~crc;
}

// The value at `address`: up to eight bytes, fewer where memory ends after a shorter value.
Constant constant_at(std::uint32_t id, const void* address) {
  Constant found;
  found.id = id;
  for (std::uint32_t size = sizeof(found.value); size > 0; size /= 2) {
    const iovec to{&found.value, size};
    const iovec from{const_cast<void*>(address), size};
    if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) == static_cast<ssize_t>(size)) {
      found.size = size;
      break;
    }
  }
  return found;
}

// Memory of the C library: there is no other here.
struct Free {
  void operator()(unsigned char* bytes) const { std::free(bytes); }
};
using Bytes = std::unique_ptr<unsigned char, Free>;

// One input of a module, and the values that the program gives its constants.
struct Input {
  const std::uint8_t* bytes = nullptr;
  std::size_t size = 0;
  const ze_module_constants_t* constants = nullptr;
};

void tell(const Input& input) {
  if (input.bytes == nullptr || input.constants == nullptr || input.constants->numConstants == 0 ||
      input.constants->numConstants > kMostConstants ||
      input.constants->pConstantIds == nullptr || input.constants->pConstantValues == nullptr) {
    return;
  }
  const std::uint32_t count = input.constants->numConstants;
  const std::size_t size = sizeof(Header) + count * sizeof(Constant);
  const Bytes bytes(static_cast<unsigned char*>(std::malloc(size)));
  unsigned char* const message = bytes.get();
  if (message == nullptr) {
    return;
  }
  Header header;
  header.pid = static_cast<std::uint32_t>(getpid());
  header.count = count;
  header.input_size = input.size;
  header.input_crc = crc32(input.bytes, input.size);
  std::memcpy(message, &header, sizeof(header));
  for (std::uint32_t index = 0; index < count; ++index) {
    const Constant constant = constant_at(input.constants->pConstantIds[index],
                                          input.constants->pConstantValues[index]);
    std::memcpy(message + sizeof(header) + index * sizeof(constant), &constant, sizeof(constant));
  }
  const Connection connection;
  if (connection.send(message, size)) {
    connection.wait();
  }
  append_to_record(message, size);
}

const ze_module_program_exp_desc_t* program_of(const ze_module_desc_t& description) {
  // Every extension begins with its type and the address of the next one.
  auto* next = static_cast<const ze_base_desc_t*>(description.pNext);
  while (next != nullptr && next->stype != ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC) {
    next = static_cast<const ze_base_desc_t*>(next->pNext);
  }
  return reinterpret_cast<const ze_module_program_exp_desc_t*>(next);
}

}  // namespace

void tell_constants(const ze_module_desc_t* description) {
  if (description == nullptr || description->format != ZE_MODULE_FORMAT_IL_SPIRV) {
    return;
  }
  const int saved_errno = errno;
  const ze_module_program_exp_desc_t* program = program_of(*description);
  if (program == nullptr) {
    tell({description->pInputModule, description->inputSize, description->pConstants});
  } else if (program->pInputModules != nullptr && program->inputSizes != nullptr &&
             program->pConstants != nullptr) {
    for (std::uint32_t index = 0; index < program->count; ++index) {
      tell({program->pInputModules[index], program->inputSizes[index],
            program->pConstants[index]});
    }
  }
  errno = saved_errno;
}

}  // namespace zedbg::launch
