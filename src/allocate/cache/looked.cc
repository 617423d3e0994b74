#include "allocate/cache/looked.h"

#include <algorithm>

namespace berth {

void ServiceRules::Choose(const AllocatePolicy& policy, const Ask& ask) {
  racks_.clear();
  machines_.clear();
  rack_concerns_ = 0;
  machine_concerns_ = 0;
  ranking_concerns_ = 0;
  for (std::size_t i = policy.trait_validators; i < policy.validators.size(); ++i) {
    const Validator& rule = *policy.validators[i].rule;
    const Concerns concerns = rule.concerns(ask);
    if (concerns == Concerns::kNone) continue;
    const bool of_racks = i < policy.trait_validators + policy.rack_validators;
    (of_racks ? racks_ : machines_).push_back({&rule, i});
    (of_racks ? rack_concerns_ : machine_concerns_) |= Bit(concerns);
  }
  for (const RankedPreference& preference : policy.KeptPreferences()) {
    if (preference.rack == nullptr || preference.rack->depends_on() == DependsOn::kTraits) continue;
    ranking_concerns_ |= Bit(preference.rack->concerns(ask));
  }
}

void LookedCluster::Look(const Ask& ask, const ServiceRules& rules, const AllocatePolicy& policy,
                         const ClusterFacts& facts, CachedEvaluation& evaluation,
                         std::span<std::uint32_t> refused) {
  rules_ = &rules;
  facts_ = &facts;
  evaluation_ = &evaluation;
  shifts_ = evaluation.shifts();
  cells_ = &evaluation.cells();
  best_ = evaluation.best();
  summary_ = &evaluation.summary();
  machines_ = evaluation.machines();
  sets_aside_ = false;
  leaving_.reset();
  for (std::size_t i = 0; i < policy.trait_validators; ++i) refused[i] += evaluation.refused()[i];
  if (ask.leaving && ask.inventory[*ask.leaving].cluster == facts.cluster()) {
    leaving_ = facts.PositionOf(*ask.leaving);
    --machines_;
    const std::uint32_t by = evaluation.refused_by(*leaving_);
    if (by < policy.trait_validators) --refused[by];
  }
  const bool sets_aside = ConcernsAny(ask);
  const bool ranks = RanksOwnRacks(ask);
  if (sets_aside) SetAside(ask, refused);
  if (sets_aside || ranks) {
    best_ = cells_->best;
    if (!evaluation.rack_parts().empty()) AddRackParts(ask, policy);
    own_summary_.Sum(*cells_, best_, shifts_);
    summary_ = &own_summary_;
  }
}

void LookedCluster::SetAside(const Ask& ask, std::span<std::uint32_t> refused) {
  sets_aside_ = true;
  own_ = evaluation_->cells();
  cells_ = &own_;
  rescanned_.assign(facts_->cells(), 0);
  const auto every_cell = [&](auto&& f) {
    for (std::uint32_t cell = 0; cell < facts_->cells(); ++cell) f(cell);
  };
  const auto set_rack_aside = [&](std::uint32_t cell) { SetRackAside(ask, cell, refused); };
  if (rules_->OfRacks(Concerns::kAll)) {
    every_cell(set_rack_aside);
  } else if (rules_->OfRacks(Concerns::kOwn)) {
    ForEachOwnCell(ask, set_rack_aside);
  }
  const auto set_aside = [&](std::uint32_t cell) { SetMachinesAside(ask, cell, refused); };
  if (leaving_) set_aside(facts_->cell_of(*leaving_));
  if (rules_->OfMachines(Concerns::kAll)) every_cell(set_aside);
  if (rules_->OfMachines(Concerns::kOwn)) ForEachOwnCell(ask, set_aside);
  if (rules_->OfMachines(Concerns::kIsolated) && evaluation_->isolated() > 0) {
    every_cell([&](std::uint32_t cell) {
      if (facts_->isolated(cell) > 0) set_aside(cell);
    });
  }
}

// Whether any machine of the cluster may have to be set aside.
bool LookedCluster::ConcernsAny(const Ask& ask) const {
  if (leaving_) return true;
  if (rules_->none()) return false;
  if (rules_->OfRacks(Concerns::kAll) || rules_->OfMachines(Concerns::kAll)) return true;
  if (rules_->OfMachines(Concerns::kIsolated) && evaluation_->isolated() > 0) return true;
  if (!rules_->OfRacks(Concerns::kOwn) && !rules_->OfMachines(Concerns::kOwn)) return false;
  return HoldsOwn(ask);
}

bool LookedCluster::HoldsOwn(const Ask& ask) const {
  bool any = false;
  ask.footprint.ForEachMachine([&](MachineIndex machine) {
    any = any || ask.inventory[machine].cluster == facts_->cluster();
  });
  return any;
}

bool LookedCluster::RanksOwnRacks(const Ask& ask) const {
  if (evaluation_->rack_parts().empty()) return false;
  return rules_->Rank(Concerns::kAll) || (rules_->Rank(Concerns::kOwn) && HoldsOwn(ask));
}

template <typename F>
void LookedCluster::ForEachOwnCell(const Ask& ask, F&& f) const {
  ask.footprint.ForEachMachine([&](MachineIndex machine) {
    if (ask.inventory[machine].cluster == facts_->cluster()) {
      f(facts_->cell_of(facts_->PositionOf(machine)));
    }
  });
}

void LookedCluster::SetRackAside(const Ask& ask, std::uint32_t cell,
                                 std::span<std::uint32_t> refused) {
  if (own_.valid[cell] == 0) return;
  const Candidate any = facts_->At(ask.inventory, facts_->begin(cell));
  for (const ServiceRules::Concerned& concerned : rules_->racks()) {
    if (concerned.rule->IsValid(ask, any)) continue;
    refused[concerned.index] += own_.valid[cell];
    // The one not to go back to is not counted at all.
    if (leaving_ && facts_->cell_of(*leaving_) == cell && evaluation_->key(*leaving_) != kNoKey) {
      --refused[concerned.index];
    }
    own_.Empty(cell, shifts_.size());
    return;
  }
}

void LookedCluster::SetMachinesAside(const Ask& ask, std::uint32_t cell,
                                     std::span<std::uint32_t> refused) {
  if (own_.valid[cell] == 0 || rescanned_[cell] != 0) return;
  rescanned_[cell] = 1;
  // The best may go, and then those matter that were surely worse.
  evaluation_->MakeCertain(ask.inventory, *facts_, cell);
  own_.Empty(cell, shifts_.size());
  for (std::uint32_t p = facts_->begin(cell); p < facts_->end(cell); ++p) {
    if (evaluation_->key(p) == kNoKey) continue;
    if (Allowed(ask, p, refused)) own_.Add(cell, evaluation_->key(p), shifts_);
  }
}

bool LookedCluster::MakeCertain(const Ask& ask, MachineIndex machine) {
  const std::uint32_t position = facts_->PositionOf(machine);
  if (!evaluation_->IsVague(position)) return false;
  evaluation_->MakeCertain(ask.inventory, *facts_, facts_->cell_of(position));
  return true;
}

bool LookedCluster::Allowed(const Ask& ask, std::uint32_t position,
                            std::span<std::uint32_t> refused) const {
  if (position == leaving_) return false;
  const Candidate machine = facts_->At(ask.inventory, position);
  for (const ServiceRules::Concerned& concerned : rules_->machines()) {
    if (concerned.rule->IsValid(ask, machine)) continue;
    if (!refused.empty()) ++refused[concerned.index];
    return false;
  }
  return true;
}

void LookedCluster::AddRackParts(const Ask& ask, const AllocatePolicy& policy) {
  with_racks_.resize(facts_->cells());
  const std::span<const std::uint64_t> parts = evaluation_->rack_parts();
  for (std::uint32_t cell = 0; cell < with_racks_.size(); ++cell) {
    const std::uint64_t best = cells_->best[cell];
    with_racks_[cell] = best == kNoKey ? kNoKey : best | parts[cell];
  }
  // Those that depend on the service were kept as for a service that is nowhere.
  const auto again = [&](std::uint32_t cell) {
    if (cells_->best[cell] == kNoKey) return;
    const Candidate any = facts_->At(ask.inventory, facts_->begin(cell));
    with_racks_[cell] = cells_->best[cell];
    for (const RankedPreference& preference : policy.KeptPreferences()) {
      if (preference.rack != nullptr) with_racks_[cell] |= preference.KeyPart(ask, any);
    }
  };
  for (const RankedPreference& preference : policy.KeptPreferences()) {
    if (preference.rack == nullptr || preference.rack->depends_on() == DependsOn::kTraits) continue;
    const Concerns concerns = preference.rack->concerns(ask);
    if (concerns == Concerns::kOwn) ForEachOwnCell(ask, again);
    if (concerns == Concerns::kAll) {
      for (std::uint32_t cell = 0; cell < with_racks_.size(); ++cell) again(cell);
    }
  }
  best_ = with_racks_;
}

}  // namespace berth
