#include "oversub/future_load.h"

#include <fmt/format.h>

#include <algorithm>

#include "berth/check.h"

namespace berth {
namespace {

// Slacks stay within this of zero, and a need below it again, so no lane overflows.
constexpr std::int64_t kSlackMax = std::int64_t{1} << 30;
static_assert(kDemandMax < kSlackMax && 2 * kSlackMax <= std::int64_t{INT32_MAX} + 1);

// The last whole amount that is below the threshold.
std::int32_t LastBelow(Load threshold) {
  const auto whole = static_cast<std::int64_t>(threshold);
  const auto unit = static_cast<std::int64_t>(kLoadUnit);
  return static_cast<std::int32_t>((whole + unit - 1) / unit - 1);
}

}  // namespace

Result<FutureLoad> FutureLoad::Build(const BalanceProblem& problem, const TraceLibrary& library,
                                     Step now, std::uint32_t repetitions) {
  BERTH_CHECK(repetitions > 0);
  FutureLoad load;
  load.repetitions_ = repetitions;
  load.stride_ = (repetitions + kLanes - 1) / kLanes * kLanes;
  load.DrawNeeds(problem, library, now);

  load.slacks_.resize(problem.machines.size() * kDemandResourceCount * load.stride_);
  load.violations_.resize(problem.machines.size());
  load.least_slack_.resize(problem.machines.size());
  Lane* slack = load.slacks_.data();
  for (const BalanceMachine& machine : problem.machines) {
    const Thresholds thresholds = ThresholdsOf(machine.capacity, problem.threshold_thousandths);
    for (const DemandResource r : kAllDemandResources) {
      slack = std::fill_n(slack, load.stride_, LastBelow(thresholds[r]));
    }
  }
  for (std::uint32_t i = 0; i < problem.machines.size(); ++i) load.Summarise(i);
  for (std::uint32_t i = 0; i < problem.replicas.size(); ++i) {
    const std::uint32_t machine = problem.replicas[i].machine;
    if (machine == kNowhere) continue;
    if (!load.Admits(i, machine)) {
      return Status(Code::kInvalidArgument,
                    fmt::format("What the replicas of machine {} may need is over {} of a resource",
                                machine, kSlackMax));
    }
    load.Change(machine, i, 1);
  }
  return load;
}

void FutureLoad::DrawNeeds(const BalanceProblem& problem, const TraceLibrary& library, Step now) {
  needs_.assign(problem.replicas.size() * kDemandResourceCount * stride_, 0);
  greatest_need_.resize(problem.replicas.size());
  for (std::size_t i = 0; i < problem.replicas.size(); ++i) {
    const HostedTenant& tenant = problem.replicas[i].tenant;
    Lane* const needs = needs_.data() + i * kDemandResourceCount * stride_;
    for (std::uint32_t repetition = 0; repetition < repetitions_; ++repetition) {
      const DemandCurve curve = CurveOf(library, tenant, library.Draw(tenant, now, repetition));
      for (const DemandResource r : kAllDemandResources) {
        const auto need = static_cast<Lane>(curve.Maximum(r) / kLoadUnit);
        needs[static_cast<std::size_t>(r) * stride_ + repetition] = need;
        greatest_need_[i][r] = std::max(greatest_need_[i][r], need);
      }
    }
  }
}

FutureLoad::Lanes FutureLoad::SlacksOf(std::uint32_t machine) const {
  const std::size_t size = kDemandResourceCount * stride_;
  return {slacks_.data() + machine * size, size};
}

FutureLoad::Lanes FutureLoad::NeedsOf(std::uint32_t replica) const {
  const std::size_t size = kDemandResourceCount * stride_;
  return {needs_.data() + replica * size, size};
}

bool FutureLoad::Admits(std::uint32_t replica, std::uint32_t to) const {
  return std::ranges::all_of(kAllDemandResources, [&](DemandResource r) {
    return std::int64_t{least_slack_[to][r]} - greatest_need_[replica][r] > -kSlackMax;
  });
}

std::uint32_t FutureLoad::Count(std::uint32_t machine, std::uint32_t replica, int sign) const {
  const Lane* const slack = SlacksOf(machine).data();
  const Lane* const need = NeedsOf(replica).data();
  std::uint32_t counts[kLanes] = {};
  for (std::size_t begin = 0; begin < stride_; begin += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t i = begin + lane;
      // Negative as soon as one of them is.
      const Lane any = (slack[i] - sign * need[i]) |
                       (slack[i + stride_] - sign * need[i + stride_]) |
                       (slack[i + 2 * stride_] - sign * need[i + 2 * stride_]);
      counts[lane] += static_cast<std::uint32_t>(any) >> 31;
    }
  }
  std::uint32_t count = 0;
  for (const std::uint32_t lane : counts) count += lane;
  return count;
}

std::uint64_t FutureLoad::ViolationsWith(std::uint32_t replica, std::uint32_t from,
                                         std::uint32_t to) const {
  std::uint64_t violations = violations_in_all_;
  if (from == to) return violations;
  // Who leaves a machine without violations leaves none, and where the worst fits all do.
  if (from != kNowhere && violations_[from] > 0) {
    violations -= violations_[from] - Count(from, replica, -1);
  }
  if (to == kNowhere) return violations;
  const bool all_fit = std::ranges::all_of(kAllDemandResources, [&](DemandResource r) {
    return least_slack_[to][r] >= greatest_need_[replica][r];
  });
  return all_fit ? violations : violations + Count(to, replica, 1) - violations_[to];
}

void FutureLoad::Move(std::uint32_t replica, std::uint32_t from, std::uint32_t to) {
  if (from == to) return;
  if (from != kNowhere) Change(from, replica, -1);
  if (to != kNowhere) Change(to, replica, 1);
}

void FutureLoad::Change(std::uint32_t machine, std::uint32_t replica, int sign) {
  const Lanes need = NeedsOf(replica);
  Lane* const slack = slacks_.data() + machine * need.size();
  for (std::size_t i = 0; i < need.size(); ++i) slack[i] -= sign * need[i];
  Summarise(machine);
}

void FutureLoad::Summarise(std::uint32_t machine) {
  const Lanes slack = SlacksOf(machine);
  std::uint32_t violations = 0;
  for (std::size_t i = 0; i < repetitions_; ++i) {
    const Lane any = slack[i] | slack[i + stride_] | slack[i + 2 * stride_];
    violations += static_cast<std::uint32_t>(any) >> 31;
  }
  violations_in_all_ += violations;
  violations_in_all_ -= violations_[machine];
  violations_[machine] = violations;
  for (const DemandResource r : kAllDemandResources) {
    const Lanes of_resource = slack.subspan(static_cast<std::size_t>(r) * stride_, repetitions_);
    least_slack_[machine][r] = *std::ranges::min_element(of_resource);
  }
}

}  // namespace berth
