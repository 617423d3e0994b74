#include "engine/policy.h"

#include "base/fields.h"
#include "engine/disruption_ledger.h"
#include "fleet/settings.h"
#include "qos/policy.h"
#include "rightsize/policy.h"
#include "scale/scaling_policy.h"

namespace berth {

Status CheckPolicy(std::string_view text, std::string file_name, const ProgramNames& programs) {
  BERTH_TRY(const Document document, ParseDocument(text, std::move(file_name)));
  Fields sections(document.root());
  sections.Text("name", "");
  sections.Optional("oversubscription");
  sections.Optional("classes");
  sections.Optional("allocate");
  sections.Optional("experiment");
  sections.Optional("oversub");
  sections.Optional("disruption");
  sections.Optional("scheduler");
  sections.Optional("rightsizing");
  sections.Optional("scaling");
  sections.Optional("applications");
  BERTH_RETURN_IF_ERROR(sections.Finish());
  BERTH_TRY(const FleetSettings settings, ReadFleetSettings(document.root()));
  BERTH_TRY(const AllocatePolicy allocate, ParseAllocatePolicy(document.root()));
  BERTH_TRY(const std::optional<Experiment> experiment, ParseExperiment(document.root()));
  BERTH_RETURN_IF_ERROR(ParseDisruptionPolicy(document.root()).status());
  BERTH_RETURN_IF_ERROR(ParseSchedulerPolicy(document.root(), settings).status());
  BERTH_RETURN_IF_ERROR(ParseRightsizingPolicy(document.root(), programs).status());
  BERTH_RETURN_IF_ERROR(ParseScalingPolicy(document.root(), programs).status());
  return ParseOversubPolicy(document.root()).status();
}

Status CheckProgramsOf(std::string_view text, const std::string& file_name,
                       const ProgramNames& programs) {
  // What else may be wrong with it is not to be told of here.
  if (!CheckPolicy(text, file_name).ok()) return {};
  return CheckPolicy(text, file_name, programs);
}

namespace {

Result<Document> DocumentInForce(const Inventory& inventory) {
  const std::string& text = inventory.policy().text;
  return ParseDocument(text.empty() ? ShippedPolicy() : std::string_view(text), "policy");
}

}  // namespace

Result<AllocatePolicy> PolicyInForce(const Inventory& inventory) {
  BERTH_TRY(const Document document, DocumentInForce(inventory));
  return ParseAllocatePolicy(document.root());
}

Result<OversubPolicy> OversubPolicyInForce(const Inventory& inventory) {
  BERTH_TRY(const Document document, DocumentInForce(inventory));
  return ParseOversubPolicy(document.root());
}

Result<std::optional<Experiment>> ExperimentInForce(const Inventory& inventory) {
  BERTH_TRY(const Document document, DocumentInForce(inventory));
  return ParseExperiment(document.root());
}

Result<AllocatePolicy> PolicyInForce(const Inventory& inventory, std::string_view service) {
  BERTH_TRY(std::optional<Experiment> experiment, ExperimentInForce(inventory));
  if (experiment && experiment->Includes(service)) return std::move(experiment->policy);
  return PolicyInForce(inventory);
}

}  // namespace berth
