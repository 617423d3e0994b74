#include "fleet/settings.h"

#include <algorithm>

namespace berth {

Resources FleetSettings::Usable(const Resources& capacity) const {
  Resources usable;
  for (const Resource r : kAllResources) {
    const std::int64_t percent = oversubscription_percent[static_cast<std::size_t>(r)];
    // Split so that the product cannot overflow: capacities reach 2^52, ratios 10,000%.
    usable[r] = capacity[r] / 100 * percent + capacity[r] % 100 * percent / 100;
  }
  return usable;
}

const ServiceClass* FleetSettings::FindClass(ClassId name) const {
  const auto at = std::ranges::find(classes, name, &ServiceClass::name);
  return at == classes.end() ? nullptr : &*at;
}

FleetSettings DefaultFleetSettings() {
  using std::chrono::seconds;
  FleetSettings settings;
  settings.classes = {
      {.name = ClassId("gold"), .availability_ppm = 1'000'000, .importance = 3,
       .margin = seconds(10), .overhead_cap_ppm = 0, .may_wait = false, .penalties = {}},
      {.name = ClassId("silver"), .availability_ppm = 900'000, .importance = 2,
       .margin = seconds(10), .overhead_cap_ppm = 100'000, .may_wait = true, .penalties = {}},
      {.name = ClassId("bronze"), .availability_ppm = 500'000, .importance = 1,
       .margin = seconds(10), .overhead_cap_ppm = 500'000, .may_wait = true, .penalties = {}},
  };
  return settings;
}

Result<FleetSettings> ParseFleetSettings(std::string_view) { return DefaultFleetSettings(); }

}  // namespace berth
