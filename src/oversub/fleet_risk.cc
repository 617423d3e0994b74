#include "oversub/fleet_risk.h"

#include <algorithm>

namespace berth {

std::size_t FleetRisk::AddMachine(const Thresholds& thresholds) {
  machines_.emplace_back(*library_, thresholds, options_.repetitions);
  profile_of_.push_back(kNone);
  return machines_.size() - 1;
}

void FleetRisk::Advance(std::size_t machine, Step now) {
  machines_[machine].Advance(now, Find(machine));
}

void FleetRisk::Insert(std::size_t machine, const HostedTenant& tenant) {
  machines_[machine].Insert(tenant, Touch(machine));
}

void FleetRisk::Remove(std::size_t machine, std::uint64_t key) {
  machines_[machine].Remove(key, Touch(machine));
}

void FleetRisk::Observe(std::size_t machine, std::uint64_t key, const Demand& seen) {
  machines_[machine].Observe(key, seen, Find(machine));
}

Risk FleetRisk::Score(std::size_t machine, const Newcomer& newcomer) {
  return machines_[machine].Score(newcomer, Find(machine));
}

MachineProfile* FleetRisk::Find(std::size_t machine) {
  const std::uint32_t at = profile_of_[machine];
  return at == kNone ? nullptr : &profiles_[at].profile;
}

MachineProfile* FleetRisk::Touch(std::size_t machine) {
  if (options_.profiles_max == 0) return nullptr;
  ++touches_;
  if (profile_of_[machine] == kNone) {
    KeptProfile made{machine, touches_, machines_[machine].NewProfile()};
    if (profiles_.size() < options_.profiles_max) {
      profile_of_[machine] = static_cast<std::uint32_t>(profiles_.size());
      profiles_.push_back(std::move(made));
    } else {
      // Making a profile costs far more than looking for the oldest.
      const auto oldest = std::ranges::min_element(profiles_, {}, &KeptProfile::touched);
      profile_of_[oldest->machine] = kNone;
      profile_of_[machine] = static_cast<std::uint32_t>(oldest - profiles_.begin());
      *oldest = std::move(made);
    }
  }
  KeptProfile& kept = profiles_[profile_of_[machine]];
  kept.touched = touches_;
  return &kept.profile;
}

std::size_t FleetRisk::bytes() const {
  std::size_t bytes = profile_of_.capacity() * sizeof(std::uint32_t);
  for (const MachineRisk& machine : machines_) bytes += machine.bytes();
  for (const KeptProfile& kept : profiles_) bytes += sizeof(kept) + kept.profile.bytes();
  return bytes;
}

}  // namespace berth
