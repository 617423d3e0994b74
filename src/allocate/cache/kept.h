// Everything that an agent keeps between requests: facts of clusters, answers of rules,
// evaluations.
//
// Bounded in number, oldest out first, and in age. Who asks gets it up to date: that costs what
// changed since it was asked for last, or nothing if there was time to refresh it meanwhile.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "allocate/cache/cluster_facts.h"
#include "allocate/cache/evaluation.h"

namespace berth {

// How a kind of kept thing did.
struct KeptStats {
  std::uint64_t asked = 0;
  std::uint64_t hits = 0;           // Of them, there already.
  std::uint64_t machines = 0;       // Looked at, because they changed or for the first time;
  std::uint64_t in_background = 0;  // of them, while there was nothing else to do.
  std::uint64_t evicted = 0;
  std::uint64_t kept = 0;   // Now,
  std::uint64_t bytes = 0;  // and how much room they take.

  KeptStats& operator+=(const KeptStats& other);
};

struct CacheStats {
  KeptStats evaluations;
  KeptStats rule_objects;
  KeptStats facts;

  CacheStats& operator+=(const CacheStats& other);
};

// What is kept for asks alike: their evaluations and, for Ranking, the order of clusters.
struct Alike {
  explicit Alike(const Traits& of) : traits(of) {}

  KeptTraits traits;
  std::vector<std::unique_ptr<CachedEvaluation>> by_cluster;
  std::uint32_t evaluations = 0;
  std::vector<std::uint64_t> cluster_keys;  // By cluster,
  std::vector<ClusterIndex> order;          // and the clusters by them,
  std::uint64_t ranked_at = 0;              // as of this position in the journal.
};

class Kept {
 public:
  // The outlook, if there is one, is that of all asks.
  Kept(const AllocatePolicy& policy, const Outlook* outlook);
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  // A new request begins.
  void Begin(Time now);

  Alike& For(const Traits& traits);
  struct Judged {
    const ClusterFacts& facts;
    CachedEvaluation& evaluation;
  };
  // A cluster's machines, judged for asks alike.
  Judged Judge(const Inventory& inventory, Alike& alike, ClusterIndex cluster);

  // Brings evaluations up to date, the most recently asked for first, until so many machines were
  // looked at; false: all are.
  bool Refresh(const Inventory& inventory, std::uint32_t machines_max);
  // Drops what nobody asked for within the policy's age. Requests see to it now and then.
  void EvictOld(Time now);

  std::span<const int> shifts() const { return shifts_; }
  CacheStats stats() const;
  // So far: evaluations asked for, those of them not kept, and machines judged for them.
  struct Work {
    std::uint64_t asked = 0;
    std::uint64_t missed = 0;
    std::uint64_t machines = 0;
  };
  Work work() const {
    const KeptStats& of = stats_.evaluations;
    return {.asked = of.asked, .missed = of.asked - of.hits, .machines = of.machines};
  }

 private:
  // What a group of rules says to asks alike in what it reads, cluster by cluster.
  struct Answers {
    explicit Answers(const Traits& of) : traits(of) {}
    KeptTraits traits;
    std::vector<std::shared_ptr<RuleObject>> by_cluster;
  };
  struct Group {
    explicit Group(RuleGroup of) : rules(std::move(of)) {}
    RuleGroup rules;
    std::unordered_map<std::uint64_t, std::vector<Answers>> answers;  // By the hash of the traits.
  };

  ClusterFacts& FactsOf(const Inventory& inventory, ClusterIndex cluster);
  void Update(const Inventory& inventory, CachedEvaluation& evaluation, ClusterFacts& facts,
              bool in_background);
  std::unique_ptr<CachedEvaluation> NewEvaluation(const Traits& traits, ClusterIndex cluster);
  std::shared_ptr<RuleObject> ObjectFor(Group& group, const Traits& traits, ClusterIndex cluster);
  template <typename F>
  void ForEachObject(F&& f) const;
  void EvictEvaluations(const std::function<bool(const CachedEvaluation&)>& goes);
  void EvictObjects(const std::function<bool(const RuleObject&)>& goes);
  // What was found in another epoch is not asked for again.
  void BeginEpoch(std::uint64_t epoch);
  void MakeRoomForEvaluation();
  void MakeRoomForObject();

  const AllocatePolicy& policy_;
  const Outlook* outlook_;
  std::uint64_t epoch_ = 0;
  std::vector<int> shifts_;
  Time now_;
  Time evicted_at_;  // When the old were last dropped.
  std::uint64_t request_ = 0;
  std::vector<std::uint32_t> positions_;
  std::vector<std::unique_ptr<ClusterFacts>> facts_;                              // By cluster.
  std::unordered_map<std::uint64_t, std::vector<std::unique_ptr<Alike>>> alike_;  // By hash.
  Alike* last_ = nullptr;  // That was asked for: most requests are like the one before.
  std::vector<Group> groups_;
  CacheStats stats_;
};

}  // namespace berth
