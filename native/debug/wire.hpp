// What the server in the debuggee and the session in the debugger say to each other.
//
// A frame is a header of 12 bytes and a payload; the payload is one message struct of this file.
// A peer that gets a frame it does not understand ends the connection. A connection starts with
// the debugger's Hello and the debuggee's Welcome; then requests and events flow freely. A reply
// has the sequence number of its request; events have 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "debug/wire_codec.hpp"
#include "device/topology.hpp"

namespace xesim::debug::wire {

inline constexpr std::uint64_t kMagic = 0x6762'6465'6D69'7365ull;
inline constexpr std::uint32_t kVersion = 8;
inline constexpr std::size_t kHeaderBytes = 12;
inline constexpr std::uint32_t kMaximumTransfer = 1u << 20;       // bytes of memory in one message
inline constexpr std::uint32_t kMaximumPayload = kMaximumTransfer + 4096;
inline constexpr std::uint32_t kMaximumFollowing = 31;            // of one ReadRegisters
inline constexpr std::uint32_t kMaximumReason = 1024;             // bytes of text
inline constexpr std::uint32_t kMaximumHits = 2048;               // of one Find
inline constexpr std::uint32_t kNoThread = 0xFFFFFFFFu;           // in place of a thread ordinal

enum class Kind : std::uint16_t {
  // From the debugger.
  Hello = 1,
  ReadMemory,
  WriteMemory,
  ReadRegisters,
  WriteRegisters,
  Interrupt,
  Resume,
  Acknowledge,
  Detach,
  ReadExceptionReason,
  GetRecording,
  SetRecording,
  GoTo,
  Find,
  Cancel,
  SetWatch,
  ClearWatch,
  GetWatchHits,
  Attend,
  // From the debuggee.
  Welcome = 64,
  Reply,
  QueuesChanged,
  ModuleLoaded,
  ModuleUnloaded,
  ThreadSnapshots,
  ThreadsStopped,
  InterruptAnswer,
  PageFault,
};

struct Header {
  std::uint32_t payload_bytes = 0;
  std::uint16_t kind = 0;
  std::uint16_t reserved = 0;   // zero
  std::uint32_t sequence = 0;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.payload_bytes, self.kind, self.reserved, self.sequence);
  }
};

struct Hello {
  static constexpr Kind kKind = Kind::Hello;
  std::uint64_t magic = kMagic;
  std::uint32_t version = kVersion;
  std::string topology;         // key of the device that the debugger attaches to

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.magic, self.version, self.topology);
  }
};

struct Welcome {
  static constexpr Kind kKind = Kind::Welcome;
  std::uint64_t magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t result = 0;     // ze_result_t of the attach; the connection ends unless it is 0

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.magic, self.version, self.result);
  }
};

struct ReadMemory {
  static constexpr Kind kKind = Kind::ReadMemory;
  std::uint32_t thread = kNoThread;   // ordinal; kNoThread: all threads
  std::uint32_t space = 0;            // zet_debug_memory_space_type_t
  std::uint64_t address = 0;
  std::uint64_t whole = 0;            // bytes of the transfer that this is the first part of
  std::uint32_t size = 0;             // bytes wanted now, at most kMaximumTransfer and `whole`

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.thread, self.space, self.address, self.whole, self.size);
  }
};

struct WriteMemory {
  static constexpr Kind kKind = Kind::WriteMemory;
  std::uint32_t thread = kNoThread;
  std::uint32_t space = 0;
  std::uint64_t address = 0;
  std::uint64_t whole = 0;
  std::vector<std::byte> data;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.thread, self.space, self.address, self.whole, self.data);
  }
};

struct ReadRegisters {
  static constexpr Kind kKind = Kind::ReadRegisters;
  std::uint32_t thread = 0;
  std::uint32_t type = 0;             // zet_debug_regset_type_intel_gpu_t
  std::uint32_t start = 0;
  std::uint32_t count = 0;
  std::uint32_t following = 0;        // threads after it that are read too, up to one that runs

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.thread, self.type, self.start, self.count, self.following);
  }
};

struct WriteRegisters {               // no reply: the session has checked everything
  static constexpr Kind kKind = Kind::WriteRegisters;
  std::uint32_t thread = 0;
  std::uint32_t type = 0;
  std::uint32_t start = 0;
  std::uint32_t count = 0;
  std::vector<std::byte> data;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.thread, self.type, self.start, self.count, self.data);
  }
};

struct Interrupt {                    // no reply: InterruptAnswer comes
  static constexpr Kind kKind = Kind::Interrupt;
  device::ThreadId threads;           // may have wildcards

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.threads);
  }
};

struct Resume {
  static constexpr Kind kKind = Kind::Resume;
  std::vector<std::uint32_t> threads; // ordinals

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.threads);
  }
};

// The tiles whose threads stop for the debugger from now on: all, before the first of these.
struct Attend {
  static constexpr Kind kKind = Kind::Attend;
  device::Tiles tiles = device::kAllTiles;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.tiles);
  }
};

struct Acknowledge {
  static constexpr Kind kKind = Kind::Acknowledge;
  std::uint64_t module = 0;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.module);
  }
};

struct ReadExceptionReason {          // the reply's data are text: see Session::exception_reason()
  static constexpr Kind kKind = Kind::ReadExceptionReason;
  std::uint32_t thread = 0;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.thread);
  }
};

// --- time travel: see debug/time_requests.hpp ---

struct GetRecording {                 // the reply's data are a RecordingState
  static constexpr Kind kKind = Kind::GetRecording;
  std::uint32_t launch = 0;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.launch);
  }
};

struct SetRecording {
  static constexpr Kind kKind = Kind::SetRecording;
  std::uint8_t enabled = 0;
  std::uint64_t budget = 0;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.enabled, self.budget);
  }
};

struct GoTo {                         // the reply's data are ThreadsOfTime
  static constexpr Kind kKind = Kind::GoTo;
  std::uint32_t launch = 0;
  std::uint64_t time = 0;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.launch, self.time);
  }
};

struct FindRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint32_t space = 0;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.begin, self.end, self.space);
  }
};

struct Find {                         // the reply's data are FindResult
  static constexpr Kind kKind = Kind::Find;
  std::uint32_t launch = 0;
  std::uint8_t backward = 0;
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  device::ThreadId threads;           // may have wildcards
  std::uint32_t kinds = 0;
  std::uint32_t limit = 0;
  std::uint32_t lanes = 0;
  std::uint8_t changes_only = 0;
  std::vector<FindRange> ranges;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.launch, self.backward, self.from, self.to, self.threads, self.kinds, self.limit,
            self.lanes, self.changes_only, self.ranges);
  }
};

struct RecordingState {               // as xesim_debug_recording_t
  std::uint32_t launch = 0;
  std::uint32_t launches = 0;
  std::uint32_t oldest = 0;
  std::uint32_t state = 0;
  std::uint64_t first = 0;
  std::uint64_t now = 0;
  std::uint64_t end = 0;
  std::uint64_t bytes = 0;
  std::uint64_t budget = 0;
  std::uint32_t keyframes = 0;
  std::uint64_t host_write_first = 0;
  std::uint64_t host_write_end = 0;
  std::string text;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.launch, self.launches, self.oldest, self.state, self.first, self.now, self.end,
            self.bytes, self.budget, self.keyframes, self.host_write_first, self.host_write_end,
            self.text);
  }
};

struct ThreadsOfTime {
  std::uint8_t in_past = 0;           // else there are no threads here: they are as they were
  std::vector<std::uint32_t> threads; // ordinals

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.in_past, self.threads);
  }
};

struct FindHit {                      // as xesim_debug_hit_t
  std::uint64_t time = 0;
  std::uint64_t instruction = 0;
  device::ThreadId thread;
  std::uint32_t kinds = 0;
  std::uint32_t lanes = 0;
  std::uint32_t group_x = 0;
  std::uint32_t group_y = 0;
  std::uint32_t group_z = 0;
  std::uint32_t launch = 0;
  std::uint64_t address = 0;
  std::uint32_t size = 0;
  std::uint32_t lane = 0;
  std::vector<std::byte> old_value;   // `size` bytes
  std::vector<std::byte> new_value;   // likewise

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.time, self.instruction, self.thread, self.kinds, self.lanes, self.group_x,
            self.group_y, self.group_z, self.launch, self.address, self.size, self.lane,
            self.old_value, self.new_value);
  }
};

struct FindResult {
  std::vector<FindHit> hits;
  std::uint64_t searched_to = 0;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.hits, self.searched_to);
  }
};

// --- watches: see debug/watch_requests.hpp ---

struct SetWatch {                     // the reply's data are a WatchNumber
  static constexpr Kind kKind = Kind::SetWatch;
  std::uint32_t kinds = 0;            // those of accesses to memory
  device::ThreadId threads;           // may have wildcards
  std::uint32_t lanes = 0;
  std::uint8_t changes_only = 0;
  std::uint32_t group_x = 0;          // UINT32_MAX: any, for each
  std::uint32_t group_y = 0;
  std::uint32_t group_z = 0;
  std::vector<FindRange> ranges;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.kinds, self.threads, self.lanes, self.changes_only, self.group_x, self.group_y,
            self.group_z, self.ranges);
  }
};

struct WatchNumber {
  std::uint64_t watch = 0;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.watch);
  }
};

struct ClearWatch {
  static constexpr Kind kKind = Kind::ClearWatch;
  std::uint64_t watch = 0;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.watch);
  }
};

struct GetWatchHits {                 // the reply's data are WatchHits
  static constexpr Kind kKind = Kind::GetWatchHits;
  std::uint32_t thread = 0;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.thread);
  }
};

struct WatchHits {
  std::vector<std::uint64_t> watches; // as many as there are hits
  std::vector<FindHit> hits;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.watches, self.hits);
  }
};

// Messages without fields.
template <Kind kind>
struct Plain {
  static constexpr Kind kKind = kind;

  template <class Self, class Archive>
  static void fields(Self&, Archive&) {}
};
using Detach = Plain<Kind::Detach>;
// Ends the GoTo or Find that is under way. No reply: they answer NOT_READY.
using Cancel = Plain<Kind::Cancel>;

struct Reply {
  static constexpr Kind kKind = Kind::Reply;
  std::uint32_t result = 0;           // ze_result_t
  std::vector<std::byte> data;        // of reads; empty unless the result is 0

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.result, self.data);
  }
};

struct QueuesChanged {
  static constexpr Kind kKind = Kind::QueuesChanged;
  std::uint32_t tiles = 0;            // a bit for each that has queues now

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.tiles);
  }
};

struct ModuleLoaded {
  static constexpr Kind kKind = Kind::ModuleLoaded;
  std::uint64_t module = 0;
  std::uint64_t begin = 0;            // of the ELF, in the default space
  std::uint64_t end = 0;
  std::uint64_t load = 0;
  std::uint32_t tiles = 0;            // a bit for each that it was made for
  std::uint8_t needs_acknowledge = 0;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.module, self.begin, self.end, self.load, self.tiles, self.needs_acknowledge);
  }
};

struct ModuleUnloaded {
  static constexpr Kind kKind = Kind::ModuleUnloaded;
  std::uint64_t module = 0;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.module);
  }
};

// Registers of threads that the next ThreadsStopped or InterruptAnswer names, so that reading
// them costs no round trip: for each thread the sets of read_ahead_sets(), one after the other.
struct ThreadSnapshots {
  static constexpr Kind kKind = Kind::ThreadSnapshots;
  std::vector<std::uint32_t> threads;
  std::vector<std::byte> registers;   // threads.size() * read_ahead_bytes()

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.threads, self.registers);
  }
};

struct ThreadsStopped {
  static constexpr Kind kKind = Kind::ThreadsStopped;
  std::vector<std::uint32_t> threads;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.threads);
  }
};

struct InterruptAnswer {
  static constexpr Kind kKind = Kind::InterruptAnswer;
  device::ThreadId request;           // as it was in Interrupt
  std::vector<std::uint32_t> halted;  // none: nothing was available
  std::vector<std::uint32_t> stopped; // by themselves meanwhile: reported after the answer

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.request, self.halted, self.stopped);
  }
};

// An access that faulted, and no thread stopped for it: the debugger's PAGE_FAULT event.
struct PageFault {
  static constexpr Kind kKind = Kind::PageFault;
  std::uint64_t address = 0;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.address);
  }
};

// The bytes of a message, or of what a reply has for data.
template <class Message>
std::vector<std::byte> encode_fields(const Message& message) {
  Writer payload;
  Message::fields(message, payload);
  return std::move(payload.bytes());
}

// A whole frame, ready to send.
template <class Message>
std::vector<std::byte> encode(const Message& message, std::uint32_t sequence = 0) {
  Writer payload;
  Message::fields(message, payload);
  Writer frame;
  const Header header{static_cast<std::uint32_t>(payload.bytes().size()),
                      static_cast<std::uint16_t>(Message::kKind), 0, sequence};
  Header::fields(header, frame);
  frame.bytes().insert(frame.bytes().end(), payload.bytes().begin(), payload.bytes().end());
  return std::move(frame.bytes());
}

// Nothing when the payload is not exactly one such message.
template <class Message>
std::optional<Message> decode(std::span<const std::byte> payload) {
  Message message;
  Reader reader(payload);
  Message::fields(message, reader);
  if (!reader.complete()) return std::nullopt;
  return message;
}

}  // namespace xesim::debug::wire
