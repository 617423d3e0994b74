// What preemption could free on every host, roughly, and never too little: per class a few levels
// of running keys, and per level what those at or above it hold of each host. The levels lie one
// after the other, so that asking all hosts at once reads memory in order and divides nothing. Of
// every few hosts the most that any of them holds is kept as well: where even that is too little,
// none of them is looked at.
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
  struct Column {
    std::vector<float> amounts;  // By host,
    std::vector<float> most;     // and by block, of its hosts. Both end with a whole block.

    void Set(std::size_t host, float amount);
  };

  void CatchUp();
  void ChooseLevels();
  void Describe(HostIndex host);
  void Note(std::size_t column, HostIndex host, const Resources& amount);
  std::size_t LevelsOfClass() const;
  // The column of the lowest level that leaves nobody at or above `least` out.
  std::size_t ColumnFor(std::size_t klass, Wide least) const;
  // Which of the block's entries, of hosts or of blocks, add up to what is needed.
  template <std::vector<float> Column::*of>
  BlockMarks Mark(std::size_t block, const std::array<float, 2>& needed) const;

  const Scheduler& scheduler_;
  const VictimIndex& victims_;
  std::vector<std::vector<Wide>> levels_;       // By class, falling; below the last is everybody.
  std::array<std::vector<Column>, 2> columns_;  // The first is the free room, then by class.
  std::array<float, 2> largest_{};
  std::vector<HostIndex> touched_;
  std::vector<bool> is_touched_;
  std::size_t described_ = 0;       // Since the levels were chosen.
  std::vector<std::size_t> asked_;  // Columns of the present call.
  std::size_t blocks_ = 0;          // Of hosts.
  std::vector<HostIndex> found_;
};

}  // namespace berth
