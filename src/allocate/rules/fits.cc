#include <fmt/format.h>

#include <algorithm>

#include "allocate/rules/builtin.h"
#include "fleet/predicates.h"

namespace berth {
namespace {

class Fits final : public Validator {
 public:
  std::string_view name() const override { return "fits"; }
  std::string_view summary() const override {
    return "every resource has room, over-subscription included";
  }
  TraitSet reads() const override { return {Trait::kLimit}; }
  bool checked_at_commit() const override { return true; }

  bool IsValid(const Ask& ask, const Candidate& machine) const override {
    return machine.HasRoom(ask.traits.limit);
  }
  std::string Lacks(const Ask& ask, const Candidate& machine) const override {
    const Resources free = machine.state.Free();
    std::string lacks;
    for (const Resource r : kAllResources) {
      if (ask.traits.limit[r] <= free[r]) continue;
      lacks += fmt::format("{}{} {} free, needs {}", lacks.empty() ? "" : "; ",
                           FormatAmount(r, std::max<std::int64_t>(free[r], 0)), ResourceName(r),
                           FormatAmount(r, ask.traits.limit[r]));
    }
    return lacks;
  }
  Cure CureFor(const Ask& ask, const Candidate& machine) const override {
    return ask.traits.limit.FitsIn(machine.state.usable) ? Cure::kMoreMachines : Cure::kSmallerAsk;
  }
};

}  // namespace

std::unique_ptr<Rule> NewFits(Fields& /*options*/) { return std::make_unique<Fits>(); }

}  // namespace berth
