// Finds the best machines for an ask from what is kept between asks.
//
// A request touches the racks of the clusters it looks at and what changed there since asks like it
// came last. Everything that grows with the fleet is done once per change and shared: what rules
// want to know of a machine, each rule's answers, and their sum for asks alike (see cache/).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "allocate/cache/kept.h"
#include "allocate/cache/looked.h"
#include "allocate/cache/ranking.h"
#include "allocate/chooser.h"
#include "allocate/evaluate.h"

namespace berth {

class Evaluator final : public Chooser {
 public:
  // For one policy and one inventory, whose journal it follows. Asks have the same outlook.
  explicit Evaluator(const AllocatePolicy& policy, const Outlook* outlook = nullptr)
      : policy_(policy), kept_(policy, outlook), ranking_(policy) {}
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  std::span<const ClusterIndex> Order(const Ask& ask) override;
  Found Find(const Ask& ask, std::span<const ClusterIndex> order) override;
  MachineIndex Best(const Ask& ask, std::uint32_t n) override;
  std::vector<MachineIndex> Top(const Ask& ask, std::uint32_t most) override;

  // What is kept is aged by this clock.
  void SetTime(Time now) { now_ = now; }
  Kept& kept() { return kept_; }
  const Kept& kept() const { return kept_; }

 private:
  bool LookAt(const Ask& ask, Alike& alike, ClusterIndex cluster);
  void ShutOut(const Ask& ask, ClusterIndex cluster, std::size_t validator);
  void CountPreferences();
  void Narrow(const Ask& ask);
  Funnel FunnelOf(const Ask& ask) const;
  std::vector<Ranked> AllValid(const Ask& ask) const;
  // Whether keys of any of these machines were vague; now they are not.
  bool MakeCertain(const Ask& ask, std::span<const MachineIndex> machines);
  template <typename F>
  void ForEachBest(const Ask& ask, F&& f) const;

  const AllocatePolicy& policy_;
  Kept kept_;
  Ranking ranking_;
  Time now_;
  std::vector<ClusterIndex> order_;

  // Of the request at hand.
  ServiceRules rules_;
  std::vector<std::unique_ptr<LookedCluster>> looked_;
  std::size_t looked_count_ = 0;      // Of them, in use.
  std::vector<std::uint32_t> by_id_;  // Those in use, in the order of the clusters' names.
  std::uint32_t clusters_ = 0;
  std::uint32_t machines_ = 0;
  std::vector<std::uint32_t> shut_out_;  // By cluster validator.
  std::vector<std::uint32_t> refused_;   // By validator.
  std::uint64_t best_ = kNoKey;
  std::uint32_t best_count_ = 0;     // Machines with that key,
  std::vector<std::uint32_t> left_;  // and as good as those, by preference.
  std::vector<MachineIndex> narrowed_;
  bool narrows_ = false;  // Preferences that depend on the service machine by machine had a say.
};

}  // namespace berth
