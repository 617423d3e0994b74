// Admission control as the paper assumes it: whoever could not be given what its class promises
// without breaking a promise already made is refused. A promise is a share of the time, so it takes
// that share of the demand; all of them together must fit into the hosts that are up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "berth/resources.h"
#include "qos/availability.h"

namespace berth {

class PromiseLedger {
 public:
  void AddCapacity(const Resources& capacity) { capacity_ += capacity; }
  void RemoveCapacity(const Resources& capacity) { capacity_ -= capacity; }

  // Whether it may still be promised.
  bool Admits(const Resources& demand, std::uint32_t target_ppm) const {
    for (const Resource r : kAllResources) {
      if (demand[r] > 0 && PromisedOf(r) + Wide{demand[r]} * target_ppm > capacity_[r] * kWholePpm)
        return false;
    }
    return true;
  }
  void Promise(const Resources& demand, std::uint32_t target_ppm) { Count(demand, target_ppm, 1); }
  void Release(const Resources& demand, std::uint32_t target_ppm) { Count(demand, target_ppm, -1); }

 private:
  Wide PromisedOf(Resource r) const { return promised_[static_cast<std::size_t>(r)]; }
  void Count(const Resources& demand, std::uint32_t target_ppm, int sign) {
    for (const Resource r : kAllResources)
      promised_[static_cast<std::size_t>(r)] += sign * Wide{demand[r]} * target_ppm;
  }

  ResourceTotals capacity_;
  std::array<Wide, kResourceCount> promised_{};  // Times the target in millionths.
};

}  // namespace berth
