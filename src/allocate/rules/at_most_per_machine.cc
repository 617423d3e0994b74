#include <fmt/format.h>

#include "allocate/rules/builtin.h"
#include "fleet/predicates.h"

namespace berth {
namespace {

class AtMostPerMachine final : public Validator {
 public:
  std::string_view name() const override { return "at_most_per_machine"; }
  std::string_view summary() const override { return "the service's limit per machine holds"; }
  DependsOn depends_on() const override { return DependsOn::kServiceMachine; }
  Concerns concerns(const Ask& ask) const override {
    const bool bound = MaxPerMachine(ask.service.constraints) != kAnyNumber;
    return bound ? Concerns::kOwn : Concerns::kNone;
  }
  bool checked_at_commit() const override { return true; }

  bool IsValid(const Ask& ask, const Candidate& machine) const override {
    return ask.footprint.OnMachine(machine.index) < MaxPerMachine(ask.service.constraints);
  }
  std::string Lacks(const Ask& ask, const Candidate& machine) const override {
    return fmt::format("holds {} of the service already, at most {} may",
                       ask.footprint.OnMachine(machine.index),
                       MaxPerMachine(ask.service.constraints));
  }
  Cure CureFor(const Ask& /*ask*/, const Candidate& /*machine*/) const override {
    return Cure::kOtherRules;
  }
};

}  // namespace

std::unique_ptr<Rule> NewAtMostPerMachine(Fields& /*options*/) {
  return std::make_unique<AtMostPerMachine>();
}

}  // namespace berth
