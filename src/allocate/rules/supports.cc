#include <fmt/format.h>

#include <algorithm>

#include "allocate/rules/builtin.h"
#include "fleet/predicates.h"

namespace berth {
namespace {

std::string MissingLabel(const Labels& carried, const Labels& required) {
  const auto missing = std::ranges::find_if(required, [&](const auto& label) {
    return std::ranges::find(carried, label) == carried.end();
  });
  return fmt::format("lacks label {}={}", missing->first.str(), missing->second.str());
}

class Supports final : public Validator {
 public:
  std::string_view name() const override { return "supports"; }
  std::string_view summary() const override {
    return "the machine's SKU and labels suit the type and the service";
  }
  TraitSet reads() const override { return {Trait::kNeeds}; }
  bool checked_at_commit() const override { return true; }

  bool IsValid(const Ask& ask, const Candidate& machine) const override {
    return SupportsType(machine.state.record, ask.traits.type) &&
           HasLabels(machine.state.record.labels, ask.traits.labels);
  }
  std::string Lacks(const Ask& ask, const Candidate& machine) const override {
    const Machine& record = machine.state.record;
    if (!HasLabels(record.labels, ask.traits.labels)) {
      return MissingLabel(record.labels, ask.traits.labels);
    }
    if (!HasLabels(record.labels, ask.traits.type.requires_labels)) {
      return MissingLabel(record.labels, ask.traits.type.requires_labels);
    }
    return fmt::format("is a {}, which type {} does not run on", record.sku.str(),
                       ask.traits.type.name.str());
  }
  Cure CureFor(const Ask& ask, const Candidate& machine) const override {
    return SupportsType(machine.state.record, ask.traits.type) ? Cure::kOtherRules : Cure::kNothing;
  }
};

}  // namespace

std::unique_ptr<Rule> NewSupports(Fields& /*options*/) { return std::make_unique<Supports>(); }

}  // namespace berth
