#include <algorithm>

#include "allocate/evict.h"
#include "allocate/points.h"
#include "allocate/rules/builtin.h"

namespace berth {
namespace {

constexpr std::uint32_t kCountedMax = 100;

// Every eviction interrupts someone: machines with free room first, then those where few must go.
class FewestEvictions final : public Preference {
 public:
  std::string_view name() const override { return "fewest_evictions"; }
  std::string_view summary() const override {
    return "machines where the fewest low-priority instances must go first";
  }
  TraitSet reads() const override { return {Trait::kLimit}; }

  std::uint32_t Points(const Ask& ask, const Candidate& machine) const override {
    if (machine.HasRoom(ask.traits.limit)) return 0;
    const auto victims = ChooseVictims(ask.inventory, machine.state, ask.traits.limit).size();
    return static_cast<std::uint32_t>(std::min<std::size_t>(victims, kCountedMax)) *
           (kPointsMax / kCountedMax);
  }
};

}  // namespace

std::unique_ptr<Rule> NewFewestEvictions(Fields& /*options*/) {
  return std::make_unique<FewestEvictions>();
}

}  // namespace berth
