// One cluster's machines, judged and ranked for asks alike: by every rule that goes by traits.
//
// Kept rack by rack ("cells"): the best key in each, and how many machines are as good as that
// rule by rule. So the best machines of a cluster are found by looking at its racks, rules about
// racks or services only set some of them aside, and a changed machine changes its own rack.
//
// A preference may say of a machine only that it is worse than others (Preference::PointsAtLeast).
// Its key is then the least it may be, and it is worked out when nobody in its rack is surely
// better. So what is known of a cell is always exact, and keys are where they are as good as that.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "allocate/cache/rule_object.h"

namespace berth {

// What is known of each cell. A level is a preference: machines as good as the cell's best as far
// as that preference and those before it go.
struct Cells {
  std::vector<std::uint64_t> best;     // kNoKey: no valid machine.
  std::vector<std::uint32_t> valid;    // Machines.
  std::vector<std::uint32_t> as_good;  // By cell and level.

  void Clear(std::size_t cells, std::size_t levels);
  // Forgets a cell's machines.
  void Empty(std::uint32_t cell, std::size_t levels);
  // Counts one more valid machine.
  void Add(std::uint32_t cell, std::uint64_t key, std::span<const int> shifts);
};

// The same of a whole cluster, with what preferences of racks add to the keys.
struct Summary {
  std::uint32_t valid = 0;
  std::uint64_t best = kNoKey;
  std::vector<std::uint32_t> as_good;  // By level.

  // `best` is by cell, with the racks' parts.
  void Sum(const Cells& cells, std::span<const std::uint64_t> best_by_cell,
           std::span<const int> shifts);
  // The same when all but one cell are as they were and that one is counted out: where the new best
  // is as good as the old, what was counted stays.
  void SumAgain(const Cells& cells, std::span<const std::uint64_t> best_by_cell,
                std::span<const int> shifts, std::uint32_t changed);
  // Counts a cell in whose best key is no better than ours, or out that was counted in.
  enum class Sign : std::uint32_t { kIn = 1, kOut = UINT32_MAX };  // Once more, or once less.
  void Count(const Cells& cells, std::uint32_t cell, std::uint64_t best_of_cell,
             std::span<const int> shifts, Sign sign);
};

class CachedEvaluation {
 public:
  // `shifts` are those of the levels; at least one.
  CachedEvaluation(std::vector<std::shared_ptr<RuleObject>> objects, const AllocatePolicy& policy,
                   std::span<const int> shifts);

  struct Updated {
    std::uint32_t machines = 0;  // Looked at again,
    std::uint32_t answers = 0;   // and answers of rules worked out for that.
  };
  // Brings it and its rule objects up to date. The facts are up to date.
  Updated Update(const Inventory& inventory, const ClusterFacts& facts);
  bool IsUpToDate(const Inventory& inventory, ClusterIndex cluster) const {
    return inventory.journal().LastIn(cluster) <= journal_position_;
  }

  const Cells& cells() const { return cells_; }
  // What the preferences of racks add to every key in a cell; empty: there are none.
  std::span<const std::uint64_t> rack_parts() const { return rack_parts_; }
  std::span<const int> shifts() const { return shifts_; }
  const Summary& summary() const { return summary_; }
  // By cell, with what the preferences of racks add; kNoKey: no valid machine.
  std::span<const std::uint64_t> best() const {
    return rack_parts_.empty() ? cells_.best : best_with_racks_;
  }
  // Machines, and those of them that hold instances of isolated services.
  std::uint32_t machines() const { return static_cast<std::uint32_t>(keys_.size()); }
  std::uint32_t isolated() const { return isolated_; }
  // kNoKey: refused. Of a vague one, the least that it may be.
  std::uint64_t key(std::uint32_t position) const { return keys_[position]; }
  bool IsVague(std::uint32_t position) const {
    return !vague_from_.empty() && vague_from_[position] != 0;
  }
  // Works out the keys of a cell's vague machines. It and the facts are up to date.
  void MakeCertain(const Inventory& inventory, const ClusterFacts& facts, std::uint32_t cell);
  // Machines that each validator was the first to refuse.
  std::span<const std::uint32_t> refused() const { return refused_; }
  // The first that refuses it; as many as there are: none.
  std::uint32_t refused_by(std::uint32_t position) const { return refused_by_[position]; }

  std::uint64_t used = 0;  // The number of the request that asked for it last,
  Time used_at;            // and when that was.
  std::size_t bytes() const;

 private:
  void Begin(const ClusterFacts& facts);
  void Look(const ClusterFacts& facts, std::uint32_t position);
  void NoteVague(std::uint32_t position, bool is_valid);
  void Set(const ClusterFacts& facts, std::uint32_t position, std::uint8_t refused_by,
           std::uint64_t key);
  void Rescan(const ClusterFacts& facts, std::uint32_t cell);
  void AddRackParts(std::uint32_t cell);
  // Looks at machines of a few cells, and counts only these anew.
  void LookAtFew(const Inventory& inventory, const ClusterFacts& facts, std::uint32_t position);
  // Works out keys until none that is vague may be as good as the cell's best.
  void SettleAll(const Inventory& inventory, const ClusterFacts& facts);
  void Settle(const Inventory& inventory, const ClusterFacts& facts, std::uint32_t cell);
  void MakeCertainAt(const Inventory& inventory, const ClusterFacts& facts, std::uint32_t position);
  std::uint64_t BestOf(std::uint32_t cell) const;
  void SummariseAll(const ClusterFacts& facts);

  std::vector<std::shared_ptr<RuleObject>> objects_;
  // Their answers; they stay where they are while the shape is the same.
  std::vector<const std::uint8_t*> refusers_;
  std::vector<const KeyColumn*> parts_;
  std::vector<const std::uint64_t*> of_racks_;
  std::size_t validators_;
  std::span<const int> shifts_;
  std::uint64_t shape_ = 0;
  std::uint64_t journal_position_ = 0;
  KeyColumn keys_;
  std::vector<std::uint8_t> vague_from_;  // As rule objects have it; empty: nothing was vague yet.
  std::vector<std::uint8_t> refused_by_;
  std::vector<std::uint32_t> refused_;
  std::uint32_t isolated_ = 0;
  Summary summary_;
  Cells cells_;
  std::vector<std::uint64_t> rack_parts_;
  std::vector<std::uint64_t> best_with_racks_;
};

}  // namespace berth
