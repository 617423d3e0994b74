// Admission control as the paper assumes it: whoever could not be given what its class promises
// without breaking a promise already made is refused. A promise is a share of the time, so it takes
// that share of the demand; all of them together must fit into the hosts that are up. Live and in
// rehearsal it is the same rule.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "berth/resources.h"
#include "qos/availability.h"

namespace berth {

// The shares of demands that were promised, or are asked for; less than nothing where less is
// asked.
class Promised {
 public:
  Promised& Add(const Resources& demand, std::uint32_t target_ppm, std::int64_t times = 1) {
    for (const Resource r : kAllResources) {
      parts_[static_cast<std::size_t>(r)] += Wide{demand[r]} * target_ppm * times;
    }
    return *this;
  }
  Promised& operator+=(const Promised& more) {
    for (std::size_t i = 0; i < kResourceCount; ++i) parts_[i] += more.parts_[i];
    return *this;
  }
  Promised& operator-=(const Promised& less) {
    for (std::size_t i = 0; i < kResourceCount; ++i) parts_[i] -= less.parts_[i];
    return *this;
  }
  // Times the target in millionths.
  Wide Parts(Resource r) const { return parts_[static_cast<std::size_t>(r)]; }

 private:
  std::array<Wide, kResourceCount> parts_{};
};

class PromiseLedger {
 public:
  void AddCapacity(const Resources& capacity) { capacity_ += capacity; }
  void RemoveCapacity(const Resources& capacity) { capacity_ -= capacity; }
  const ResourceTotals& capacity() const { return capacity_; }

  void Promise(const Promised& more) { promised_ += more; }
  void Release(const Promised& less) { promised_ -= less; }
  const Promised& promised() const { return promised_; }

  // The first resource of which so much more cannot be promised.
  std::optional<Resource> FirstTooMuch(const Promised& more) const {
    for (const Resource r : kAllResources) {
      const bool fits = promised_.Parts(r) + more.Parts(r) <= capacity_[r] * kWholePpm;
      if (more.Parts(r) > 0 && !fits) return r;
    }
    return std::nullopt;
  }

 private:
  ResourceTotals capacity_;
  Promised promised_;
};

}  // namespace berth
