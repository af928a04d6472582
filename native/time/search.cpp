#include "time/search.hpp"

#include <algorithm>
#include <iterator>

#include "time/search_observer.hpp"

namespace xesim::time {

namespace {

// Instructions that are searched first when a search goes backward, and how many times as many then: most
// is found soon.
constexpr std::uint64_t kFirstStretch = 64 * 1024;
constexpr std::uint64_t kGrowth = 8;
constexpr std::uint64_t kLongestStretch = 1ull << 40;

// One search: stretches between keyframes, in the order of the search.
class Search {
 public:
  Search(Replay& replay, device::Device& device, const Query& query, const Cancelled& cancelled)
      : replay_(replay), query_(query), cancelled_(cancelled),
        observer_(query, device.memory().instruction_base(), replay.memory(),
                  replay.recording().written) {
    const bool has_memory_alone = std::ranges::all_of(
        query.ranges, [](const Range& range) { return range.space == Space::Global; });
    may_skip_ = query.kinds == kind::kMemoryWrite && !query.ranges.empty() && has_memory_alone;
  }

  Found run() {
    first_ = std::max(query_.first, replay_.recording().first());
    end_ = std::min(query_.end, replay_.recording().end);
    found_.searched_to = query_.backward ? std::max(end_, first_) : first_;
    if (first_ >= end_ || query_.limit == 0) {
      return std::move(found_);
    }
    query_.backward ? backward() : forward();
    return std::move(found_);
  }

 private:
  // Whether it is known that nothing is found from `begin` to before `end`, in one piece of time.
  [[nodiscard]] bool is_free(std::uint64_t begin, std::uint64_t end) {
    return may_skip_ && std::ranges::all_of(query_.ranges, [&](const Range& range) {
             return replay_.recording().written.is_free(begin, end, range.begin, range.end);
           });
  }
  // The beginning of the piece of time before `end`, or `least`.
  static std::uint64_t piece_before(std::uint64_t end, std::uint64_t least) {
    return std::max(least, WrittenLines::piece_begin(end - 1));
  }

  // Where the stretch before the end begins, of at most `most` instructions: at a keyframe, where a replay
  // begins at once, if one is near. Several that are close together are searched over in one run.
  [[nodiscard]] std::uint64_t stretch_begin(std::uint64_t most) const {
    const auto& keyframes = replay_.recording().keyframes;
    const auto near = std::ranges::lower_bound(
        keyframes, end_ - std::min(end_, kFirstStretch), {},
        [](const auto& keyframe) { return keyframe->time; });
    if (near != keyframes.end() && (*near)->time < end_) {
      return std::max(first_, (*near)->time);
    }
    const std::size_t before = replay_.recording().keyframe_before(end_ - 1);
    return std::max({first_, keyframes[before]->time, end_ - std::min(end_, most)});
  }

  // Runs to `end`, and looks for what the query asks.
  Replay::Outcome look(std::uint64_t end) {
    const std::uint64_t begin = replay_.time();
    const Replay::Outcome outcome = replay_.run_to(end, &observer_, cancelled_);
    if (observer_.sees_all_writes()) {
      replay_.recording().written.cover(begin, replay_.time());
    }
    return outcome;
  }

  void forward() {
    while (first_ < end_) {
      const std::uint64_t next =
          std::min(end_, WrittenLines::piece_begin(first_) + WrittenLines::kPieceInstructions);
      if (!is_free(first_, next)) {
        break;
      }
      first_ = next;
    }
    found_.searched_to = first_;
    if (first_ == end_) {
      return;
    }
    found_.outcome = replay_.go_to(first_, cancelled_);
    if (found_.outcome != Replay::Outcome::Reached) {
      return;
    }
    observer_.most_hits = query_.limit;
    observer_.ends_when_full = true;
    found_.outcome = look(end_);
    std::vector<Hit>& hits = observer_.hits;
    found_.searched_to = std::min(replay_.time(), end_);
    if (hits.size() >= query_.limit) {
      hits.resize(query_.limit);
      found_.searched_to = hits.back().time + 1;
      found_.outcome = Replay::Outcome::Reached;
    }
    found_.hits = std::move(hits);
  }

  void backward() {
    observer_.ends_when_full = false;
    std::uint64_t stretch = kFirstStretch;
    while (end_ > first_) {
      std::uint64_t begin = stretch_begin(stretch);
      // The pieces that are looked at are those of the stretch: one that is free makes it shorter.
      if (const std::uint64_t before = piece_before(end_, begin); is_free(before, end_)) {
        found_.searched_to = end_ = before;
        continue;
      }
      stretch = std::min(stretch * kGrowth, kLongestStretch);
      for (std::uint64_t next = end_; next > begin;) {
        const std::uint64_t before = piece_before(next, begin);
        if (is_free(before, next)) {
          begin = next;
        } else {
          next = before;
        }
      }
      observer_.hits.clear();
      found_.outcome = replay_.go_to(begin, cancelled_);
      if (found_.outcome == Replay::Outcome::Reached) {
        observer_.most_hits = query_.limit - found_.hits.size();
        found_.outcome = look(end_);
      }
      if (found_.outcome != Replay::Outcome::Reached) {
        return;
      }
      const std::vector<Hit>& hits = observer_.hits;
      const std::size_t count = std::min(hits.size(), query_.limit - found_.hits.size());
      std::copy_n(hits.rbegin(), count, std::back_inserter(found_.hits));
      if (found_.hits.size() == query_.limit) {
        found_.searched_to = found_.hits.back().time;
        return;
      }
      end_ = begin;
      found_.searched_to = begin;
    }
  }

  Replay& replay_;
  const Query& query_;
  const Cancelled& cancelled_;
  SearchObserver observer_;
  std::uint64_t first_ = 0;
  std::uint64_t end_ = 0;
  Found found_;
  bool may_skip_ = false;                  // what WrittenLines knows to be free
};

}  // namespace

Found search(Replay& replay, device::Device& device, const Query& query,
             const Cancelled& cancelled) {
  return Search(replay, device, query, cancelled).run();
}

}  // namespace xesim::time
