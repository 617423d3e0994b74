// Policies, as the fleet reads them: what reads can be put, and stretches capacity without
// overflow.
#include <string>

#include "berth/check.h"
#include "fleet/judge.h"
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth;  // NOLINT(google-build-using-namespace): one function.
  const std::string text(data, data + size);
  const Result<FleetSettings> settings = ParseFleetSettings(text);
  Inventory inventory;
  ChangeSet change;
  change.operations.emplace_back(Put{PolicyText{text}});
  const Judgement judgement = Judge(inventory, change, Time());
  BERTH_CHECK(settings.ok() == !judgement.violation);
  if (!settings.ok()) {
    BERTH_CHECK(settings.status().message().starts_with("policy:"));
    return 0;
  }
  inventory.Apply({.revision = Revision{1}, .at = {}, .updates = judgement.updates});
  BERTH_CHECK(inventory.settings() == settings.value());
  Resources most;
  for (const Resource r : kAllResources) most[r] = kAmountMax;
  BERTH_CHECK(most.FitsIn(settings.value().Usable(most)));
  BERTH_CHECK(!settings.value().classes.empty());
  return 0;
}
