#include "allocate/cache/evaluation.h"

#include <algorithm>

#include "berth/check.h"

namespace berth {
namespace {

// So many changed machines are counted one by one; more, and all cells are summed up again.
constexpr std::uint32_t kFew = 8;

}  // namespace

void Cells::Clear(std::size_t cells, std::size_t levels) {
  best.assign(cells, kNoKey);
  valid.assign(cells, 0);
  as_good.assign(cells * levels, 0);
}

void Cells::Empty(std::uint32_t cell, std::size_t levels) {
  best[cell] = kNoKey;
  valid[cell] = 0;
  std::fill_n(as_good.begin() + static_cast<std::ptrdiff_t>(cell * levels), levels, 0);
}

void Cells::Add(std::uint32_t cell, std::uint64_t key, std::span<const int> shifts) {
  ++valid[cell];
  std::uint32_t* counts = &as_good[cell * shifts.size()];
  const std::uint64_t before = best[cell];
  for (std::size_t level = 0; level < shifts.size(); ++level) {
    const std::uint64_t mine = key >> shifts[level];
    const std::uint64_t theirs = before >> shifts[level];
    if (before == kNoKey || mine < theirs) {
      counts[level] = 1;
    } else if (mine == theirs) {
      ++counts[level];
    }
  }
  best[cell] = std::min(before, key);
}

void Summary::Sum(const Cells& cells, std::span<const std::uint64_t> best_by_cell,
                  std::span<const int> shifts) {
  valid = 0;
  best = kNoKey;
  as_good.assign(shifts.size(), 0);
  for (const std::uint64_t key : best_by_cell) best = std::min(best, key);
  for (std::uint32_t cell = 0; cell < best_by_cell.size(); ++cell) {
    Count(cells, cell, best_by_cell[cell], shifts, Sign::kIn);
  }
}

void Summary::SumAgain(const Cells& cells, std::span<const std::uint64_t> best_by_cell,
                       std::span<const int> shifts, std::uint32_t changed) {
  const std::uint64_t before = best;
  const std::uint64_t now = *std::ranges::min_element(best_by_cell);
  if (before == kNoKey || now == kNoKey) return Sum(cells, best_by_cell, shifts);
  best = now;
  std::size_t first = 0;  // The first level that the two differ in.
  while (first < shifts.size() && (before ^ now) >> shifts[first] == 0) ++first;
  std::fill(as_good.begin() + static_cast<std::ptrdiff_t>(first), as_good.end(), 0);
  for (std::uint32_t cell = 0; cell < best_by_cell.size(); ++cell) {
    if (cell == changed || best_by_cell[cell] == kNoKey) continue;
    const std::uint64_t differs = best_by_cell[cell] ^ now;
    for (std::size_t level = first; level < shifts.size() && differs >> shifts[level] == 0;
         ++level) {
      as_good[level] += cells.as_good[cell * shifts.size() + level];
    }
  }
  Count(cells, changed, best_by_cell[changed], shifts, Sign::kIn);
}

void Summary::Count(const Cells& cells, std::uint32_t cell, std::uint64_t best_of_cell,
                    std::span<const int> shifts, Sign sign) {
  const auto times = static_cast<std::uint32_t>(sign);
  valid += times * cells.valid[cell];
  if (best_of_cell == kNoKey) return;
  const std::uint64_t differs = best_of_cell ^ best;
  const std::uint32_t* counts = &cells.as_good[cell * shifts.size()];
  for (std::size_t level = 0; level < shifts.size() && differs >> shifts[level] == 0; ++level) {
    as_good[level] += times * counts[level];
  }
}

CachedEvaluation::CachedEvaluation(std::vector<std::shared_ptr<RuleObject>> objects,
                                   const AllocatePolicy& policy, std::span<const int> shifts)
    : objects_(std::move(objects)),
      validators_(policy.trait_validators),
      shifts_(shifts),
      keys_(policy.key_bits) {
  BERTH_CHECK(!shifts_.empty() && validators_ < RuleObject::kNobody);
}

CachedEvaluation::Updated CachedEvaluation::Update(const Inventory& inventory,
                                                   const ClusterFacts& facts) {
  Updated updated;
  for (const auto& object : objects_) updated.answers += object->Update(inventory, facts);
  if (shape_ != facts.shape()) {
    Begin(facts);
    for (std::uint32_t position = 0; position < facts.size(); ++position) Look(facts, position);
    updated.machines = static_cast<std::uint32_t>(facts.size());
    SettleAll(inventory, facts);
    SummariseAll(facts);
  } else {
    inventory.journal().ForEachSince(facts.cluster(), journal_position_, [&](MachineIndex machine) {
      const std::uint32_t position = facts.PositionOf(machine);
      if (++updated.machines <= kFew) {
        LookAtFew(inventory, facts, position);
      } else {
        Look(facts, position);
      }
    });
    if (updated.machines > kFew) {
      SettleAll(inventory, facts);
      SummariseAll(facts);
    }
  }
  journal_position_ = inventory.journal().position();
  isolated_ = facts.isolated();
  return updated;
}

void CachedEvaluation::Begin(const ClusterFacts& facts) {
  refusers_.clear();
  parts_.clear();
  of_racks_.clear();
  for (const auto& object : objects_) {
    if (!object->refused_by().empty()) refusers_.push_back(object->refused_by().data());
    if (!object->parts().empty()) parts_.push_back(&object->parts());
    if (!object->rack_parts().empty()) of_racks_.push_back(object->rack_parts().data());
  }
  shape_ = facts.shape();
  keys_.assign(facts.size(), kNoKey);
  vague_from_.clear();
  // As if the first validator had refused all, until each is looked at.
  refused_by_.assign(facts.size(), 0);
  refused_.assign(validators_ + 1, 0);
  refused_[0] = static_cast<std::uint32_t>(facts.size());
  cells_.Clear(facts.cells(), shifts_.size());
  rack_parts_.assign(of_racks_.empty() ? 0 : facts.cells(), 0);
}

std::uint64_t CachedEvaluation::BestOf(std::uint32_t cell) const {
  const std::uint64_t key = cells_.best[cell];
  return key == kNoKey || rack_parts_.empty() ? key : key | rack_parts_[cell];
}

void CachedEvaluation::SummariseAll(const ClusterFacts& facts) {
  if (!rack_parts_.empty()) {
    best_with_racks_.resize(facts.cells());
    for (std::uint32_t cell = 0; cell < facts.cells(); ++cell)
      best_with_racks_[cell] = BestOf(cell);
  }
  summary_.Sum(cells_, best(), shifts_);
}

void CachedEvaluation::LookAtFew(const Inventory& inventory, const ClusterFacts& facts,
                                 std::uint32_t position) {
  const std::uint32_t cell = facts.cell_of(position);
  const std::uint64_t before = BestOf(cell);
  summary_.Count(cells_, cell, before, shifts_, Summary::Sign::kOut);
  Look(facts, position);
  Settle(inventory, facts, cell);
  const std::uint64_t after = BestOf(cell);
  if (!rack_parts_.empty()) best_with_racks_[cell] = after;
  const bool same_best = after >= summary_.best && (before != summary_.best || after == before ||
                                                    summary_.as_good.back() > 0);
  if (same_best) {
    summary_.Count(cells_, cell, after, shifts_, Summary::Sign::kIn);
  } else {
    summary_.SumAgain(cells_, best(), shifts_, cell);
  }
}

void CachedEvaluation::Look(const ClusterFacts& facts, std::uint32_t position) {
  if (!rack_parts_.empty()) AddRackParts(facts.cell_of(position));
  std::uint8_t first = RuleObject::kNobody;
  for (const std::uint8_t* refused_by : refusers_) first = std::min(first, refused_by[position]);
  std::uint64_t key = kNoKey;
  if (first == RuleObject::kNobody) {
    first = static_cast<std::uint8_t>(validators_);
    key = 0;
    for (const KeyColumn* parts : parts_) key |= (*parts)[position];
  }
  NoteVague(position, key != kNoKey);
  if (key != keys_[position] || first != refused_by_[position]) Set(facts, position, first, key);
}

void CachedEvaluation::NoteVague(std::uint32_t position, bool is_valid) {
  std::uint8_t vague_from = 0;
  for (const auto& object : objects_) {
    vague_from = std::max(vague_from, object->vague_from(position));
  }
  if (!is_valid) vague_from = 0;
  if (vague_from != 0 && vague_from_.empty()) vague_from_.assign(keys_.size(), 0);
  if (!vague_from_.empty()) vague_from_[position] = vague_from;
}

void CachedEvaluation::SettleAll(const Inventory& inventory, const ClusterFacts& facts) {
  for (std::uint32_t cell = 0; cell < facts.cells(); ++cell) Settle(inventory, facts, cell);
}

void CachedEvaluation::Settle(const Inventory& inventory, const ClusterFacts& facts,
                              std::uint32_t cell) {
  if (vague_from_.empty()) return;
  for (bool settled = false; !settled;) {
    settled = true;
    for (std::uint32_t position = facts.begin(cell); position < facts.end(cell); ++position) {
      if (!IsVague(position)) continue;
      const int shift = vague_from_[position] - 1;
      if (keys_[position] >> shift > cells_.best[cell] >> shift) continue;
      MakeCertainAt(inventory, facts, position);
      settled = false;  // The best may be another now.
    }
  }
}

void CachedEvaluation::MakeCertain(const Inventory& inventory, const ClusterFacts& facts,
                                   std::uint32_t cell) {
  for (std::uint32_t position = facts.begin(cell); position < facts.end(cell); ++position) {
    if (IsVague(position)) MakeCertainAt(inventory, facts, position);
  }
}

void CachedEvaluation::MakeCertainAt(const Inventory& inventory, const ClusterFacts& facts,
                                     std::uint32_t position) {
  for (const auto& object : objects_) object->MakeCertain(inventory, facts, position);
  Look(facts, position);
}

void CachedEvaluation::Set(const ClusterFacts& facts, std::uint32_t position,
                           std::uint8_t refused_by, std::uint64_t key) {
  const std::uint32_t cell = facts.cell_of(position);
  const std::uint64_t before = keys_[position];
  --refused_[refused_by_[position]];
  ++refused_[refused_by];
  refused_by_[position] = refused_by;
  keys_.Set(position, key);
  if (before != kNoKey) {
    --cells_.valid[cell];
    std::uint32_t* counts = &cells_.as_good[cell * shifts_.size()];
    const std::uint64_t best = cells_.best[cell];
    for (std::size_t level = 0; level < shifts_.size(); ++level) {
      if (before >> shifts_[level] == best >> shifts_[level]) --counts[level];
    }
    if (before == best && counts[shifts_.size() - 1] == 0) return Rescan(facts, cell);
  }
  if (key != kNoKey) cells_.Add(cell, key, shifts_);
}

void CachedEvaluation::Rescan(const ClusterFacts& facts, std::uint32_t cell) {
  cells_.Empty(cell, shifts_.size());
  for (std::uint32_t position = facts.begin(cell); position < facts.end(cell); ++position) {
    if (keys_[position] != kNoKey) cells_.Add(cell, keys_[position], shifts_);
  }
}

void CachedEvaluation::AddRackParts(std::uint32_t cell) {
  rack_parts_[cell] = 0;
  for (const std::uint64_t* part : of_racks_) rack_parts_[cell] |= part[cell];
}

std::size_t CachedEvaluation::bytes() const {
  return keys_.bytes() + vague_from_.capacity() + refused_by_.capacity() + refused_.capacity() * 4 +
         cells_.best.capacity() * 8 + (cells_.valid.capacity() + cells_.as_good.capacity()) * 4;
}

}  // namespace berth
