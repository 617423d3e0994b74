#include "allocate/cache/kept.h"

#include <algorithm>

namespace berth {
namespace {

// Out of how many the oldest goes when there is no room: the more, the seldomer all are looked
// over.
constexpr std::size_t kEvictedShare = 8;

// The use of which so many or fewer were used before.
std::uint64_t OldestUses(std::vector<std::uint64_t>& uses) {
  const auto nth = uses.begin() + static_cast<std::ptrdiff_t>(uses.size() / kEvictedShare);
  std::ranges::nth_element(uses, nth);
  return *nth;
}

}  // namespace

KeptStats& KeptStats::operator+=(const KeptStats& other) {
  asked += other.asked;
  hits += other.hits;
  machines += other.machines;
  in_background += other.in_background;
  evicted += other.evicted;
  kept += other.kept;
  bytes += other.bytes;
  return *this;
}

CacheStats& CacheStats::operator+=(const CacheStats& other) {
  evaluations += other.evaluations;
  rule_objects += other.rule_objects;
  facts += other.facts;
  return *this;
}

Kept::Kept(const AllocatePolicy& policy, const Outlook* outlook)
    : policy_(policy), outlook_(outlook) {
  for (const RankedPreference& preference : policy.KeptPreferences()) {
    shifts_.push_back(preference.place.shift);
  }
  if (shifts_.empty()) shifts_.push_back(0);
  for (RuleGroup& group : GroupRules(policy)) groups_.emplace_back(std::move(group));
}

void Kept::Begin(Time now) {
  now_ = now;
  ++request_;
  if (now - evicted_at_ > policy_.cache.age) EvictOld(now);
}

void Kept::BeginEpoch(std::uint64_t epoch) {
  epoch_ = epoch;
  EvictEvaluations([](const CachedEvaluation&) { return true; });
  for (Group& group : groups_) {
    if (!group.rules.reads.Has(Trait::kEpoch)) continue;
    EvictObjects([&](const RuleObject& object) { return &object.group() == &group.rules; });
  }
}

Alike& Kept::For(const Traits& traits) {
  if (policy_.reads.Has(Trait::kEpoch) && traits.epoch != epoch_) BeginEpoch(traits.epoch);
  if (last_ != nullptr && AgreeIn(policy_.reads, last_->traits.get(), traits)) return *last_;
  std::vector<std::unique_ptr<Alike>>& bucket = alike_[HashOf(traits, policy_.reads)];
  for (const auto& alike : bucket) {
    if (AgreeIn(policy_.reads, alike->traits.get(), traits)) return *(last_ = alike.get());
  }
  bucket.push_back(std::make_unique<Alike>(traits));
  return *(last_ = bucket.back().get());
}

ClusterFacts& Kept::FactsOf(const Inventory& inventory, ClusterIndex cluster) {
  if (facts_.size() < inventory.clusters().size()) facts_.resize(inventory.clusters().size());
  std::unique_ptr<ClusterFacts>& facts = facts_[At(cluster)];
  if (facts == nullptr) facts = std::make_unique<ClusterFacts>(cluster, positions_);
  return *facts;
}

Kept::Judged Kept::Judge(const Inventory& inventory, Alike& alike, ClusterIndex cluster) {
  ++stats_.evaluations.asked;
  if (alike.by_cluster.size() <= At(cluster)) {
    alike.by_cluster.resize(inventory.clusters().size());
  }
  ClusterFacts& facts = FactsOf(inventory, cluster);
  std::unique_ptr<CachedEvaluation>& kept = alike.by_cluster[At(cluster)];
  if (kept == nullptr) {
    ++alike.evaluations;  // First, so that making room does not drop it with its last.
    MakeRoomForEvaluation();
    kept = NewEvaluation(alike.traits.get(), cluster);
    ++stats_.evaluations.kept;
    Update(inventory, *kept, facts, false);
  } else {
    ++stats_.evaluations.hits;
    if (!kept->IsUpToDate(inventory, cluster)) Update(inventory, *kept, facts, false);
  }
  kept->used = request_;
  kept->used_at = now_;
  return {facts, *kept};
}

void Kept::Update(const Inventory& inventory, CachedEvaluation& evaluation, ClusterFacts& facts,
                  bool in_background) {
  const std::uint32_t looked_at = facts.Update(inventory);
  const CachedEvaluation::Updated updated = evaluation.Update(inventory, facts);
  ++stats_.facts.asked;
  if (looked_at == 0) ++stats_.facts.hits;
  stats_.facts.machines += looked_at;
  stats_.evaluations.machines += updated.machines;
  stats_.rule_objects.machines += updated.answers;
  if (!in_background) return;
  stats_.facts.in_background += looked_at;
  stats_.evaluations.in_background += updated.machines;
  stats_.rule_objects.in_background += updated.answers;
}

std::unique_ptr<CachedEvaluation> Kept::NewEvaluation(const Traits& traits, ClusterIndex cluster) {
  std::vector<std::shared_ptr<RuleObject>> objects;
  for (Group& group : groups_) objects.push_back(ObjectFor(group, traits, cluster));
  return std::make_unique<CachedEvaluation>(std::move(objects), policy_, shifts_);
}

std::shared_ptr<RuleObject> Kept::ObjectFor(Group& group, const Traits& traits,
                                            ClusterIndex cluster) {
  ++stats_.rule_objects.asked;
  MakeRoomForObject();
  const TraitSet reads = group.rules.reads;
  std::vector<Answers>& bucket = group.answers[HashOf(traits, reads)];
  auto answers = std::ranges::find_if(
      bucket, [&](const Answers& a) { return AgreeIn(reads, a.traits.get(), traits); });
  if (answers == bucket.end()) answers = bucket.insert(bucket.end(), Answers(traits));
  if (answers->by_cluster.size() <= At(cluster)) answers->by_cluster.resize(At(cluster) + 1);
  std::shared_ptr<RuleObject>& object = answers->by_cluster[At(cluster)];
  if (object == nullptr) {
    object = std::make_shared<RuleObject>(group.rules, traits, outlook_);
    ++stats_.rule_objects.kept;
  } else {
    ++stats_.rule_objects.hits;
  }
  object->used = request_;
  object->used_at = now_;
  return object;
}

template <typename F>
void Kept::ForEachObject(F&& f) const {
  for (const Group& group : groups_) {
    for (const auto& [hash, bucket] : group.answers) {
      for (const Answers& answers : bucket) {
        for (const auto& object : answers.by_cluster) {
          if (object != nullptr) f(*object);
        }
      }
    }
  }
}

void Kept::MakeRoomForEvaluation() {
  if (stats_.evaluations.kept < policy_.cache.evaluations) return;
  std::vector<std::uint64_t> uses;
  for (const auto& [hash, bucket] : alike_) {
    for (const auto& alike : bucket) {
      for (const auto& kept : alike->by_cluster) {
        if (kept != nullptr) uses.push_back(kept->used);
      }
    }
  }
  const std::uint64_t oldest = std::min(OldestUses(uses), request_ - 1);
  EvictEvaluations([&](const CachedEvaluation& kept) { return kept.used <= oldest; });
}

void Kept::MakeRoomForObject() {
  if (stats_.rule_objects.kept < policy_.cache.rule_objects) return;
  std::vector<std::uint64_t> uses;
  ForEachObject([&](const RuleObject& object) { uses.push_back(object.used); });
  const std::uint64_t oldest = OldestUses(uses);
  EvictObjects([&](const RuleObject& object) { return object.used <= oldest; });
}

void Kept::EvictEvaluations(const std::function<bool(const CachedEvaluation&)>& goes) {
  last_ = nullptr;
  for (auto at = alike_.begin(); at != alike_.end();) {
    for (const auto& alike : at->second) {
      for (auto& kept : alike->by_cluster) {
        if (kept == nullptr || !goes(*kept)) continue;
        kept.reset();
        --alike->evaluations;
        --stats_.evaluations.kept;
        ++stats_.evaluations.evicted;
      }
    }
    std::erase_if(at->second, [](const auto& alike) { return alike->evaluations == 0; });
    at = at->second.empty() ? alike_.erase(at) : std::next(at);
  }
}

void Kept::EvictObjects(const std::function<bool(const RuleObject&)>& goes) {
  for (Group& group : groups_) {
    for (auto at = group.answers.begin(); at != group.answers.end();) {
      std::erase_if(at->second, [&](Answers& answers) {
        bool any = false;
        for (auto& object : answers.by_cluster) {
          if (object == nullptr) continue;
          if (goes(*object)) {
            object.reset();
            --stats_.rule_objects.kept;
            ++stats_.rule_objects.evicted;
          } else {
            any = true;
          }
        }
        return !any;
      });
      at = at->second.empty() ? group.answers.erase(at) : std::next(at);
    }
  }
}

void Kept::EvictOld(Time now) {
  evicted_at_ = now;
  const Time before = now - policy_.cache.age;
  EvictEvaluations([&](const CachedEvaluation& kept) { return kept.used_at < before; });
  EvictObjects([&](const RuleObject& object) { return object.used_at < before; });
}

bool Kept::Refresh(const Inventory& inventory, std::uint32_t machines_max) {
  struct Stale {
    CachedEvaluation* evaluation;
    ClusterIndex cluster;
  };
  std::vector<Stale> all;
  for (const auto& [hash, bucket] : alike_) {
    for (const auto& alike : bucket) {
      for (std::uint32_t i = 0; i < alike->by_cluster.size(); ++i) {
        CachedEvaluation* kept = alike->by_cluster[i].get();
        if (kept != nullptr && !kept->IsUpToDate(inventory, ClusterIndex{i})) {
          all.push_back({kept, ClusterIndex{i}});
        }
      }
    }
  }
  std::ranges::sort(all, [](const Stale& a, const Stale& b) {
    return std::pair(b.evaluation->used, a.cluster) < std::pair(a.evaluation->used, b.cluster);
  });
  std::uint32_t machines = 0;
  for (const Stale& stale : all) {
    if (machines >= machines_max) return true;
    const std::uint64_t before = stats_.evaluations.machines;
    Update(inventory, *stale.evaluation, FactsOf(inventory, stale.cluster), true);
    machines += std::max(static_cast<std::uint32_t>(stats_.evaluations.machines - before), 1U);
  }
  return false;
}

CacheStats Kept::stats() const {
  CacheStats stats = stats_;
  stats.facts.kept = static_cast<std::uint64_t>(
      std::ranges::count_if(facts_, [](const auto& facts) { return facts != nullptr; }));
  for (const auto& [hash, bucket] : alike_) {
    for (const auto& alike : bucket) {
      for (const auto& kept : alike->by_cluster) {
        if (kept != nullptr) stats.evaluations.bytes += kept->bytes();
      }
    }
  }
  ForEachObject([&](const RuleObject& object) { stats.rule_objects.bytes += object.bytes(); });
  return stats;
}

}  // namespace berth
