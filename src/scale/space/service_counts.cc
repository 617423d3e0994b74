#include "scale/space/service_counts.h"

#include <fmt/format.h>

#include <algorithm>

#include "scale/scaler.h"

namespace berth {
namespace {

Result<std::vector<GroupCounter>> MakeGroups(std::span<const MetricGroup> policies,
                                             const CountLimits& limits) {
  std::vector<GroupCounter> groups;
  groups.reserve(policies.size());
  for (const MetricGroup& policy : policies) {
    BERTH_TRY(GroupCounter group, GroupCounter::Make(policy, limits));
    groups.push_back(std::move(group));
  }
  return groups;
}

// Metrics are of the instances that answer; before the first does, of those to come.
std::uint32_t InstancesMeasured(const ServiceAsk& ask) {
  return ask.ready > 0 ? ask.ready : ask.starting;
}

}  // namespace

Result<ServiceCounter> ServiceCounter::Make(const ServicePolicy& policy) {
  ServiceCounter counter(policy);
  BERTH_TRY(counter.groups_, MakeGroups(policy.groups, policy.limits));
  BERTH_TRY(counter.reactive_, MakeGroups(policy.reactive, policy.limits));
  return counter;
}

ServiceCounter::Wishes ServiceCounter::WishesOf(MetricWindow& window, const ServiceAsk& ask,
                                                std::vector<std::string>& notes) {
  Wishes wishes;
  wishing_.clear();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    auto paths = groups_[g].Count(window, ask.service, InstancesMeasured(ask), notes);
    if (!paths) continue;
    GroupWish wish{.priority = groups_[g].policy().priority,
                   .window = groups_[g].WindowOf(window.steps().step)};
    wishing_.push_back(g);
    for (auto [list, path] :
         {std::pair(&wishes.mean, &paths->mean), std::pair(&wishes.lower, &paths->lower),
          std::pair(&wishes.upper, &paths->upper)}) {
      wish.counts = std::move(*path);
      list->push_back(wish);
    }
  }
  return wishes;
}

CountPath ServiceCounter::Ceiling(const CountPath& needed) const {
  CountPath ceiling(needed.size(), policy_->limits.max);
  if (policy_->behaviour == MaxBehaviour::kEnforce) return ceiling;
  const double factor = policy_->behaviour == MaxBehaviour::kBuffer ? 1 + policy_->buffer : 1;
  for (std::size_t i = 0; i < needed.size(); ++i) {
    ceiling[i] = std::max(ceiling[i], WholeReplicas(factor * needed[i]));
  }
  return ceiling;
}

ServiceCounts ServiceCounter::Count(MetricWindow& window, const ServiceAsk& ask,
                                    std::vector<std::string>& notes) {
  Wishes wishes = WishesOf(window, ask, notes);
  const std::size_t foreseen = window.steps().steps;
  const bool known = !wishes.mean.empty();
  const CountPath as_it_is(foreseen, ask.ready + ask.starting);
  needed_ = known ? policy_->rule->combine(wishes.mean) : as_it_is;
  CountBand band{.low = CountPath(foreseen, policy_->limits.min), .high = Ceiling(needed_)};
  needed_ = ClampTo(band, std::move(needed_));
  const auto within = [&](std::span<const GroupWish> list) {
    return ClampTo(band, known ? policy_->rule->combine(list) : as_it_is);
  };
  lead_ = ask.lead;
  ServiceCounts counts{.ordered = OrderedAhead(needed_, ask.steps, ask.lead),
                       .low = OrderedAhead(within(wishes.lower), ask.steps, ask.lead),
                       .high = OrderedAhead(within(wishes.upper), ask.steps, ask.lead)};
  wishes_ = std::move(wishes.mean);
  React(window, ask, band.high, counts, notes);
  for (std::size_t i = 0; i < ask.steps; ++i) {
    counts.low[i] = std::min(counts.low[i], counts.ordered[i]);
    counts.high[i] = std::max(counts.high[i], counts.ordered[i]);
  }
  return counts;
}

void ServiceCounter::React(MetricWindow& window, const ServiceAsk& ask, const CountPath& ceiling,
                           ServiceCounts& counts, std::vector<std::string>& notes) {
  reacted_steps_ = 0;
  std::uint32_t most = 0;
  for (GroupCounter& group : reactive_) {
    if (!group.Count(window, ask.service, InstancesMeasured(ask), notes)) continue;
    if (group.CountNow() <= most) continue;
    most = group.CountNow();
    reacted_why_ = group.WhyNow();
  }
  for (std::size_t i = 0; i < std::min(ask.enforced, ask.steps); ++i) {
    const std::uint32_t wanted = std::min(most, ceiling[i]);
    if (wanted <= counts.ordered[i]) break;
    counts.ordered[i] = wanted;
    reacted_steps_ = i + 1;
  }
}

std::vector<GroupCounter*> ServiceCounter::LearningGroups() {
  std::vector<GroupCounter*> learning;
  for (std::vector<GroupCounter>* groups : {&groups_, &reactive_}) {
    for (GroupCounter& group : *groups) {
      if (group.policy().calculator->kind != CalculatorKind::kLearns) continue;
      learning.push_back(&group);
    }
  }
  return learning;
}

std::string ServiceCounter::Why(std::size_t step) const {
  if (step < reacted_steps_) return fmt::format("measured: {}", reacted_why_);
  const auto from = needed_.begin() + static_cast<std::ptrdiff_t>(step);
  const auto most = std::max_element(from, from + static_cast<std::ptrdiff_t>(lead_) + 1);
  const auto at = static_cast<std::size_t>(most - needed_.begin());
  for (std::size_t w = 0; w < wishes_.size(); ++w) {
    if (wishes_[w].counts[at] == *most) return groups_[wishing_[w]].Why(at, *most);
  }
  return wishes_.empty() ? "nothing is known of it" : "its limits";
}

}  // namespace berth
