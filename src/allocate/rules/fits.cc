#include <fmt/format.h>

#include <algorithm>

#include "allocate/evict.h"
#include "allocate/rules/builtin.h"
#include "fleet/predicates.h"

namespace berth {
namespace {

class Fits final : public Validator {
 public:
  explicit Fits(bool evicting) : evicting_(evicting) {}

  std::string_view name() const override { return "fits"; }
  std::string_view summary() const override {
    return "every resource has room, over-subscription included";
  }
  TraitSet reads() const override {
    return evicting_ ? TraitSet{Trait::kLimit, Trait::kClass} : TraitSet{Trait::kLimit};
  }
  bool checked_at_commit() const override { return true; }

  bool IsValid(const Ask& ask, const Candidate& machine) const override {
    if (machine.HasRoom(ask.traits.limit)) return true;
    return machine.state.occupancy.evictable > 0 && ask.traits.limit.FitsIn(Room(ask, machine));
  }
  std::string Lacks(const Ask& ask, const Candidate& machine) const override {
    const Resources free = Room(ask, machine);
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

 private:
  // What is free, and what would be if all who yield to the ask went.
  Resources Room(const Ask& ask, const Candidate& machine) const {
    const Resources free = machine.state.Free();
    if (!evicting_ || ask.traits.klass.evictable) return free;
    return free + EvictableRoom(ask.inventory, machine.state);
  }

  bool evicting_;
};

}  // namespace

std::unique_ptr<Rule> NewFits(Fields& options) {
  return std::make_unique<Fits>(options.Bool("evicting", false));
}

}  // namespace berth
