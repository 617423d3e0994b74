// A request's view of the clusters it looks at: the kept evaluations, with the machines and racks
// set aside that the rules about this one service do not allow.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "allocate/cache/kept.h"

namespace berth {

// The rules that depend on the service and concern this ask, and what they concern.
class ServiceRules {
 public:
  void Choose(const AllocatePolicy& policy, const Ask& ask);

  struct Concerned {
    const Validator* rule;
    std::size_t index;  // In the policy's validators.
  };
  std::span<const Concerned> racks() const { return racks_; }
  std::span<const Concerned> machines() const { return machines_; }
  bool OfRacks(Concerns concerns) const { return Has(rack_concerns_, concerns); }
  bool OfMachines(Concerns concerns) const { return Has(machine_concerns_, concerns); }
  bool none() const { return racks_.empty() && machines_.empty(); }
  // Whether preferences of racks that depend on the service have a say.
  bool Rank(Concerns concerns) const { return Has(ranking_concerns_, concerns); }

 private:
  static std::uint32_t Bit(Concerns concerns) { return 1U << static_cast<unsigned>(concerns); }
  static bool Has(std::uint32_t set, Concerns concerns) { return (set & Bit(concerns)) != 0; }

  std::vector<Concerned> racks_;
  std::vector<Concerned> machines_;
  std::uint32_t rack_concerns_ = 0;
  std::uint32_t machine_concerns_ = 0;
  std::uint32_t ranking_concerns_ = 0;
};

class LookedCluster {
 public:
  // Sets aside what the rules do not allow; `refused` counts it by validator.
  void Look(const Ask& ask, const ServiceRules& rules, const AllocatePolicy& policy,
            const ClusterFacts& facts, CachedEvaluation& evaluation,
            std::span<std::uint32_t> refused);
  // Works out the keys of its rack if the machine's, one of this cluster, is vague; false: it is
  // not.
  bool MakeCertain(const Ask& ask, MachineIndex machine);

  ClusterIndex cluster() const { return facts_->cluster(); }
  std::uint32_t machines() const { return machines_; }
  const Summary& summary() const { return *summary_; }
  // By cell, with what preferences of racks add; kNoKey: none is valid.
  std::span<const std::uint64_t> best() const { return best_; }
  // How many machines of a cell have its best key.
  std::uint32_t CountBest(std::uint32_t cell) const {
    return cells_->as_good[(cell + 1) * shifts_.size() - 1];
  }

  // Calls f(MachineIndex, key) for the valid machines of a cell, in the order of ids.
  template <typename F>
  void ForEachValid(const Ask& ask, std::uint32_t cell, F&& f) const {
    if (best_[cell] == kNoKey) return;
    const std::uint64_t part = best_[cell] ^ cells_->best[cell];
    const bool some_aside = sets_aside_ && rescanned_[cell] != 0;
    for (std::uint32_t p = facts_->begin(cell); p < facts_->end(cell); ++p) {
      const std::uint64_t key = evaluation_->key(p);
      if (key == kNoKey || (some_aside && !Allowed(ask, p, {}))) continue;
      f(facts_->machine(p), key | part);
    }
  }

 private:
  bool ConcernsAny(const Ask& ask) const;
  bool HoldsOwn(const Ask& ask) const;
  // Calls f(cell) for the cells that hold machines of the service.
  template <typename F>
  void ForEachOwnCell(const Ask& ask, F&& f) const;
  void SetRackAside(const Ask& ask, std::uint32_t cell, std::span<std::uint32_t> refused);
  void SetMachinesAside(const Ask& ask, std::uint32_t cell, std::span<std::uint32_t> refused);
  // `refused` counts who does not allow it, if given.
  bool Allowed(const Ask& ask, std::uint32_t position, std::span<std::uint32_t> refused) const;
  void SetAside(const Ask& ask, std::span<std::uint32_t> refused);
  // Whether a preference of racks that depends on the service has a say here.
  bool RanksOwnRacks(const Ask& ask) const;
  void AddRackParts(const Ask& ask, const AllocatePolicy& policy);

  const ServiceRules* rules_ = nullptr;
  const ClusterFacts* facts_ = nullptr;
  CachedEvaluation* evaluation_ = nullptr;
  std::span<const int> shifts_;
  const Cells* cells_ = nullptr;  // The evaluation's, or ours.
  std::span<const std::uint64_t> best_;
  const Summary* summary_ = nullptr;
  Cells own_;
  std::vector<std::uint64_t> with_racks_;
  Summary own_summary_;
  std::uint32_t machines_ = 0;
  std::optional<std::uint32_t> leaving_;  // The position of the machine not to go back to.
  bool sets_aside_ = false;
  std::vector<std::uint8_t> rescanned_;  // By cell.
};

}  // namespace berth
