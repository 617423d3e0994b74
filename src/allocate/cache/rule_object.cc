#include "allocate/cache/rule_object.h"

#include "berth/check.h"

namespace berth {

std::uint32_t RuleObject::Update(const Inventory& inventory, const ClusterFacts& facts) {
  const bool reshaped = shape_ != facts.shape();
  if (!reshaped && inventory.journal().LastIn(facts.cluster()) <= journal_position_) return 0;
  const TraitsAsk ask(inventory, traits_.get());
  std::uint32_t looked_at = 0;
  if (reshaped) {
    shape_ = facts.shape();
    const bool of_racks = preference_ != nullptr && preference_->rack != nullptr;
    if (validator_ != nullptr) refuses_.assign(facts.size(), 0);
    if (preference_ != nullptr) values_.assign(of_racks ? facts.cells() : facts.size(), 0);
    for (std::uint32_t position = 0; position < facts.size(); ++position) {
      // One machine of each rack is enough.
      if (of_racks && position != facts.begin(facts.cell_of(position))) continue;
      Look(ask.get(), facts, position);
    }
    looked_at = static_cast<std::uint32_t>(facts.size());
  } else {
    inventory.journal().ForEachSince(facts.cluster(), journal_position_, [&](MachineIndex machine) {
      Look(ask.get(), facts, facts.PositionOf(machine));
      ++looked_at;
    });
  }
  journal_position_ = inventory.journal().position();
  return looked_at;
}

void RuleObject::Look(const Ask& ask, const ClusterFacts& facts, std::uint32_t position) {
  const Candidate machine = facts.At(ask.inventory, position);
  if (validator_ != nullptr) {
    refuses_[position] = validator_->IsValid(ask, machine) ? 0 : 1;
    return;
  }
  BERTH_CHECK(preference_ != nullptr);
  if (preference_->machine != nullptr) {
    values_[position] = preference_->place.Value(preference_->machine->Points(ask, machine));
    return;
  }
  const RackIndex rack = machine.state.rack;
  const std::uint32_t points = preference_->rack->Points(ask, {rack, ask.inventory[rack]});
  values_[facts.cell_of(position)] = preference_->place.Value(points);
}

}  // namespace berth
