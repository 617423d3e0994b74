#include "allocate/cache/rule_object.h"

#include <algorithm>

#include "berth/check.h"

namespace berth {
namespace {

RuleGroup& GroupOf(std::vector<RuleGroup>& groups, TraitSet reads, int key_bits) {
  const auto known = std::ranges::find(groups, reads, &RuleGroup::reads);
  if (known != groups.end()) return *known;
  RuleGroup& group = groups.emplace_back();
  group.reads = reads;
  group.key_bits = key_bits;
  return group;
}

}  // namespace

Ask AskForNobody(const Inventory& inventory, const Traits& traits, const Outlook* outlook) {
  static const Service kNobody;
  static const Footprint kNowhere;
  return {.inventory = inventory,
          .traits = traits,
          .service = kNobody,
          .tenant = TenantIndex{},
          .footprint = kNowhere,
          .outlook = outlook};
}

std::vector<RuleGroup> GroupRules(const AllocatePolicy& policy) {
  BERTH_CHECK(policy.trait_validators < RuleObject::kNobody);
  std::vector<RuleGroup> groups;
  for (std::size_t i = 0; i < policy.trait_validators; ++i) {
    const Validator& rule = *policy.validators[i].rule;
    GroupOf(groups, rule.reads(), policy.key_bits)
        .validators.push_back({&rule, static_cast<std::uint8_t>(i)});
  }
  for (const RankedPreference& preference : policy.KeptPreferences()) {
    RuleGroup& group = GroupOf(groups, preference.rule().reads(), policy.key_bits);
    (preference.rack != nullptr ? group.rack_preferences : group.preferences)
        .push_back(&preference);
  }
  return groups;
}

std::uint32_t RuleObject::Update(const Inventory& inventory, const ClusterFacts& facts) {
  const bool reshaped = shape_ != facts.shape();
  if (!reshaped && inventory.journal().LastIn(facts.cluster()) <= journal_position_) return 0;
  const Ask ask = AskForNobody(inventory, traits_.get(), outlook_);
  std::uint32_t looked_at = 0;
  if (reshaped) {
    shape_ = facts.shape();
    if (!group_.validators.empty()) refused_by_.assign(facts.size(), kNobody);
    if (!group_.preferences.empty()) parts_.assign(facts.size(), 0);
    vague_from_.clear();
    if (!group_.rack_preferences.empty()) rack_parts_.assign(facts.cells(), 0);
    for (std::uint32_t position = 0; position < facts.size(); ++position) {
      Look(ask, facts, position);
    }
    for (std::uint32_t cell = 0; cell < rack_parts_.size(); ++cell) {
      LookAtRack(ask, facts, cell);
    }
    looked_at = static_cast<std::uint32_t>(facts.size());
  } else {
    inventory.journal().ForEachSince(facts.cluster(), journal_position_, [&](MachineIndex machine) {
      const std::uint32_t position = facts.PositionOf(machine);
      Look(ask, facts, position);
      if (!rack_parts_.empty()) LookAtRack(ask, facts, facts.cell_of(position));
      ++looked_at;
    });
  }
  journal_position_ = inventory.journal().position();
  return looked_at;
}

void RuleObject::Look(const Ask& ask, const ClusterFacts& facts, std::uint32_t position) {
  const Candidate machine = facts.At(ask.inventory, position);
  if (!refused_by_.empty()) {
    const auto refusing = std::ranges::find_if(group_.validators, [&](const auto& numbered) {
      return !numbered.rule->IsValid(ask, machine);
    });
    const bool refused = refusing != group_.validators.end();
    refused_by_[position] = refused ? refusing->number : kNobody;
    if (refused) return;  // Nobody asks how good it would be.
  }
  if (parts_.empty()) return;
  std::uint64_t part = 0;
  int vague_from = 0;
  for (const RankedPreference* preference : group_.preferences) {
    const Preference::AtLeast least = preference->machine->PointsAtLeast(ask, machine);
    part |= preference->place.Part(least.points);
    if (!least.exact) vague_from = std::max(vague_from, preference->place.shift + 1);
  }
  parts_.Set(position, part);
  if (vague_from != 0 && vague_from_.empty()) vague_from_.assign(facts.size(), 0);
  if (!vague_from_.empty()) vague_from_[position] = static_cast<std::uint8_t>(vague_from);
}

void RuleObject::MakeCertain(const Inventory& inventory, const ClusterFacts& facts,
                             std::uint32_t position) {
  if (vague_from(position) == 0) return;
  const Ask ask = AskForNobody(inventory, traits_.get(), outlook_);
  const Candidate machine = facts.At(inventory, position);
  std::uint64_t part = 0;
  for (const RankedPreference* preference : group_.preferences) {
    part |= preference->place.Part(preference->machine->Points(ask, machine));
  }
  parts_.Set(position, part);
  vague_from_[position] = 0;
}

void RuleObject::LookAtRack(const Ask& ask, const ClusterFacts& facts, std::uint32_t cell) {
  const RackIndex rack = facts.rack(cell);
  std::uint64_t part = 0;
  for (const RankedPreference* preference : group_.rack_preferences) {
    part |= preference->place.Part(preference->rack->Points(ask, {rack, ask.inventory[rack]}));
  }
  rack_parts_[cell] = part;
}

}  // namespace berth
