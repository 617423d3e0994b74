// What every class got, interval by interval: the availability of each active request at the
// interval's end, or at its own if it ended before.
#pragma once

#include <cstdint>
#include <vector>

#include "fleet/settings.h"
#include "qos/metrics.h"
#include "qos/request_table.h"

namespace berth {

class IntervalSampler {
 public:
  IntervalSampler(const std::vector<ServiceClass>& classes, bool with_gini);

  Time NextAt() const { return next_; }
  bool AnyEnded() const { return any_ended_; }
  void Ended(std::uint32_t klass, const Delivered& delivered) {
    Add(klass, delivered);
    any_ended_ = true;
  }
  // Of the interval that ends at NextAt, by class.
  std::vector<ClassInInterval> Sample(const RequestTable& requests);
  // The intervals until then in which nobody was active.
  void SkipTo(Time at, std::vector<std::vector<ClassInInterval>>& intervals);

 private:
  void Add(std::uint32_t klass, const Delivered& delivered);

  const std::vector<ServiceClass>& classes_;
  bool with_gini_;
  Time next_;
  bool any_ended_ = false;
  std::vector<ClassInInterval> current_;
  std::vector<std::vector<double>> values_;  // Availabilities, by class.
};

}  // namespace berth
