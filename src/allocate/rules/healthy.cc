#include <fmt/format.h>

#include "allocate/rules/builtin.h"
#include "fleet/predicates.h"

namespace berth {
namespace {

class Healthy final : public Validator {
 public:
  std::string_view name() const override { return "healthy"; }
  std::string_view summary() const override { return "the machine is ready"; }
  bool checked_at_commit() const override { return true; }

  bool IsValid(const Ask& /*ask*/, const Candidate& machine) const override {
    return TakesPlacements(machine.state.record.health);
  }
  std::string Lacks(const Ask& /*ask*/, const Candidate& machine) const override {
    return fmt::format("is {}", ToString(machine.state.record.health));
  }
  Cure CureFor(const Ask& /*ask*/, const Candidate& /*machine*/) const override {
    return Cure::kMoreMachines;
  }
};

}  // namespace

std::unique_ptr<Rule> NewHealthy(Fields& /*options*/) { return std::make_unique<Healthy>(); }

}  // namespace berth
