// How many instances and which VMs a forecast takes, when to order them, and what it costs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "berth/status.h"
#include "scale/capacity/load_forecast.h"
#include "scale/capacity/service_model.h"
#include "scale/capacity/vm_filling.h"
#include "scale/capacity/vm_mix.h"

namespace berth {

struct PlanStep {
  Time at{};
  double load = 0;                   // The quantile planned for.
  InstanceCounts instances{};        // By service.
  std::vector<std::uint64_t> vms{};  // By type.
  std::vector<std::uint64_t> started{};
  std::vector<std::uint64_t> stopped{};
  // When to order what starts here, so that VMs, and then the instances on them, have booted.
  Time order_by{};
  double cost_micros = 0;  // Of the step, and of the boots before it.
};

struct CapacityPlan {
  double quantile = 0;
  Duration step{};
  std::vector<PlanStep> steps{};
  double cost_micros = 0;
  double bound_micros = 0;    // No plan for these instances is cheaper.
  std::uint64_t changes = 0;  // VMs started and stopped after the first step.
};

// Plans for quantiles of one forecast. Mixes that were worked out are kept: many steps and
// quantiles take the same instances.
class CapacityPlanner {
 public:
  CapacityPlanner(std::vector<ServiceModel> services, std::vector<VmType> types);

  // VMs are paid from when they are ordered. For each step the cheapest mix of its own and those of
  // the steps around it are looked at, and of all ways through them the cheapest is taken: a VM
  // is not exchanged where booting another costs more than is saved.
  Result<CapacityPlan> Plan(const LoadForecast& forecast, double quantile);

  std::span<const ServiceModel> services() const { return services_; }
  std::span<const VmType> types() const { return types_; }
  // What each service's instances need; without a number of them.
  std::vector<InstanceDemand> Demands() const;

 private:
  struct Candidate {
    InstanceCounts instances{};
    std::vector<std::uint64_t> vms{};
    double hour_micros = 0;
    double bound_micros = 0;
  };

  Result<const Candidate*> CandidateFor(const InstanceCounts& instances);
  Result<std::vector<const Candidate*>> OwnCandidates(const LoadForecast& forecast,
                                                      double quantile);
  double BootMicros(const Candidate& from, const Candidate& to) const;
  std::vector<const Candidate*> CheapestWay(std::span<const Candidate* const> own,
                                            double step_hours) const;
  void AddStep(const LoadForecast& forecast, std::size_t i, const Candidate& own,
               const Candidate& chosen, CapacityPlan& plan) const;

  std::vector<ServiceModel> services_;
  std::vector<VmType> types_;
  std::map<InstanceCounts, std::unique_ptr<const Candidate>> kept_;
};

}  // namespace berth
