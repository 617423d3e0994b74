// The best plans of a search, kept for those of the kind that come next and have as much leeway.
// They stay as good as they were, but for hosts that were touched since.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "qos/preemption_search.h"

namespace berth {

class KeptPlans {
 public:
  // Of takers with this key, the best first. With `all` no other host will do; else none is better.
  void Keep(Wide key, std::vector<Plan> plans, bool all, std::uint64_t since) {
    key_ = key;
    bar_ = all || plans.empty() ? std::nullopt : std::optional(plans.back());
    plans_ = std::move(plans);
    std::ranges::reverse(plans_);
    since_ = since;
  }
  void Clear() { plans_.clear(); }

  bool AnyFor(Wide key) const { return !plans_.empty() && key_ == key; }
  // The number of the first touch that they do not know of.
  std::uint64_t since() const { return since_; }
  void SetSince(std::uint64_t since) { since_ = since; }
  // What a plan must be better than to matter; null: any does.
  const Plan* bar() const { return bar_ ? &*bar_ : nullptr; }

  // The plan for a host that was touched, if there is one now.
  void Renew(HostIndex host, std::optional<Plan> plan) {
    std::erase_if(plans_, [&](const Plan& kept) { return kept.host == host; });
    if (!plan || (bar_ && !plan->IsBetterThan(*bar_))) return;
    const auto worse = [](const Plan& a, const Plan& b) { return b.IsBetterThan(a); };
    plans_.insert(std::ranges::upper_bound(plans_, *plan, worse), std::move(*plan));
  }
  std::optional<Plan> Best() const {
    return plans_.empty() ? std::nullopt : std::optional(plans_.back());
  }

 private:
  Wide key_ = 0;
  std::vector<Plan> plans_;  // The best last.
  std::optional<Plan> bar_;
  std::uint64_t since_ = 0;
};

}  // namespace berth
