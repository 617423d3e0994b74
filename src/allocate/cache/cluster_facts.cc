#include "allocate/cache/cluster_facts.h"

namespace berth {

std::uint32_t ClusterFacts::Update(const Inventory& inventory) {
  std::uint32_t looked_at = 0;
  if (shape_ != inventory[cluster_].shape) {
    Rebuild(inventory);
    looked_at = static_cast<std::uint32_t>(size());
  } else {
    inventory.journal().ForEachSince(cluster_, journal_position_, [&](MachineIndex machine) {
      Look(inventory, PositionOf(machine));
      ++looked_at;
    });
  }
  journal_position_ = inventory.journal().position();
  return looked_at;
}

void ClusterFacts::Rebuild(const Inventory& inventory) {
  const ClusterState& cluster = inventory[cluster_];
  shape_ = cluster.shape;
  machines_ = cluster.machines;
  if (positions_.size() < inventory.machines().size()) {
    positions_.resize(inventory.machines().size());
  }
  cell_of_.clear();
  racks_.clear();
  begin_.clear();
  for (std::uint32_t position = 0; position < machines_.size(); ++position) {
    const RackIndex rack = inventory[machines_[position]].rack;
    if (racks_.empty() || racks_.back() != rack) {
      racks_.push_back(rack);
      begin_.push_back(position);
    }
    cell_of_.push_back(cells() - 1);
    positions_[berth::At(machines_[position])] = position;
  }
  begin_.push_back(static_cast<std::uint32_t>(machines_.size()));
  facts_.assign(machines_.size(), {});
  is_isolated_.assign(machines_.size(), 0);
  isolated_in_.assign(racks_.size(), 0);
  isolated_ = 0;
  for (std::uint32_t position = 0; position < machines_.size(); ++position) {
    Look(inventory, position);
  }
}

void ClusterFacts::Look(const Inventory& inventory, std::uint32_t position) {
  const MachineState& machine = inventory[machines_[position]];
  facts_[position] = FactsOf(machine, static_cast<std::uint32_t>(size()) - 1 - position);
  const std::uint8_t isolated = machine.occupancy.isolating > 0 ? 1 : 0;
  if (isolated == is_isolated_[position]) return;
  is_isolated_[position] = isolated;
  const std::uint32_t change = isolated != 0 ? 1U : ~0U;  // One more or one less.
  isolated_in_[cell_of_[position]] += change;
  isolated_ += change;
}

}  // namespace berth
