#include "qos/reach_index.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace berth {

void ReachIndex::Touch(HostIndex host) {
  if (is_touched_.size() <= ToNumber(host)) is_touched_.resize(ToNumber(host) + 1, false);
  if (is_touched_[ToNumber(host)]) return;
  is_touched_[ToNumber(host)] = true;
  touched_.push_back(host);
}

std::size_t ReachIndex::LevelsOfClass() const {
  return std::max<std::size_t>(2, kColumns / scheduler_.classes().size());
}

void ReachIndex::Set(std::size_t host, std::size_t column, std::size_t r, float amount) {
  const float before =
      std::exchange(described_as_[DescribedAt(host) + column * kCompared.size() + r], amount);
  if (before == amount) return;
  const std::size_t block = host / kBlock;
  float* hosts = amounts_.data() + HostsAt(block, column, r);
  hosts[host % kBlock] = amount;
  float& most = most_[BlocksAt(column, r) + block];
  if (amount >= most) {
    most = amount;
  } else if (before == most) {
    most = *std::max_element(hosts, hosts + kBlock);
  }
}

void ReachIndex::Note(std::size_t column, HostIndex host, const Resources& amount) {
  for (std::size_t r = 0; r < kCompared.size(); ++r) {
    const auto value = static_cast<float>(amount[kCompared[r]]);
    Set(ToNumber(host), column, r, value);
    largest_[r] = std::max(largest_[r], std::abs(value));
  }
}

void ReachIndex::Describe(HostIndex host) {
  Note(0, host, scheduler_.host(host).free);
  for (std::size_t klass = 0; klass < levels_.size(); ++klass) {
    const std::span<const RunningEntry> running = victims_.Running(host, klass);
    std::size_t column = 1 + klass * LevelsOfClass();
    Resources held;
    auto next = running.begin();
    for (const Wide level : levels_[klass]) {
      for (; next != running.end() && next->key >= level; ++next) held += next->demand;
      Note(column++, host, held);
    }
    Note(column, host, victims_.Held(host, klass));
  }
}

// Levels at quantiles of the keys of a sample of hosts, the first above all of them, closer
// together near the top: who waits has as much leeway as few of those that run.
void ReachIndex::ChooseLevels() {
  constexpr std::size_t kSampledHosts = 512;
  const std::size_t hosts = scheduler_.hosts();
  const std::size_t levels = LevelsOfClass() - 1;
  const std::size_t step = std::max<std::size_t>(1, hosts / kSampledHosts);
  levels_.assign(scheduler_.classes().size(), {});
  for (std::size_t klass = 0; klass < levels_.size(); ++klass) {
    std::vector<Wide> keys;
    for (std::size_t i = 0; i < hosts; i += step) {
      for (const RunningEntry& entry :
           victims_.Running(HostIndex{static_cast<std::uint32_t>(i)}, klass))
        keys.push_back(entry.key);
    }
    std::ranges::sort(keys, std::greater<>());
    if (keys.empty()) continue;
    levels_[klass].push_back(keys.front() + 1);
    for (std::size_t i = 1; i < levels; ++i)
      levels_[klass].push_back(keys[keys.size() * i * i / (levels * levels)]);
  }
}

void ReachIndex::CatchUp() {
  constexpr std::size_t kDescribedMax = 4;  // A host, on average.
  const std::size_t hosts = scheduler_.hosts();
  const auto whole = [](std::size_t entries) { return (entries + kBlock - 1) / kBlock; };
  if (blocks_ != whole(hosts) || described_ + touched_.size() > kDescribedMax * hosts) {
    ChooseLevels();
    blocks_ = whole(hosts);
    blocks_in_most_ = whole(blocks_) * kBlock;
    amounts_.assign(HostsAt(blocks_, 0, 0), 0);
    most_.assign(BlocksAt(Columns(), 0), 0);
    described_as_.assign(DescribedAt(blocks_ * kBlock), 0);
    for (std::uint32_t i = 0; i < hosts; ++i) Describe(HostIndex{i});
    described_ = 0;
  } else {
    for (const HostIndex host : touched_) Describe(host);
    described_ += touched_.size();
  }
  for (const HostIndex host : touched_) is_touched_[ToNumber(host)] = false;
  touched_.clear();
}

std::size_t ReachIndex::ColumnFor(std::size_t klass, Wide least) const {
  const auto at = std::ranges::lower_bound(levels_[klass], least, std::greater<>());
  return 1 + klass * LevelsOfClass() + static_cast<std::size_t>(at - levels_[klass].begin());
}

template <typename At>
ReachIndex::BlockMarks ReachIndex::Mark(const std::array<float, 2>& needed, const At& at) const {
  std::array<float, kBlock> spare{};  // Of the scarcer, against what is needed.
  for (std::size_t r = 0; r < kCompared.size(); ++r) {
    std::array<float, kBlock> room{};
    for (const std::size_t column : asked_) {
      const float* amounts = at(column, r);
      for (std::size_t i = 0; i < kBlock; ++i) room[i] += amounts[i];
    }
    for (std::size_t i = 0; i < kBlock; ++i) {
      const float left = room[i] - needed[r];
      spare[i] = r == 0 || left < spare[i] ? left : spare[i];
    }
  }
  BlockMarks marks{};
  for (std::size_t i = 0; i < kBlock; ++i) marks[i] = spare[i] >= 0;
  return marks;
}

void ReachIndex::Fetch(std::size_t block) const {
  for (const std::size_t column : asked_) {
    for (std::size_t r = 0; r < kCompared.size(); ++r)
      __builtin_prefetch(amounts_.data() + HostsAt(block, column, r));
  }
}

void ReachIndex::NoteHosts(std::size_t block, const std::array<float, 2>& needed) {
  const BlockMarks hosts = Mark(needed, [&](std::size_t column, std::size_t r) {
    return amounts_.data() + HostsAt(block, column, r);
  });
  for (std::size_t i = 0; i < kBlock; ++i) {
    if (hosts[i] != 0) found_.push_back(HostIndex{static_cast<std::uint32_t>(block * kBlock + i)});
  }
}

std::span<const HostIndex> ReachIndex::Find(const Resources& demand, std::span<const Wide> least) {
  CatchUp();
  asked_ = {0};
  for (std::size_t klass = 0; klass < least.size(); ++klass)
    asked_.push_back(ColumnFor(klass, least[klass]));
  std::array<float, 2> needed{};
  for (std::size_t r = 0; r < kCompared.size(); ++r)
    needed[r] = static_cast<float>(demand[kCompared[r]]) - kRounding * largest_[r];
  found_.clear();
  for (std::size_t first = 0; first < blocks_; first += kBlock) {
    const BlockMarks blocks = Mark(needed, [&](std::size_t column, std::size_t r) {
      return most_.data() + BlocksAt(column, r) + first;
    });
    const std::size_t end = std::min(kBlock, blocks_ - first);
    // They lie far apart: while one is looked at, the others come nearer.
    for (std::size_t i = 0; i < end; ++i) {
      if (blocks[i] != 0) Fetch(first + i);
    }
    for (std::size_t i = 0; i < end; ++i) {
      if (blocks[i] != 0) NoteHosts(first + i, needed);
    }
  }
  // The last block may be longer than there are hosts.
  while (!found_.empty() && ToNumber(found_.back()) >= scheduler_.hosts()) found_.pop_back();
  return found_;
}

}  // namespace berth
