// What preemption could free on every host, roughly, and never too little: per class a few levels
// of running keys, and per level what those at or above it hold of each host. Of every few hosts,
// a block, the most that any of them holds is kept as well: where even that is too little, none of
// them is looked at. Of the blocks a level lies in order, as all of them are asked; of hosts the
// levels of a block do, as a host is described in all of them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "qos/victim_index.h"

namespace berth {

class ReachIndex {
 public:
  ReachIndex(const Scheduler& scheduler, const VictimIndex& victims)
      : scheduler_(scheduler), victims_(victims) {}

  // What runs there, or its room, is another than before.
  void Touch(HostIndex host);

  // Every host that may have room for the demand if all of every class at or above `least`, by
  // class, yield. Valid until the next call.
  std::span<const HostIndex> Find(const Resources& demand, std::span<const Wide> least);

 private:
  static constexpr std::array<Resource, 2> kCompared = {Resource::kCpu, Resource::kMemory};
  static constexpr std::size_t kColumns = 96;  // Shared out among the classes.
  static constexpr std::size_t kBlock = 16;    // Hosts at a time: a line of a processor's cache.
  // Of the largest amount seen: more than single precision may lose in adding up the classes.
  static constexpr float kRounding = 1e-5F;

  using BlockMarks = std::array<std::uint8_t, kBlock>;

  void CatchUp();
  void ChooseLevels();
  void Describe(HostIndex host);
  void Note(std::size_t column, HostIndex host, const Resources& amount);
  std::size_t LevelsOfClass() const;
  // The column of the lowest level that leaves nobody at or above `least` out.
  std::size_t ColumnFor(std::size_t klass, Wide least) const;
  std::size_t Columns() const { return 1 + scheduler_.classes().size() * LevelsOfClass(); }
  // Where a block's hosts begin in `amounts_`, and every block in `most_`.
  std::size_t HostsAt(std::size_t block, std::size_t column, std::size_t r) const {
    return ((block * Columns() + column) * kCompared.size() + r) * kBlock;
  }
  std::size_t BlocksAt(std::size_t column, std::size_t r) const {
    return (column * kCompared.size() + r) * blocks_in_most_;
  }
  std::size_t DescribedAt(std::size_t host) const { return host * Columns() * kCompared.size(); }
  void Set(std::size_t host, std::size_t column, std::size_t r, float amount);
  // Which of kBlock entries, that `at` finds the first of by column and resource, add up to what is
  // needed.
  template <typename At>
  BlockMarks Mark(const std::array<float, 2>& needed, const At& at) const;
  void Fetch(std::size_t block) const;
  void NoteHosts(std::size_t block, const std::array<float, 2>& needed);

  const Scheduler& scheduler_;
  const VictimIndex& victims_;
  std::vector<std::vector<Wide>> levels_;  // By class, falling; below the last is everybody.
  // By column, of which the first is the free room and then by class. Both end with a whole block.
  std::vector<float> amounts_;  // Of hosts,
  std::vector<float> most_;     // and the most of a block's.
  // The amounts again, of one host after the other: most stay when one is described anew.
  std::vector<float> described_as_;
  std::size_t blocks_in_most_ = 0;
  std::array<float, 2> largest_{};
  std::vector<HostIndex> touched_;
  std::vector<bool> is_touched_;
  std::size_t described_ = 0;       // Since the levels were chosen.
  std::vector<std::size_t> asked_;  // Columns of the present call.
  std::size_t blocks_ = 0;          // Of hosts.
  std::vector<HostIndex> found_;
};

}  // namespace berth
