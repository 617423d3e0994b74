// The best few plans among those shown, each of another host.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "qos/preemption_search.h"

namespace berth {

class BestPlans {
 public:
  explicit BestPlans(std::size_t wanted) : wanted_(wanted) {}

  bool empty() const { return plans_.empty(); }
  bool full() const { return plans_.size() == wanted_; }
  // What another must be better than; null while any will do.
  const Plan* bar() const { return full() ? &plans_.back() : nullptr; }

  // Whether it is among the best.
  bool Keep(std::optional<Plan> plan) {
    if (!plan || (full() && !plan->IsBetterThan(plans_.back()))) return false;
    if (full()) plans_.pop_back();
    const auto better = [](const Plan& a, const Plan& b) { return a.IsBetterThan(b); };
    plans_.insert(std::ranges::upper_bound(plans_, *plan, better), std::move(*plan));
    return true;
  }

  // The best first.
  std::vector<Plan> Take() && { return std::move(plans_); }

 private:
  std::size_t wanted_;
  std::vector<Plan> plans_;
};

}  // namespace berth
