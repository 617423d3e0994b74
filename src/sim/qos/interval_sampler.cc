#include "sim/qos/interval_sampler.h"

#include <algorithm>
#include <utility>

#include "sim/qos/rehearsal.h"

namespace berth {

IntervalSampler::IntervalSampler(const std::vector<ServiceClass>& classes, bool with_gini)
    : classes_(classes),
      with_gini_(with_gini),
      next_(kQosInterval),
      current_(classes.size()),
      values_(classes.size()) {}

void IntervalSampler::Add(std::uint32_t klass, const Delivered& delivered) {
  ClassInInterval& in_class = current_[klass];
  const double availability = Availability(delivered);
  ++in_class.active;
  in_class.fulfilled += Fulfils(delivered, classes_[klass].availability_ppm) ? 1U : 0U;
  in_class.least = std::min(in_class.least, availability);
  if (with_gini_) values_[klass].push_back(availability);
}

std::vector<ClassInInterval> IntervalSampler::Sample(const RequestTable& requests) {
  for (std::uint32_t i = 0; i < requests.size(); ++i) {
    const RequestAccount& account = requests[RequestIndex{i}];
    if (account.alive) Add(account.want.klass, account.At(next_));
  }
  for (std::size_t klass = 0; klass < values_.size(); ++klass) {
    current_[klass].gini = Gini(std::exchange(values_[klass], {}));
  }
  next_ += kQosInterval;
  any_ended_ = false;
  return std::exchange(current_, std::vector<ClassInInterval>(classes_.size()));
}

void IntervalSampler::SkipTo(Time at, std::vector<std::vector<ClassInInterval>>& intervals) {
  for (; next_ <= at; next_ += kQosInterval) intervals.emplace_back(classes_.size());
}

}  // namespace berth
