// Fleet files: what reads is taken by the validator, and what is written reads back the same.
#include <algorithm>
#include <string>

#include "berth/check.h"
#include "fleet/fleet_file.h"
#include "fleet/judge.h"
#include "fuzz/target.h"

namespace {

bool HasNumberOver(const std::string& text, std::size_t digits_max) {
  std::size_t digits = 0;
  return std::ranges::any_of(text, [&](char c) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    return digits > digits_max;
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth;  // NOLINT(google-build-using-namespace): one function.
  const std::string text(data, data + size);
  // A few bytes can ask for a million machines, and their names are kept for good.
  if (HasNumberOver(text, 4)) return 0;
  Result<FleetFile> file = ParseFleetFile(text, "fuzz");
  if (!file.ok()) {
    BERTH_CHECK(file.status().message().starts_with("fuzz:"));
    return 0;
  }
  Inventory inventory;
  for (ChangeSet change : ToChanges(file.value())) {
    change.seen = inventory.revision();
    const Judgement judgement = Judge(inventory, change, Time());
    BERTH_CHECK(!judgement.violation);
    inventory.Apply(
        {.revision = Next(inventory.revision()), .at = {}, .updates = judgement.updates});
  }
  Result<FleetFile> again = ParseFleetFile(FormatFleetFile(file.value()), "fuzz");
  BERTH_CHECK(again.ok());
  std::ranges::sort(file.value().machines, {}, &Machine::name);
  std::ranges::sort(again.value().machines, {}, &Machine::name);
  BERTH_CHECK(file.value() == again.value());
  return 0;
}
