#include "scale/capacity/capacity_plan.h"

#include <algorithm>

#include "berth/check.h"

namespace berth {
namespace {

constexpr std::size_t kNeighbours = 12;  // On each side of a step.

double HoursOf(Duration duration) { return static_cast<double>(duration.count()) / 3.6e9; }

bool CoversAll(const InstanceCounts& room, const InstanceCounts& wanted) {
  for (std::size_t s = 0; s < room.size(); ++s) {
    if (room[s] < wanted[s]) return false;
  }
  return true;
}

}  // namespace

CapacityPlanner::CapacityPlanner(std::vector<ServiceModel> services, std::vector<VmType> types)
    : services_(std::move(services)), types_(std::move(types)) {}

std::vector<InstanceDemand> CapacityPlanner::Demands() const {
  std::vector<InstanceDemand> demands;
  demands.reserve(services_.size());
  for (const ServiceModel& service : services_) {
    demands.push_back({.service = service.name, .need = service.need});
  }
  return demands;
}

Result<const CapacityPlanner::Candidate*> CapacityPlanner::CandidateFor(
    const InstanceCounts& instances) {
  if (const auto known = kept_.find(instances); known != kept_.end()) return known->second.get();
  std::vector<InstanceDemand> demands = Demands();
  for (std::size_t s = 0; s < demands.size(); ++s) demands[s].instances = instances[s];
  BERTH_TRY(const VmMix mix, CheapestVmMix(demands, types_));
  auto candidate = std::make_unique<Candidate>();
  candidate->instances = instances;
  candidate->vms.resize(types_.size(), 0);
  for (const VmGroup& group : mix.groups) candidate->vms[group.type] += group.count;
  candidate->hour_micros = static_cast<double>(mix.hour_micros);
  candidate->bound_micros = static_cast<double>(mix.bound_micros);
  return kept_.emplace(instances, std::move(candidate)).first->second.get();
}

Result<std::vector<const CapacityPlanner::Candidate*>> CapacityPlanner::OwnCandidates(
    const LoadForecast& forecast, double quantile) {
  std::vector<const Candidate*> own;
  own.reserve(forecast.points.size());
  for (const LoadPoint& point : forecast.points) {
    const double load = LoadQuantile(point, forecast.level, quantile);
    InstanceCounts instances;
    instances.reserve(services_.size());
    for (const ServiceModel& service : services_) {
      BERTH_TRY(const std::uint32_t count, InstancesFor(service, load));
      instances.push_back(count);
    }
    BERTH_TRY(const Candidate* candidate, CandidateFor(instances));
    own.push_back(candidate);
  }
  return own;
}

// What is paid for VMs while they boot.
double CapacityPlanner::BootMicros(const Candidate& from, const Candidate& to) const {
  double sum = 0;
  for (std::size_t t = 0; t < types_.size(); ++t) {
    if (to.vms[t] <= from.vms[t]) continue;
    sum += static_cast<double>(to.vms[t] - from.vms[t]) *
           static_cast<double>(types_[t].hour_micros) * HoursOf(types_[t].boot);
  }
  return sum;
}

std::vector<const CapacityPlanner::Candidate*> CapacityPlanner::CheapestWay(
    std::span<const Candidate* const> own, double step_hours) const {
  struct Stop {
    const Candidate* candidate = nullptr;
    double cost = 0;
    std::size_t before = 0;
  };
  std::vector<std::vector<Stop>> stops(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::size_t first = i < kNeighbours ? 0 : i - kNeighbours;
    const std::size_t last = std::min(own.size() - 1, i + kNeighbours);
    std::vector<const Candidate*> seen;
    const auto add = [&](const Candidate* candidate) {
      if (std::ranges::find(seen, candidate) != seen.end()) return;
      if (!CoversAll(candidate->instances, own[i]->instances)) return;
      seen.push_back(candidate);
      Stop stop{.candidate = candidate};
      if (i > 0) {
        const auto cost_after = [&](const Stop& before) {
          return before.cost + BootMicros(*before.candidate, *candidate);
        };
        const auto best = std::ranges::min_element(stops[i - 1], {}, cost_after);
        stop.before = static_cast<std::size_t>(best - stops[i - 1].begin());
        stop.cost = cost_after(*best);
      }
      stop.cost += candidate->hour_micros * step_hours;
      stops[i].push_back(stop);
    };
    add(own[i]);  // First: of equals it is taken.
    for (std::size_t j = first; j <= last; ++j) add(own[j]);
  }
  const auto end = std::ranges::min_element(stops.back(), {}, &Stop::cost);
  auto at = static_cast<std::size_t>(end - stops.back().begin());
  std::vector<const Candidate*> way(own.size());
  for (std::size_t i = own.size(); i-- > 0;) {
    way[i] = stops[i][at].candidate;
    at = stops[i][at].before;
  }
  return way;
}

void CapacityPlanner::AddStep(const LoadForecast& forecast, std::size_t i, const Candidate& own,
                              const Candidate& chosen, CapacityPlan& plan) const {
  PlanStep step{.at = forecast.start + forecast.step * static_cast<std::int64_t>(i),
                .load = LoadQuantile(forecast.points[i], forecast.level, plan.quantile),
                .instances = own.instances,
                .vms = chosen.vms};
  step.started.resize(types_.size(), 0);
  step.stopped.resize(types_.size(), 0);
  Duration boot{};
  bool any_starts = false;
  step.cost_micros = chosen.hour_micros * HoursOf(forecast.step);
  for (std::size_t t = 0; t < types_.size(); ++t) {
    const std::uint64_t before = plan.steps.empty() ? 0 : plan.steps.back().vms[t];
    step.started[t] = chosen.vms[t] > before ? chosen.vms[t] - before : 0;
    step.stopped[t] = before > chosen.vms[t] ? before - chosen.vms[t] : 0;
    if (step.started[t] > 0) {
      any_starts = true;
      boot = std::max(boot, types_[t].boot);
    }
    if (plan.steps.empty()) continue;
    plan.changes += step.started[t] + step.stopped[t];
    step.cost_micros += static_cast<double>(step.started[t]) *
                        static_cast<double>(types_[t].hour_micros) * HoursOf(types_[t].boot);
  }
  Duration instance_boot{};
  for (std::size_t s = 0; s < services_.size(); ++s) {
    const std::uint32_t before = plan.steps.empty() ? 0 : plan.steps.back().instances[s];
    if (own.instances[s] > before || any_starts) {
      instance_boot = std::max(instance_boot, services_[s].boot);
    }
  }
  step.order_by = step.at - boot - instance_boot;
  plan.cost_micros += step.cost_micros;
  plan.bound_micros += own.bound_micros * HoursOf(forecast.step);
  plan.steps.push_back(std::move(step));
}

Result<CapacityPlan> CapacityPlanner::Plan(const LoadForecast& forecast, double quantile) {
  BERTH_CHECK(!forecast.points.empty() && quantile > 0 && quantile < 1);
  BERTH_TRY(const auto own, OwnCandidates(forecast, quantile));
  const auto way = CheapestWay(own, HoursOf(forecast.step));
  CapacityPlan plan{.quantile = quantile, .step = forecast.step};
  plan.steps.reserve(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) AddStep(forecast, i, *own[i], *way[i], plan);
  return plan;
}

}  // namespace berth
