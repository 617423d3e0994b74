// The risk of every machine of a fleet, in bounded memory: all keep their headrooms and draws, and
// those of a small fleet their profiles. That changes what an answer costs, never the answer.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "oversub/machine_risk.h"

namespace berth {

struct FleetRiskOptions {
  std::uint32_t repetitions = 100;
  // Of a larger fleet none are kept. About 340 KB each with 100 tenants and 100 repetitions: 87 MB.
  std::size_t profiles_max = 256;
};

class FleetRisk {
 public:
  // Libraries outlive the machines that draw from them.
  FleetRisk(const TraceLibrary& library, const FleetRiskOptions& options)
      : library_(&library), options_(options) {}

  // From here on, for machines that are added or cleared; the others go on with theirs.
  void UseLibrary(const TraceLibrary& library) { library_ = &library; }
  // Machines are numbered as they come, from 0.
  std::size_t AddMachine(const Thresholds& thresholds);
  std::size_t machine_count() const { return machines_.size(); }
  const MachineRisk& machine(std::size_t index) const { return machines_[index]; }

  // To the time at which the changes and questions that follow take place. A machine that is not
  // due costs next to nothing.
  void Advance(std::size_t machine, Step now);
  void Insert(std::size_t machine, const HostedTenant& tenant);
  // The same for many, of which the machine keeps no profile.
  void InsertAll(std::size_t machine, std::span<const HostedTenant> tenants);
  void Remove(std::size_t machine, std::uint64_t key);
  void SetThresholds(std::size_t machine, const Thresholds& thresholds);
  void Observe(std::size_t machine, const HostedTenant& seen);
  // Makes questions about a machine without a profile cheaper.
  void Tighten(std::size_t machine) {
    if (profiles_.empty()) machines_[machine].Tighten();
  }
  // Uses a profile if there is one, but none is made for it.
  Risk Score(std::size_t machine, const Newcomer& newcomer);

  // The same as far as it takes to tell whether violations are fewer than `limit`.
  bool StaysBelow(std::size_t machine, const Newcomer& newcomer, std::uint32_t limit);

  // Forgets all about it.
  void Clear(std::size_t machine, const Thresholds& thresholds);

  std::size_t bytes() const;

 private:
  // The machine's profile, null if it has none.
  MachineProfile* Find(std::size_t machine);
  // The same, made if it has none and may have one.
  MachineProfile* Touch(std::size_t machine);

  const TraceLibrary* library_;
  FleetRiskOptions options_;
  std::vector<MachineRisk> machines_;
  std::vector<std::unique_ptr<MachineProfile>> profiles_;  // By machine; empty: none are kept.
};

}  // namespace berth
