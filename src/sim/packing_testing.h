// For tests: arrivals listed by hand, and a rehearsal of them.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/packing.h"

namespace berth::testing {

class ListTrace final : public Trace {
 public:
  explicit ListTrace(std::vector<Arrival> arrivals) : arrivals_(std::move(arrivals)) {}
  Result<std::optional<Arrival>> Next() override {
    if (next_ == arrivals_.size()) return std::optional<Arrival>();
    return std::optional<Arrival>(arrivals_[next_++]);
  }
  std::vector<InstanceType> Types() const override { return {}; }
  TraceNotes Notes() const override { return {}; }

 private:
  std::vector<Arrival> arrivals_;
  std::size_t next_ = 0;
};

inline Arrival At(std::int64_t second, std::string name, std::string_view type,
                  std::optional<std::int64_t> stays_s) {
  Arrival arrival;
  arrival.at = Time(std::chrono::seconds(second));
  arrival.service.name = std::move(name);
  arrival.service.tenant = TenantId("t");
  arrival.service.klass = ClassId("gold");
  arrival.service.groups = {{.type = TypeId(type), .role = RoleId(), .count = 1}};
  if (stays_s) arrival.lifetime = std::chrono::seconds(*stays_s);
  return arrival;
}

inline PackingResult Rehearse(std::string_view fleet_text, const std::vector<Arrival>& arrivals,
                              const PackingOptions& options) {
  ListTrace trace(arrivals);
  const Result<FleetFile> fleet = ParseFleetFile(fleet_text, "fleet");
  EXPECT_TRUE(fleet.ok()) << fleet.status().message();
  Result<PackingResult> result = SimulatePacking(fleet.value(), trace, options, nullptr);
  EXPECT_TRUE(result.ok()) << result.status().message();
  return std::move(result).value();
}

}  // namespace berth::testing
