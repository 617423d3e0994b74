#include "qos/waiting_kinds.h"

#include <utility>

#include "berth/check.h"

namespace berth {

std::size_t WaitingKinds::WantHash::operator()(const Want& want) const {
  std::uint64_t hash = want.klass;
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32;
  };
  for (const Resource r : kAllResources) mix(static_cast<std::uint64_t>(want.demand[r]));
  mix(want.constraint);
  mix(want.group);
  return hash;
}

void WaitingKinds::Insert(const Want& want, const WaitingEntry& entry) {
  const auto [at, added] = slot_of_.try_emplace(want, 0);
  if (added) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(slots_.size()));
      slots_.emplace_back();
    }
    at->second = free_.back();
    free_.pop_back();
    busy_.push_back(at->second);
    slots_[at->second].want = want;
    slots_[at->second].hopeless = {};
  }
  slots_[at->second].waiting.insert(entry);
}

void WaitingKinds::Erase(const Want& want, const WaitingEntry& entry) {
  const auto at = slot_of_.find(want);
  BERTH_CHECK(at != slot_of_.end());
  const std::size_t erased = slots_[at->second].waiting.erase(entry);
  BERTH_CHECK(erased == 1);
}

void WaitingKinds::LoseHope(std::uint32_t kind, Hopeless hopeless) {
  unmet_.Set(kind, slots_[kind].want, hopeless.least);
  slots_[kind].hopeless = std::move(hopeless);
}

void WaitingKinds::DropEmpty() {
  std::erase_if(busy_, [&](std::uint32_t kind) {
    if (!slots_[kind].waiting.empty()) return false;
    slot_of_.erase(slots_[kind].want);
    unmet_.Clear(kind);
    free_.push_back(kind);
    return true;
  });
}

}  // namespace berth
