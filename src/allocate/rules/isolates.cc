#include "allocate/rules/builtin.h"
#include "fleet/predicates.h"

namespace berth {
namespace {

class Isolates final : public Validator {
 public:
  std::string_view name() const override { return "isolates"; }
  std::string_view summary() const override {
    return "isolated tenants share no machine with others, both ways";
  }
  DependsOn depends_on() const override { return DependsOn::kServiceMachine; }
  Concerns concerns(const Ask& ask) const override {
    return ask.service.constraints.isolate ? Concerns::kAll : Concerns::kIsolated;
  }
  bool checked_at_commit() const override { return true; }

  bool IsValid(const Ask& ask, const Candidate& machine) const override {
    return MayJoin(machine.state.occupancy, ask.tenant, ask.service.constraints.isolate);
  }
  std::string Lacks(const Ask& ask, const Candidate& /*machine*/) const override {
    return ask.service.constraints.isolate ? "holds instances of another tenant"
                                           : "is kept by an isolated tenant";
  }
  Cure CureFor(const Ask& ask, const Candidate& /*machine*/) const override {
    return ask.service.constraints.isolate ? Cure::kOtherRules : Cure::kMoreMachines;
  }
};

}  // namespace

std::unique_ptr<Rule> NewIsolates(Fields& /*options*/) { return std::make_unique<Isolates>(); }

}  // namespace berth
