#include "allocate/evaluator.h"

#include <algorithm>

#include "berth/check.h"

namespace berth {

std::span<const ClusterIndex> Evaluator::Order(const Ask& ask) {
  for (const RankedClusterPreference& preference : policy_.cluster_preferences) {
    if (preference.rule->depends_on() != DependsOn::kTraits &&
        preference.rule->concerns(ask) != Concerns::kNone) {
      return order_ = OrderClusters(policy_, ask);
    }
  }
  kept_.Begin(now_);
  const std::span<const ClusterIndex> order = ranking_.Order(ask, kept_.For(ask.traits));
  order_.assign(order.begin(), order.end());  // What is kept may go while it is in use.
  return order_;
}

Chooser::Found Evaluator::Find(const Ask& ask, std::span<const ClusterIndex> order) {
  kept_.Begin(now_);
  ranking_.RankByName(ask.inventory);
  Alike& alike = kept_.For(ask.traits);
  rules_.Choose(policy_, ask);
  looked_count_ = 0;
  by_id_.clear();
  clusters_ = 0;
  machines_ = 0;
  shut_out_.assign(policy_.cluster_validators.size(), 0);
  refused_.assign(policy_.validators.size(), 0);
  std::uint32_t suitable = 0;
  for (const ClusterIndex cluster : order) {
    if (LookAt(ask, alike, cluster) && ++suitable == policy_.clusters) break;
  }
  std::ranges::sort(by_id_, {},
                    [&](std::uint32_t i) { return ranking_.ByName(looked_[i]->cluster()); });
  CountPreferences();
  Narrow(ask);
  Found found{.best = 0, .funnel = FunnelOf(ask)};
  if (best_ != kNoKey) {
    found.best = narrows_ ? static_cast<std::uint32_t>(narrowed_.size()) : best_count_;
  }
  return found;
}

bool Evaluator::LookAt(const Ask& ask, Alike& alike, ClusterIndex cluster) {
  ++clusters_;
  for (std::size_t i = 0; i < policy_.cluster_validators.size(); ++i) {
    if (policy_.cluster_validators[i].rule->IsValid(ask, ask.inventory[cluster])) continue;
    ShutOut(ask, cluster, i);
    return false;
  }
  const Kept::Judged judged = kept_.Judge(ask.inventory, alike, cluster);
  if (looked_count_ == looked_.size()) looked_.push_back(std::make_unique<LookedCluster>());
  LookedCluster& looked = *looked_[looked_count_];
  looked.Look(ask, rules_, policy_, judged.facts, judged.evaluation, refused_);
  machines_ += looked.machines();
  if (looked.summary().valid == 0) return false;
  by_id_.push_back(static_cast<std::uint32_t>(looked_count_++));
  return true;
}

void Evaluator::ShutOut(const Ask& ask, ClusterIndex cluster, std::size_t validator) {
  auto machines = static_cast<std::uint32_t>(ask.inventory[cluster].machines.size());
  if (ask.leaving && ask.inventory[*ask.leaving].cluster == cluster) --machines;
  machines_ += machines;
  shut_out_[validator] += machines;
}

// The best key, and level by level how many are as good as that.
void Evaluator::CountPreferences() {
  const std::span<const int> shifts = kept_.shifts();
  best_ = kNoKey;
  for (const std::uint32_t i : by_id_) best_ = std::min(best_, looked_[i]->summary().best);
  best_count_ = 0;
  left_.assign(policy_.KeptPreferences().size(), 0);
  if (best_ == kNoKey) return;
  for (const std::uint32_t i : by_id_) {
    const Summary& summary = looked_[i]->summary();
    const std::uint64_t differs = summary.best ^ best_;
    for (std::size_t level = 0; level < left_.size() && differs >> shifts[level] == 0; ++level) {
      left_[level] += summary.as_good[level];
    }
    if (differs == 0) best_count_ += summary.as_good.back();
  }
}

template <typename F>
void Evaluator::ForEachBest(const Ask& ask, F&& f) const {
  for (const std::uint32_t i : by_id_) {
    if (looked_[i]->summary().best != best_) continue;
    const std::span<const std::uint64_t> best = looked_[i]->best();
    for (std::uint32_t cell = 0; cell < best.size(); ++cell) {
      if (best[cell] != best_) continue;
      looked_[i]->ForEachValid(ask, cell, [&](MachineIndex machine, std::uint64_t key) {
        if (key == best_) f(machine);
      });
    }
  }
}

// Of the best so far, those that preferences about this service and single machines like best.
void Evaluator::Narrow(const Ask& ask) {
  const auto preferences = policy_.MachinePreferences();
  narrows_ =
      best_ != kNoKey && std::ranges::any_of(preferences, [&](const RankedPreference& preference) {
        return preference.rule().concerns(ask) != Concerns::kNone;
      });
  if (!narrows_) {
    left_.resize(policy_.preferences.size(), best_count_);  // They had no say.
    return;
  }
  std::vector<Ranked> ranked;
  std::uint64_t least = kNoKey;
  ForEachBest(ask, [&](MachineIndex machine) {
    std::uint64_t key = 0;
    for (const RankedPreference& preference : preferences) {
      key |= preference.KeyPart(ask, {machine, ask.inventory[machine]});
    }
    least = std::min(least, key);
    ranked.push_back({machine, key});
  });
  narrowed_.clear();
  for (const Ranked& one : ranked) {
    if (one.key == least) narrowed_.push_back(one.index);
  }
  for (const RankedPreference& preference : preferences) {
    const int shift = preference.place.shift;
    left_.push_back(static_cast<std::uint32_t>(std::ranges::count_if(
        ranked, [&](const Ranked& one) { return one.key >> shift == least >> shift; })));
  }
}

Funnel Evaluator::FunnelOf(const Ask& ask) const {
  Funnel funnel{.type = ask.traits.type.name,
                .role = ask.traits.role,
                .instances = 1,
                .clusters = clusters_,
                .machines = machines_,
                .steps = {}};
  funnel.steps.reserve(shut_out_.size() + refused_.size() + policy_.preferences.size());
  std::uint32_t left = machines_;
  for (std::size_t i = 0; i < shut_out_.size(); ++i) {
    left -= shut_out_[i];
    funnel.steps.push_back(
        {.rule = policy_.cluster_validators[i].id, .validator = true, .left = left});
  }
  for (std::size_t i = 0; i < refused_.size(); ++i) {
    left -= refused_[i];
    funnel.steps.push_back({.rule = policy_.validators[i].id, .validator = true, .left = left});
  }
  if (best_ == kNoKey) return funnel;
  for (std::size_t i = 0; i < policy_.preferences.size(); ++i) {
    funnel.steps.push_back(
        {.rule = policy_.preferences[i].id, .validator = false, .left = left_[i]});
  }
  return funnel;
}

MachineIndex Evaluator::Best(const Ask& ask, std::uint32_t n) {
  if (narrows_) return narrowed_[n];
  for (const std::uint32_t i : by_id_) {
    if (looked_[i]->summary().best != best_) continue;
    if (n >= looked_[i]->summary().as_good.back()) {
      n -= looked_[i]->summary().as_good.back();
      continue;
    }
    const std::span<const std::uint64_t> best = looked_[i]->best();
    for (std::uint32_t cell = 0; cell < best.size(); ++cell) {
      if (best[cell] != best_) continue;
      const std::uint32_t count = looked_[i]->CountBest(cell);
      if (n >= count) {
        n -= count;
        continue;
      }
      std::optional<MachineIndex> found;
      looked_[i]->ForEachValid(ask, cell, [&](MachineIndex machine, std::uint64_t key) {
        if (key == best_ && n-- == 0) found = machine;
      });
      BERTH_CHECK(found.has_value());
      return *found;
    }
  }
  BERTH_CHECK(false);
}

std::vector<MachineIndex> Evaluator::Top(const Ask& ask, std::uint32_t most) {
  for (;;) {
    // Those that are vague are worse, if anything, and the others none the better for it.
    std::vector<MachineIndex> top = TopOf(AllValid(ask), most);
    if (!MakeCertain(ask, top)) return top;
  }
}

bool Evaluator::MakeCertain(const Ask& ask, std::span<const MachineIndex> machines) {
  bool any = false;
  for (const MachineIndex machine : machines) {
    for (const std::uint32_t i : by_id_) {
      if (looked_[i]->cluster() != ask.inventory[machine].cluster) continue;
      any = looked_[i]->MakeCertain(ask, machine) || any;
    }
  }
  return any;
}

std::vector<Ranked> Evaluator::AllValid(const Ask& ask) const {
  std::vector<Ranked> valid;
  for (const std::uint32_t i : by_id_) {
    for (std::uint32_t cell = 0; cell < looked_[i]->best().size(); ++cell) {
      looked_[i]->ForEachValid(ask, cell, [&](MachineIndex machine, std::uint64_t key) {
        for (const RankedPreference& preference : policy_.MachinePreferences()) {
          key |= preference.KeyPart(ask, {machine, ask.inventory[machine]});
        }
        valid.push_back({machine, key});
      });
    }
  }
  return valid;
}

}  // namespace berth
