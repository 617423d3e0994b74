#include <algorithm>

#include "allocate/rules/builtin.h"

namespace berth {
namespace {

// Holds the last machines of every cluster for asks that take more than half of one: scattered
// small instances would leave room for none of these anywhere.
class HeldForWholeLast final : public Preference {
 public:
  explicit HeldForWholeLast(std::uint32_t per_cluster) : per_cluster_(per_cluster) {}

  std::string_view name() const override { return "held_for_whole_last"; }
  std::string_view summary() const override {
    return "machines held for asks that take a whole one last, for all others";
  }
  TraitSet reads() const override { return {Trait::kLimit}; }

  std::uint32_t Points(const Ask& ask, const Candidate& machine) const override {
    const bool held = machine.IsAmongLast(ask.inventory, per_cluster_);
    return held && !TakesWhole(ask.traits.limit, machine.state) ? kPointsMax : 0;
  }

 private:
  static bool TakesWhole(const Resources& limit, const MachineState& machine) {
    return std::ranges::any_of(kAllResources,
                               [&](Resource r) { return limit[r] > machine.usable[r] / 2; });
  }

  std::uint32_t per_cluster_;
};

}  // namespace

std::unique_ptr<Rule> NewHeldForWholeLast(Fields& options) {
  return std::make_unique<HeldForWholeLast>(
      options.Integer<std::uint32_t>("per_cluster", {.min = 1, .max = 1'000'000}, 3));
}

}  // namespace berth
