// Those that wait, by kind: who asks for the same. Of one kind the order of leeways stays while
// they wait, and where the one with the least leeway finds no place, no other of its kind does.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "qos/request_table.h"
#include "qos/unmet_wants.h"

namespace berth {

struct WaitingEntry {
  Wide key = 0;  // WaitingKey.
  std::uint64_t order = 0;
  RequestIndex request{};

  // Who has least leeway first; among equals who was admitted first.
  friend bool operator<(const WaitingEntry& a, const WaitingEntry& b) {
    return a.key != b.key ? a.key < b.key : a.order < b.order;
  }
};

// A host on which one may fit from a time on, unless it is touched before.
struct AwaitedHost {
  Time from;
  HostIndex host{};
  std::uint64_t since = 0;  // The number of the first touch that this does not know of.
};

// What a search that found nothing told: whoever has this key or a larger one fits nowhere before
// `until`, but for some hosts and those touched since.
struct Hopeless {
  bool known = false;
  Wide key = 0;
  Time until;
  std::vector<Wide> least;  // PreemptionSearch::LeastBy `until`.
  std::uint64_t since = 0;  // The number of the first touch that it does not know of.
  std::vector<HostIndex> but_for = {};
  std::vector<AwaitedHost> awaited = {};  // A heap, the next one at its front.
};

struct WaitingKind {
  Want want;
  std::set<WaitingEntry> waiting;
  Hopeless hopeless;
};

class WaitingKinds {
 public:
  explicit WaitingKinds(std::size_t classes) : unmet_(classes) {}

  void Insert(const Want& want, const WaitingEntry& entry);
  // A kind that nobody is left of stays until DropEmpty.
  void Erase(const Want& want, const WaitingEntry& entry);
  void DropEmpty();

  // Every kind that someone may be waiting of, in no order.
  std::span<const std::uint32_t> kinds() const { return busy_; }
  // One more than the largest that there ever was.
  std::size_t slots() const { return slots_.size(); }
  WaitingKind& operator[](std::uint32_t kind) { return slots_[kind]; }
  const WaitingKind& operator[](std::uint32_t kind) const { return slots_[kind]; }

  // A search found nothing for the kind.
  void LoseHope(std::uint32_t kind, Hopeless hopeless);
  // Every kind without hope that may fit on a host. Valid until the next call.
  std::span<const std::uint32_t> HopelessThatMayFit(const HostRoom& room) {
    return unmet_.Find(room);
  }

 private:
  struct WantHash {
    std::size_t operator()(const Want& want) const;
  };

  std::vector<WaitingKind> slots_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> busy_;
  std::unordered_map<Want, std::uint32_t, WantHash> slot_of_;  // Looked up only.
  UnmetWants unmet_;
};

}  // namespace berth
