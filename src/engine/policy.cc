#include "engine/policy.h"

#include "allocate/policy.h"
#include "base/fields.h"
#include "fleet/settings.h"

namespace berth {

Status CheckPolicy(std::string_view text, std::string file_name) {
  BERTH_TRY(const Document document, ParseDocument(text, std::move(file_name)));
  Fields sections(document.root());
  sections.Text("name", "");
  sections.Optional("oversubscription");
  sections.Optional("classes");
  sections.Optional("allocate");
  BERTH_RETURN_IF_ERROR(sections.Finish());
  BERTH_TRY(const FleetSettings settings, ParseFleetSettings(text));
  BERTH_TRY(const AllocatePolicy allocate, ParseAllocatePolicy(document.root()));
  return {};
}

Result<AllocatePolicy> PolicyInForce(const Inventory& inventory) {
  const std::string_view text =
      inventory.policy().text.empty() ? ShippedPolicy() : std::string_view(inventory.policy().text);
  BERTH_TRY(const Document document, ParseDocument(text, "policy"));
  return ParseAllocatePolicy(document.root());
}

}  // namespace berth
