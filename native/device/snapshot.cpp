#include "device/snapshot.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace xesim::device {

namespace {

constexpr std::array<char, 8> kMagic{'X', 'E', 'S', 'I', 'M', 'S', 'N', 'P'};
constexpr std::uint32_t kVersion = 2;
constexpr std::size_t kBlockBytes = 64;

struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t thread_bytes = sizeof(eu::ThreadState);
  std::uint64_t body_bytes = 0;
  std::uint64_t body_fingerprint = 0;
};
static_assert(std::has_unique_object_representations_v<Header>);

// One description of the body serves both directions: each visit() below names the members once.
class Writer {
 public:
  template <class T>
  void value(const T& value) {
    static_assert(std::has_unique_object_representations_v<T>, "padding has no value");
    raw(&value, sizeof value);
  }
  void flag(const bool& value) { this->value(static_cast<std::uint8_t>(value)); }
  void text(const std::string& text) {
    value(std::uint64_t{text.size()});
    raw(text.data(), text.size());
  }
  template <class T>
  void values(const std::vector<T>& values) {
    value(std::uint64_t{values.size()});
    raw(values.data(), values.size() * sizeof(T));
  }
  template <class T, class Visit>
  void each(const std::vector<T>& items, Visit visit) {
    value(std::uint64_t{items.size()});
    for (const T& item : items) {
      visit(*this, item);
    }
  }
  void blocks(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(data);
    for (std::size_t at = 0; at < size; at += kBlockBytes) {
      const std::size_t length = std::min(kBlockBytes, size - at);
      const bool used = std::any_of(bytes + at, bytes + at + length,
                                    [](std::byte byte) { return byte != std::byte{0}; });
      flag(used);
      if (used) {
        raw(bytes + at, length);
      }
    }
  }
  void frozen(const FrozenBytes& bytes) {
    value(bytes.size());
    for (std::size_t index = 0; index < bytes.pages(); ++index) {
      const std::byte* const page = bytes.page(index);
      flag(page != nullptr);
      if (page != nullptr) {
        blocks(page, bytes.page_size(index));
      }
    }
  }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void raw(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), bytes, bytes + size);
  }
  std::vector<std::byte> bytes_;
};

// Throws std::runtime_error at the end of the bytes.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  void value(T& value) {
    raw(&value, sizeof value);
  }
  void flag(bool& value) {
    std::uint8_t byte = 0;
    this->value(byte);
    if (byte > 1) {
      throw std::runtime_error("a flag is neither 0 nor 1");
    }
    value = byte != 0;
  }
  void text(std::string& text) {
    text.resize(count(1));
    raw(text.data(), text.size());
  }
  template <class T>
  void values(std::vector<T>& values) {
    values.resize(count(sizeof(T)));
    raw(values.data(), values.size() * sizeof(T));
  }
  template <class T, class Visit>
  void each(std::vector<T>& items, Visit visit) {
    const std::size_t size = count(1);
    items.clear();
    for (std::size_t i = 0; i < size; ++i) {
      visit(*this, items.emplace_back());
    }
  }
  void blocks(void* data, std::size_t size) {
    auto* bytes = static_cast<std::byte*>(data);
    for (std::size_t at = 0; at < size; at += kBlockBytes) {
      const std::size_t length = std::min(kBlockBytes, size - at);
      bool used = false;
      flag(used);
      if (used) {
        raw(bytes + at, length);
      } else {
        std::memset(bytes + at, 0, length);
      }
    }
  }
  void frozen(FrozenBytes& bytes) {
    std::uint64_t size = 0;
    value(size);
    if (size / kFrozenPageBytes > rest_.size()) {  // each page takes a byte at least
      throw std::runtime_error("it ends early");
    }
    bytes = FrozenBytes(size);
    for (std::size_t index = 0; index < bytes.pages(); ++index) {
      bool used = false;
      flag(used);
      if (used) {
        std::array<std::byte, kFrozenPageBytes> page;
        blocks(page.data(), bytes.page_size(index));
        bytes.set_page(index, page.data());
      }
    }
  }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  std::size_t count(std::size_t size_of_each) {
    std::uint64_t count = 0;
    value(count);
    if (count > rest_.size() / size_of_each) {
      throw std::runtime_error("it ends early");
    }
    return count;
  }
  void raw(void* data, std::size_t size) {
    if (size > rest_.size()) {
      throw std::runtime_error("it ends early");
    }
    if (size != 0) {
      std::memcpy(data, rest_.data(), size);
    }
    rest_ = rest_.subspan(size);
  }
  std::span<const std::byte> rest_;
};

// --- the members, in their order; Body is Snapshot or const Snapshot ---

template <class Stream, class... Values>
void visit_values(Stream& stream, Values&... values) {
  (stream.value(values), ...);
}

constexpr auto visit_turn = [](auto& stream, auto& turn) {
  visit_values(stream, turn.ordinal, turn.budget, turn.executed);
  stream.flag(turn.until_synchronisation);
};

constexpr auto visit_group = [](auto& stream, auto& group) {
  visit_values(stream, group.id, group.subslice);
  for (auto& arrived : group.arrived) {
    visit_values(stream, arrived.producers, arrived.consumers);
  }
};

constexpr auto visit_fault = [](auto& stream, auto& fault) {
  stream.flag(fault.present);
  visit_values(stream, fault.address, fault.access, fault.reason, fault.space, fault.lane);
};

constexpr auto visit_thread = [](auto& stream, auto& thread) {
  visit_values(stream, thread.ordinal, thread.group, thread.index_in_group, thread.run);
  stream.flag(thread.entered);
  visit_fault(stream, thread.fault);
  stream.text(thread.report);
  stream.values(thread.written_flow_control);
};

constexpr auto visit_contents = [](auto& stream, auto& bytes) { stream.frozen(bytes); };

constexpr auto visit_allocation = [](auto& stream, auto& allocation) {
  visit_values(stream, allocation.address, allocation.mapped, allocation.kind);
  stream.flag(allocation.writable);
  stream.frozen(allocation.contents);
};

template <class Stream, class Body>
void visit(Stream& stream, Body& body) {
  stream.text(body.device);
  visit_values(stream, body.executor.launch, body.executor.instructions);
  stream.flag(body.executor.in_round);
  stream.flag(body.executor.progress);
  stream.flag(body.executor.stopped);
  stream.each(body.executor.turn, visit_turn);
  visit_values(stream, body.scheduler.scheduling.policy, body.scheduler.scheduling.seed,
               body.scheduler.random);
  stream.flag(body.scheduler.in_order);
  stream.flag(body.scheduler.turn_given);
  stream.value(body.scheduler.position);
  stream.values(body.scheduler.order);
  stream.value(body.dispatcher.next_group);
  stream.values(body.dispatcher.has_new_room);
  stream.each(body.dispatcher.groups, visit_group);
  stream.each(body.dispatcher.threads, visit_thread);
  stream.each(body.contents, visit_contents);
  stream.each(body.memory, visit_allocation);
}

}  // namespace

std::uint64_t fingerprint(std::span<const std::byte> bytes, std::uint64_t seed) {
  for (const std::byte byte : bytes) {
    seed = (seed ^ static_cast<std::uint64_t>(byte)) * 0x100000001B3;
  }
  return seed;
}

std::uint64_t fingerprint(const KernelLaunch& launch) {
  Writer words;
  words.text(launch.kernel_name);
  visit_values(words, launch.code_address, launch.skip_per_thread_load, launch.simd_width,
               launch.grf_count, launch.group_count, launch.group_size, launch.first_group,
               launch.first_slice, launch.slice_count, launch.walk_order);
  words.values(launch.cross_thread_data);
  visit_values(words, launch.inline_data_size, launch.local_id_size,
               launch.local_ids_in_registers, launch.slm_size,
               launch.barrier_count, launch.scratch_size);
  words.values(launch.binding_table);
  visit_values(words, launch.binding_table_offset, launch.scratch_surface, launch.scratch_base);
  return fingerprint(words.take());
}

std::vector<std::byte> encode(const Snapshot& snapshot) {
  Writer body;
  visit(body, snapshot);
  const std::vector<std::byte> bytes = body.take();
  Header header;
  header.body_bytes = bytes.size();
  header.body_fingerprint = fingerprint(bytes);
  std::vector<std::byte> all(sizeof header + bytes.size());
  std::memcpy(all.data(), &header, sizeof header);
  std::ranges::copy(bytes, all.begin() + sizeof header);
  return all;
}

std::variant<Snapshot, std::string> decode(std::span<const std::byte> bytes) {
  Header header;
  if (bytes.size() < sizeof header) {
    return "not a snapshot: it is shorter than a header";
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  bytes = bytes.subspan(sizeof header);
  if (header.magic != kMagic) {
    return "not a snapshot: it does not start like one";
  }
  if (header.version != kVersion || header.thread_bytes != sizeof(eu::ThreadState)) {
    return "a snapshot of version " + std::to_string(header.version) + "/" +
           std::to_string(header.thread_bytes) + "; this is version " + std::to_string(kVersion) +
           "/" + std::to_string(sizeof(eu::ThreadState));
  }
  if (header.body_bytes != bytes.size() || header.body_fingerprint != fingerprint(bytes)) {
    return "a damaged snapshot: its contents are not those that were saved";
  }
  try {
    Reader reader(bytes);
    Snapshot snapshot;
    visit(reader, snapshot);
    if (!reader.at_end()) {
      return "a damaged snapshot: something follows its end";
    }
    return snapshot;
  } catch (const std::runtime_error& error) {
    return std::string("a damaged snapshot: ") + error.what();
  }
}

}  // namespace xesim::device
