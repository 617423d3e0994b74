// One ledger of disruption for everybody who moves, evicts or resizes what runs: how often it
// happened of late, to each service and in the zone, and whether it may happen again.
//
// It is counted from committed decisions, whoever made them. What leaves a dead machine is neither
// counted nor held back: it does not run any more. What was asked for is counted and not held back.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/document.h"
#include "berth/decision.h"
#include "berth/time.h"

namespace berth {

inline constexpr Duration kDisruptionWindow = std::chrono::hours(1);

// The `disruption` section of a policy: in an hour, so many at most; none: no limit.
struct DisruptionPolicy {
  std::optional<std::uint32_t> per_service;
  std::optional<std::uint32_t> per_zone;

  bool limits() const { return per_service || per_zone; }
  friend bool operator==(const DisruptionPolicy&, const DisruptionPolicy&) = default;
};
Result<DisruptionPolicy> ParseDisruptionPolicy(const Node& policy);

class DisruptionLedger {
 public:
  void SetPolicy(const DisruptionPolicy& policy) { policy_ = policy; }
  const DisruptionPolicy& policy() const { return policy_; }

  // Decisions come in the order of their commits. Those noted before are not counted twice.
  void Note(const Decision& decision, Revision committed);
  // Forgets all of it: what follows is told from an older commit on.
  void Clear();

  struct Hold {
    Time until;           // When it may be asked again.
    std::string because;  // One sentence.
  };
  // Whether the service may be disrupted now; if not, why and until when.
  std::optional<Hold> MayDisrupt(const std::string& service, Time now) const;
  // The same of several disruptions at once, each of the service that it names.
  std::optional<Hold> MayDisruptAll(std::span<const std::string> services, Time now) const;
  // In the last hour.
  std::uint64_t Disruptions(Time now) const;

 private:
  struct Entry {
    Time at;
    std::string service;
  };

  void Add(std::string service, Time at);

  DisruptionPolicy policy_;
  Revision noted_{};
  std::deque<Entry> entries_;  // The oldest first.
};

}  // namespace berth
