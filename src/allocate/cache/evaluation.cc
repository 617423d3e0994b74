#include "allocate/cache/evaluation.h"

#include <algorithm>

#include "berth/check.h"

namespace berth {

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
    valid += cells.valid[cell];
    if (best_by_cell[cell] == kNoKey) continue;
    const std::uint64_t differs = best_by_cell[cell] ^ best;
    const std::uint32_t* counts = &cells.as_good[cell * shifts.size()];
    for (std::size_t level = 0; level < shifts.size() && differs >> shifts[level] == 0; ++level) {
      as_good[level] += counts[level];
    }
  }
}

CachedEvaluation::CachedEvaluation(std::vector<std::shared_ptr<RuleObject>> validators,
                                   std::vector<std::shared_ptr<RuleObject>> preferences,
                                   std::vector<std::shared_ptr<RuleObject>> rack_preferences,
                                   std::span<const int> shifts)
    : validators_(std::move(validators)),
      preferences_(std::move(preferences)),
      rack_preferences_(std::move(rack_preferences)),
      shifts_(shifts) {
  BERTH_CHECK(!shifts_.empty() && validators_.size() < UINT8_MAX);
}

CachedEvaluation::Updated CachedEvaluation::Update(const Inventory& inventory,
                                                   const ClusterFacts& facts) {
  Updated updated;
  for (const auto* objects : {&validators_, &preferences_, &rack_preferences_}) {
    for (const auto& object : *objects) updated.answers += object->Update(inventory, facts);
  }
  if (shape_ != facts.shape()) {
    refuses_.clear();
    for (const auto& object : validators_) refuses_.push_back(object->refuses());
    columns_.clear();
    for (const auto& object : preferences_) columns_.push_back({object->values(), object->shift()});
    shape_ = facts.shape();
    keys_.assign(facts.size(), kNoKey);
    // As if the first validator had refused all, until each is looked at.
    refused_by_.assign(facts.size(), 0);
    refused_.assign(validators_.size() + 1, 0);
    refused_[0] = static_cast<std::uint32_t>(facts.size());
    cells_.Clear(facts.cells(), shifts_.size());
    if (!rack_preferences_.empty()) rack_parts_.assign(facts.cells(), 0);
    for (std::uint32_t position = 0; position < facts.size(); ++position) Look(facts, position);
    updated.machines = static_cast<std::uint32_t>(facts.size());
  } else {
    inventory.journal().ForEachSince(facts.cluster(), journal_position_, [&](MachineIndex machine) {
      Look(facts, facts.PositionOf(machine));
      ++updated.machines;
    });
  }
  journal_position_ = inventory.journal().position();
  isolated_ = facts.isolated();
  Summarise(facts);
  return updated;
}

void CachedEvaluation::Summarise(const ClusterFacts& facts) {
  if (!rack_preferences_.empty()) {
    best_with_racks_.resize(facts.cells());
    for (std::uint32_t cell = 0; cell < facts.cells(); ++cell) {
      const std::uint64_t key = cells_.best[cell];
      best_with_racks_[cell] = key == kNoKey ? kNoKey : key | rack_parts_[cell];
    }
  }
  summary_.Sum(cells_, best(), shifts_);
}

void CachedEvaluation::Look(const ClusterFacts& facts, std::uint32_t position) {
  if (!rack_preferences_.empty()) AddRackParts(facts.cell_of(position));
  std::uint8_t refused_by = 0;
  while (refused_by < refuses_.size() && refuses_[refused_by][position] == 0) ++refused_by;
  std::uint64_t key = kNoKey;
  if (refused_by == refuses_.size()) {
    key = 0;
    for (const Column& column : columns_)
      key |= std::uint64_t{column.values[position]} << column.shift;
  }
  if (key != keys_[position] || refused_by != refused_by_[position]) {
    Set(facts, position, refused_by, key);
  }
}

void CachedEvaluation::Set(const ClusterFacts& facts, std::uint32_t position,
                           std::uint8_t refused_by, std::uint64_t key) {
  const std::uint32_t cell = facts.cell_of(position);
  const std::uint64_t before = keys_[position];
  --refused_[refused_by_[position]];
  ++refused_[refused_by];
  refused_by_[position] = refused_by;
  keys_[position] = key;
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
  for (const auto& object : rack_preferences_) rack_parts_[cell] |= object->part(cell);
}

std::size_t CachedEvaluation::bytes() const {
  return keys_.capacity() * 8 + refused_by_.capacity() + refused_.capacity() * 4 +
         cells_.best.capacity() * 8 + (cells_.valid.capacity() + cells_.as_good.capacity()) * 4;
}

}  // namespace berth
