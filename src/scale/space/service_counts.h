// Scale, one service: what its metric groups ask for, made one plan of counts within its limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scale/space/group_counts.h"
#include "scale/space/metric_outlook.h"
#include "scale/space/space_policy.h"

namespace berth {

struct ServiceAsk {
  std::size_t service = 0;
  std::uint32_t ready = 0;
  std::uint32_t starting = 0;
  std::size_t steps = 0;     // Of the plan; twice as many are foreseen.
  std::size_t lead = 0;      // From ordering an instance to its first answer; at most `steps`.
  std::size_t enforced = 1;  // Before the next decision; at least one.
};

struct ServiceCounts {
  CountPath ordered{};  // What is to be ordered in each step,
  CountPath low{};      // and what it would be by the bounds of what is foreseen.
  CountPath high{};
};

class ServiceCounter {
 public:
  // The policy outlives it.
  static Result<ServiceCounter> Make(const ServicePolicy& policy);

  // What is foreseen is the floor; what is measured now adds to it until the next decision. Where
  // nothing is known of a service it stays as it is.
  ServiceCounts Count(MetricWindow& window, const ServiceAsk& ask, std::vector<std::string>& notes);

  // Where the count of a step comes from, of the last Count.
  std::string Why(std::size_t step) const;

  const ServicePolicy& policy() const { return *policy_; }
  // Of its groups, then of those that react: those that learn.
  std::vector<GroupCounter*> LearningGroups();

 private:
  explicit ServiceCounter(const ServicePolicy& policy) : policy_(&policy) {}
  struct Wishes {
    std::vector<GroupWish> mean{};
    std::vector<GroupWish> lower{};
    std::vector<GroupWish> upper{};
  };
  Wishes WishesOf(MetricWindow& window, const ServiceAsk& ask, std::vector<std::string>& notes);
  CountPath Ceiling(const CountPath& needed) const;
  void React(MetricWindow& window, const ServiceAsk& ask, const CountPath& ceiling,
             ServiceCounts& counts, std::vector<std::string>& notes);

  const ServicePolicy* policy_;
  std::vector<GroupCounter> groups_;
  std::vector<GroupCounter> reactive_;
  // Of the last Count.
  CountPath needed_;
  std::vector<GroupWish> wishes_;
  std::vector<std::size_t> wishing_;  // Whose the wishes are.
  std::size_t lead_ = 0;
  std::size_t reacted_steps_ = 0;
  std::string reacted_why_;
};

}  // namespace berth
