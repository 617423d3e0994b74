#include <fmt/format.h>

#include "allocate/rules/builtin.h"
#include "fleet/predicates.h"

namespace berth {
namespace {

class AtMostPerUpdateDomain final : public Validator {
 public:
  std::string_view name() const override { return "at_most_per_update_domain"; }
  std::string_view summary() const override {
    return "the service's limit per update domain holds";
  }
  DependsOn depends_on() const override { return DependsOn::kServiceMachine; }
  Concerns concerns(const Ask& ask) const override {
    // A domain has machines in many racks, those without an instance of the service among them.
    return Most(ask) == kAnyNumber || ask.footprint.empty() ? Concerns::kNone : Concerns::kAll;
  }
  bool checked_at_commit() const override { return true; }

  bool IsValid(const Ask& ask, const Candidate& machine) const override {
    return InDomain(ask, machine) < Most(ask);
  }
  std::string Lacks(const Ask& ask, const Candidate& machine) const override {
    return fmt::format("its update domain holds {} of the service already, at most {} may",
                       InDomain(ask, machine), Most(ask));
  }
  Cure CureFor(const Ask& /*ask*/, const Candidate& /*machine*/) const override {
    return Cure::kOtherRules;
  }

 private:
  static std::uint32_t Most(const Ask& ask) { return MaxPerUpdateDomain(ask.service.constraints); }
  static std::uint32_t InDomain(const Ask& ask, const Candidate& machine) {
    return ask.footprint.InUpdateDomain(machine.state.record.update_domain);
  }
};

}  // namespace

std::unique_ptr<Rule> NewAtMostPerUpdateDomain(Fields& /*options*/) {
  return std::make_unique<AtMostPerUpdateDomain>();
}

}  // namespace berth
