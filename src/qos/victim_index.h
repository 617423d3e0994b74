// Those that run, by host and class, and hosts by what they have most to spare of a class. Leeways
// of one class grow together, so both orders change only when someone starts or leaves.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "qos/scheduler.h"

namespace berth {

struct RunningEntry {
  Wide key = 0;  // RunningKey.
  std::uint64_t order = 0;
  RequestIndex request{};
  // At hand, as they are asked for all the time.
  bool start_unknown = false;
  Resources demand;
  Time spared_until{};  // Until then its own class leaves it alone: it was disturbed too much.

  // Who has most leeway first; among equals who was admitted last.
  friend bool operator<(const RunningEntry& a, const RunningEntry& b) {
    return a.key != b.key ? a.key > b.key : a.order > b.order;
  }
};

// A host and the most that one of a class has to spare there.
struct HostTop {
  Wide key = 0;
  HostIndex host{};

  friend bool operator<(const HostTop& a, const HostTop& b) {
    return a.key != b.key ? a.key > b.key : a.host < b.host;
  }
};

inline constexpr Wide kNobody = -(Wide{1} << 126) - 1;  // Below every key and every gate.

// Those of a class on a host in short: of most hosts nothing else is looked at.
struct ClassInShort {
  Wide first = kNobody;   // The key of who has most leeway,
  Wide second = kNobody;  // and of the next.
  // What all of them hold.
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
  // What the first holds.
  std::int64_t first_cpu = 0;
  std::int64_t first_memory = 0;
};

class VictimIndex {
 public:
  explicit VictimIndex(std::size_t classes) : classes_(classes), tops_(classes) {}

  void AddHost(HostIndex host);
  void Insert(HostIndex host, std::uint32_t klass, const RunningEntry& entry);
  void Erase(HostIndex host, std::uint32_t klass, const RunningEntry& entry);

  std::span<const RunningEntry> Running(HostIndex host, std::size_t klass) const {
    return Of(host, klass).running;
  }
  // By class.
  std::span<const ClassInShort> InShort(HostIndex host) const {
    return std::span(in_short_).subspan(PlaceOf(host, 0), classes_);
  }
  // The key of who has most leeway; kNobody if there is none.
  Wide Top(HostIndex host, std::size_t klass) const {
    return in_short_[PlaceOf(host, klass)].first;
  }
  // What those of a class hold of the host.
  const Resources& Held(HostIndex host, std::size_t klass) const { return Of(host, klass).held; }
  // Hosts that run any of the class.
  const std::set<HostTop>& Tops(std::size_t klass) const { return tops_[klass]; }

 private:
  struct ClassOnHost {
    Resources held;
    std::vector<RunningEntry> running;
  };
  std::size_t PlaceOf(HostIndex host, std::size_t klass) const {
    return ToNumber(host) * classes_ + klass;
  }
  const ClassOnHost& Of(HostIndex host, std::size_t klass) const {
    return on_hosts_[PlaceOf(host, klass)];
  }
  void Shorten(HostIndex host, std::size_t klass);

  std::size_t classes_;
  std::vector<ClassOnHost> on_hosts_;
  std::vector<ClassInShort> in_short_;
  std::vector<std::set<HostTop>> tops_;
};

}  // namespace berth
