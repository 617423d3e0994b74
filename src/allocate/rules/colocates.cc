#include <fmt/format.h>

#include "allocate/rules/builtin.h"
#include "fleet/predicates.h"

namespace berth {
namespace {

class Colocates final : public Validator {
 public:
  std::string_view name() const override { return "colocates"; }
  std::string_view summary() const override {
    return "the service stays within its datacenter, cluster or row";
  }
  DependsOn depends_on() const override { return DependsOn::kServiceRack; }
  Concerns concerns(const Ask& ask) const override {
    const bool bound = ask.service.constraints.within != Scope::kZone && ask.footprint.anchor();
    return bound ? Concerns::kAll : Concerns::kNone;
  }
  bool checked_at_commit() const override { return true; }

  bool IsValid(const Ask& ask, const Candidate& machine) const override {
    const auto anchor = ask.footprint.anchor();
    return !anchor ||
           SameScope(ask.service.constraints.within, ask.inventory[*anchor], machine.state);
  }
  std::string Lacks(const Ask& ask, const Candidate& /*machine*/) const override {
    return fmt::format("is in another {} than the service",
                       ToString(ask.service.constraints.within));
  }
  Cure CureFor(const Ask& /*ask*/, const Candidate& /*machine*/) const override {
    return Cure::kOtherRules;
  }
};

}  // namespace

std::unique_ptr<Rule> NewColocates(Fields& /*options*/) { return std::make_unique<Colocates>(); }

}  // namespace berth
