#include "oversub/fleet_risk.h"

namespace berth {

std::size_t FleetRisk::AddMachine(const Thresholds& thresholds) {
  machines_.emplace_back(*library_, thresholds, options_.repetitions);
  if (machines_.size() <= options_.profiles_max) {
    profiles_.emplace_back();
  } else {
    profiles_.clear();
  }
  return machines_.size() - 1;
}

void FleetRisk::Advance(std::size_t machine, Step now) {
  machines_[machine].Advance(now, Find(machine));
}

void FleetRisk::Insert(std::size_t machine, const HostedTenant& tenant) {
  machines_[machine].Insert(tenant, Touch(machine));
}

void FleetRisk::InsertAll(std::size_t machine, std::span<const HostedTenant> tenants) {
  if (!profiles_.empty()) profiles_[machine].reset();
  machines_[machine].InsertAll(tenants);
}

void FleetRisk::SetThresholds(std::size_t machine, const Thresholds& thresholds) {
  machines_[machine].SetThresholds(thresholds);
}

void FleetRisk::Clear(std::size_t machine, const Thresholds& thresholds) {
  if (!profiles_.empty()) profiles_[machine].reset();
  machines_[machine] = MachineRisk(*library_, thresholds, options_.repetitions);
}

void FleetRisk::Remove(std::size_t machine, std::uint64_t key) {
  machines_[machine].Remove(key, Touch(machine));
}

void FleetRisk::Observe(std::size_t machine, const HostedTenant& seen) {
  machines_[machine].Observe(seen, Find(machine));
}

Risk FleetRisk::Score(std::size_t machine, const Newcomer& newcomer) {
  return machines_[machine].Score(newcomer, Find(machine));
}

bool FleetRisk::StaysBelow(std::size_t machine, const Newcomer& newcomer, std::uint32_t limit) {
  return machines_[machine].StaysBelow(newcomer, limit, Find(machine));
}

MachineProfile* FleetRisk::Find(std::size_t machine) {
  return profiles_.empty() ? nullptr : profiles_[machine].get();
}

MachineProfile* FleetRisk::Touch(std::size_t machine) {
  if (profiles_.empty()) return nullptr;
  std::unique_ptr<MachineProfile>& profile = profiles_[machine];
  if (profile == nullptr) {
    profile = std::make_unique<MachineProfile>(machines_[machine].NewProfile());
  }
  return profile.get();
}

std::size_t FleetRisk::bytes() const {
  std::size_t bytes = 0;
  for (const MachineRisk& machine : machines_) bytes += machine.bytes();
  for (const auto& profile : profiles_) bytes += profile == nullptr ? 0 : profile->bytes();
  return bytes;
}

}  // namespace berth
