#include <fmt/format.h>

#include "allocate/rules/builtin.h"
#include "fleet/predicates.h"

namespace berth {
namespace {

class AtMostPerRack final : public Validator {
 public:
  std::string_view name() const override { return "at_most_per_rack"; }
  std::string_view summary() const override {
    return "the service's spread over racks and its limit per rack hold";
  }
  DependsOn depends_on() const override { return DependsOn::kServiceRack; }
  Concerns concerns(const Ask& ask) const override {
    return Most(ask) == kAnyNumber ? Concerns::kNone : Concerns::kOwn;
  }
  bool checked_at_commit() const override { return true; }

  bool IsValid(const Ask& ask, const Candidate& machine) const override {
    return ask.footprint.InRack(machine.state.rack) < Most(ask);
  }
  std::string Lacks(const Ask& ask, const Candidate& machine) const override {
    return fmt::format("its rack holds {} of the service already, at most {} may",
                       ask.footprint.InRack(machine.state.rack), Most(ask));
  }
  Cure CureFor(const Ask& /*ask*/, const Candidate& /*machine*/) const override {
    return Cure::kOtherRules;
  }

 private:
  static std::uint32_t Most(const Ask& ask) {
    return MaxPerRack(ask.service.constraints, ask.service.InstanceCount());
  }
};

}  // namespace

std::unique_ptr<Rule> NewAtMostPerRack(Fields& /*options*/) {
  return std::make_unique<AtMostPerRack>();
}

}  // namespace berth
