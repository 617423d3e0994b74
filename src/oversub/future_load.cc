#include "oversub/future_load.h"

#include <fmt/format.h>

#include <algorithm>

#include "berth/check.h"

namespace berth {
namespace {

// Slacks stay within this of zero, and a need below it again, so no lane overflows.
constexpr std::int64_t kSlackMax = std::int64_t{1} << 30;
static_assert(kDemandMax < kSlackMax && 2 * kSlackMax <= std::int64_t{INT32_MAX} + 1);

// The last whole amount that is below the threshold; of one that is never reached, as much as a
// lane holds.
std::int32_t LastBelow(Load threshold) {
  const auto whole = static_cast<std::int64_t>(threshold);
  const auto unit = static_cast<std::int64_t>(kLoadUnit);
  return static_cast<std::int32_t>(std::min((whole + unit - 1) / unit - 1, kSlackMax));
}

Status CheckSize(const BalanceProblem& problem, std::size_t stride) {
  const std::uint64_t rows =
      kDemandResourceCount * std::uint64_t{problem.machines.size() + problem.replicas.size()};
  if (rows == 0 || stride <= kFutureLanesMax / rows) return {};
  return Status(Code::kResourceExhausted,
                fmt::format("What {} replicas on {} machines may need is kept in at most {} "
                            "repetitions: set `repetitions` of the policy's `oversub` to that",
                            problem.replicas.size(), problem.machines.size(),
                            kFutureLanesMax / rows / kNeedLanesTogether * kNeedLanesTogether));
}

template <std::size_t kCount>
void AddLanes(std::int32_t* __restrict to, const std::int32_t* __restrict what) {
  for (std::size_t i = 0; i < kCount; ++i) to[i] += what[i];
}
template <std::size_t kCount>
void SubtractLanes(std::int32_t* __restrict from, const std::int32_t* __restrict what) {
  for (std::size_t i = 0; i < kCount; ++i) from[i] -= what[i];
}

}  // namespace

Result<FutureLoad> FutureLoad::Build(const BalanceProblem& problem, const TraceLibrary& library,
                                     Step now, std::uint32_t repetitions, KeptNeeds* kept) {
  BERTH_CHECK(repetitions > 0);
  BERTH_CHECK(kept == nullptr || kept->repetitions() == repetitions);
  FutureLoad load;
  load.repetitions_ = repetitions;
  load.stride_ = NeedLanesFor(repetitions);
  BERTH_RETURN_IF_ERROR(CheckSize(problem, load.stride_));
  load.needs_ = std::make_shared<Needs>();
  load.needs_->lanes.reserve(problem.replicas.size() * kDemandResourceCount * load.stride_);
  load.needs_->greatest.reserve(problem.replicas.size());
  for (const BalanceReplica& replica : problem.replicas) {
    load.Add(replica.tenant, library, now, kept);
  }

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
    load.Change(machine, i, true);
  }
  return load;
}

void FutureLoad::Add(const HostedTenant& tenant, const TraceLibrary& library, Step now,
                     KeptNeeds* kept) {
  if (needs_.use_count() > 1) needs_ = std::make_shared<Needs>(*needs_);
  auto& [lanes, greatest] = *needs_;
  if (kept != nullptr) {
    const TenantNeeds& needs = kept->Of(tenant, now);
    lanes.insert(lanes.end(), needs.lanes.begin(), needs.lanes.end());
    greatest.push_back(needs.greatest);
    return;
  }
  std::vector<TraceIndex> drawn(repetitions_);
  library.DrawAll(tenant, now, drawn);
  const std::size_t begin = lanes.size();
  lanes.resize(begin + kDemandResourceCount * stride_, 0);
  greatest.push_back(WriteNeeds(library, tenant, drawn, std::span(lanes).subspan(begin)));
}

FutureLoad::Lanes FutureLoad::SlacksOf(std::uint32_t machine) const {
  const std::size_t size = kDemandResourceCount * stride_;
  return {slacks_.data() + machine * size, size};
}

FutureLoad::Lanes FutureLoad::NeedsOf(std::uint32_t replica) const {
  const std::size_t size = kDemandResourceCount * stride_;
  return {needs_->lanes.data() + replica * size, size};
}

void FutureLoad::Prefetch(std::uint32_t replica) const {
  constexpr std::size_t kLanesPerCacheLine = 64 / sizeof(Lane);
  const Lanes needs = NeedsOf(replica);
  for (std::size_t i = 0; i < needs.size(); i += kLanesPerCacheLine) {
    __builtin_prefetch(needs.data() + i);
  }
}

bool FutureLoad::Admits(std::uint32_t replica, std::uint32_t to) const {
  return std::ranges::all_of(kAllDemandResources, [&](DemandResource r) {
    return std::int64_t{least_slack_[to][r]} - GreatestNeedOf(replica)[r] > -kSlackMax;
  });
}

template <typename LaneAt>
std::uint32_t FutureLoad::CountNegative(const LaneAt& lane_at) const {
  const std::size_t stride = stride_;
  std::uint32_t counts[kLanes] = {};
  for (std::size_t begin = 0; begin < stride; begin += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t i = begin + lane;
      // Its sign is set as soon as one of theirs is.
      const Lane any = lane_at(i) | lane_at(i + stride) | lane_at(i + 2 * stride);
      counts[lane] += static_cast<std::uint32_t>(any) >> 31;
    }
  }
  std::uint32_t count = 0;
  for (const std::uint32_t lane : counts) count += lane;
  return count;
}

std::uint32_t FutureLoad::CountWith(std::uint32_t machine, std::uint32_t replica) const {
  return CountNegative([slack = SlacksOf(machine).data(), need = NeedsOf(replica).data()](
                           std::size_t i) { return slack[i] - need[i]; });
}

std::uint32_t FutureLoad::CountWithout(std::uint32_t machine, std::uint32_t replica) const {
  return CountNegative([slack = SlacksOf(machine).data(), need = NeedsOf(replica).data()](
                           std::size_t i) { return slack[i] + need[i]; });
}

std::uint64_t FutureLoad::ViolationsWith(std::uint32_t replica, std::uint32_t from,
                                         std::uint32_t to) const {
  std::uint64_t violations = violations_in_all_;
  if (from == to) return violations;
  // Who leaves a machine without violations leaves none, and where the worst fits all do.
  if (from != kNowhere && violations_[from] > 0) {
    violations -= violations_[from] - CountWithout(from, replica);
  }
  if (to == kNowhere) return violations;
  const bool all_fit = std::ranges::all_of(kAllDemandResources, [&](DemandResource r) {
    return least_slack_[to][r] >= GreatestNeedOf(replica)[r];
  });
  return all_fit ? violations : violations + CountWith(to, replica) - violations_[to];
}

void FutureLoad::Move(std::uint32_t replica, std::uint32_t from, std::uint32_t to) {
  if (from == to) return;
  if (from != kNowhere) Change(from, replica, false);
  if (to != kNowhere) Change(to, replica, true);
}

void FutureLoad::Change(std::uint32_t machine, std::uint32_t replica, bool comes) {
  const Lane* const need = NeedsOf(replica).data();
  const std::size_t size = kDemandResourceCount * stride_;
  Lane* const slack = slacks_.data() + machine * size;
  for (std::size_t begin = 0; begin < size; begin += kLanes) {
    comes ? SubtractLanes<kLanes>(slack + begin, need + begin)
          : AddLanes<kLanes>(slack + begin, need + begin);
  }
  Summarise(machine);
}

void FutureLoad::Summarise(std::uint32_t machine) {
  const Lane* const slack = SlacksOf(machine).data();
  const std::uint32_t violations = CountNegative([slack](std::size_t i) { return slack[i]; });
  violations_in_all_ += violations;
  violations_in_all_ -= violations_[machine];
  violations_[machine] = violations;
  for (const DemandResource r : kAllDemandResources) {
    const Lane* const of_resource = slack + static_cast<std::size_t>(r) * stride_;
    Lane least[kLanes];
    std::copy_n(of_resource, kLanes, least);
    for (std::size_t begin = kLanes; begin < stride_; begin += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const Lane other = of_resource[begin + lane];
        least[lane] = other < least[lane] ? other : least[lane];
      }
    }
    least_slack_[machine][r] = *std::ranges::min_element(least);
  }
}

}  // namespace berth
