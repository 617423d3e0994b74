// What all evaluations of a cluster share: its machines in the order of ids, rack by rack, and what
// several rules want to know of each, worked out once per change.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "allocate/ask.h"
#include "fleet/inventory.h"

namespace berth {

class ClusterFacts {
 public:
  // `positions` is shared by the clusters of an inventory: a machine's, by its index.
  ClusterFacts(ClusterIndex cluster, std::vector<std::uint32_t>& positions)
      : cluster_(cluster), positions_(positions) {}

  // Brings it up to date; how many machines that took.
  std::uint32_t Update(const Inventory& inventory);

  ClusterIndex cluster() const { return cluster_; }
  // Another number whenever positions and cells mean other machines and racks than before.
  std::uint64_t shape() const { return shape_; }

  // Machines by position.
  std::size_t size() const { return machines_.size(); }
  MachineIndex machine(std::uint32_t position) const { return machines_[position]; }
  std::uint32_t cell_of(std::uint32_t position) const { return cell_of_[position]; }
  std::uint32_t PositionOf(MachineIndex machine) const { return positions_[berth::At(machine)]; }
  Candidate At(const Inventory& inventory, std::uint32_t position) const {
    const MachineIndex index = machines_[position];
    return {index, inventory[index], &facts_[position]};
  }

  // Cells: the racks.
  std::uint32_t cells() const { return static_cast<std::uint32_t>(racks_.size()); }
  RackIndex rack(std::uint32_t cell) const { return racks_[cell]; }
  std::uint32_t begin(std::uint32_t cell) const { return begin_[cell]; }
  std::uint32_t end(std::uint32_t cell) const { return begin_[cell + 1]; }
  // How many machines in it hold instances of isolated services.
  std::uint32_t isolated(std::uint32_t cell) const { return isolated_in_[cell]; }
  std::uint32_t isolated() const { return isolated_; }

 private:
  void Rebuild(const Inventory& inventory);
  void Look(const Inventory& inventory, std::uint32_t position);

  ClusterIndex cluster_;
  std::vector<std::uint32_t>& positions_;
  std::uint64_t shape_ = 0;
  std::uint64_t journal_position_ = 0;
  std::vector<MachineIndex> machines_;
  std::vector<std::uint32_t> cell_of_;
  std::vector<Facts> facts_;
  std::vector<std::uint8_t> is_isolated_;
  std::vector<RackIndex> racks_;
  std::vector<std::uint32_t> begin_;  // One more than there are cells.
  std::vector<std::uint32_t> isolated_in_;
  std::uint32_t isolated_ = 0;
};

}  // namespace berth
