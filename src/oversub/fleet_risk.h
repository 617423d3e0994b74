// The risk of every machine of a fleet, in bounded memory: all keep their headrooms and draws, only
// those touched last keep their profiles. Which ones changes what an answer costs, never the
// answer.
#pragma once

#include <cstdint>
#include <vector>

#include "oversub/machine_risk.h"

namespace berth {

struct FleetRiskOptions {
  std::uint32_t repetitions = 100;
  // About 340 KB each with 100 tenants and 100 repetitions: 87 MB.
  std::size_t profiles_max = 256;
};

class FleetRisk {
 public:
  // The library outlives it.
  FleetRisk(const TraceLibrary& library, const FleetRiskOptions& options)
      : library_(&library), options_(options) {}

  // Machines are numbered as they come, from 0.
  std::size_t AddMachine(const Thresholds& thresholds);
  std::size_t machine_count() const { return machines_.size(); }
  const MachineRisk& machine(std::size_t index) const { return machines_[index]; }

  // To the time at which the changes and questions that follow take place. A machine that is not
  // due costs next to nothing.
  void Advance(std::size_t machine, Step now);
  void Insert(std::size_t machine, const HostedTenant& tenant);
  void Remove(std::size_t machine, std::uint64_t key);
  void Observe(std::size_t machine, std::uint64_t key, const Demand& seen);
  // Uses a profile if there is one, but none is made for it.
  Risk Score(std::size_t machine, const Newcomer& newcomer);

  std::size_t profile_count() const { return profiles_.size(); }
  std::size_t bytes() const;

 private:
  struct KeptProfile {
    std::size_t machine = 0;
    std::uint64_t touched = 0;
    MachineProfile profile;
  };
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // The machine's profile, null if it has none.
  MachineProfile* Find(std::size_t machine);
  // The same, made if it has none, in the place of the one touched longest ago.
  MachineProfile* Touch(std::size_t machine);

  const TraceLibrary* library_;
  FleetRiskOptions options_;
  std::vector<MachineRisk> machines_;
  std::vector<std::uint32_t> profile_of_;  // By machine, in profiles_; or kNone.
  std::vector<KeptProfile> profiles_;
  std::uint64_t touches_ = 0;
};

}  // namespace berth
