#include "allocate/rules/acceptable_risk.h"
#include "allocate/rules/builtin.h"

namespace berth {
namespace {

// Keeps each cluster's least loaded machines free for when no other stays below theta (Algorithm
// 3): large instances would find no room on machines that are all loaded alike. It stands after
// violation_probability, with the same theta: where nothing stays below it, none is held out.
class HeldOutMachines final : public Preference {
 public:
  explicit HeldOutMachines(std::uint32_t theta) : theta_(theta) {}

  std::string_view name() const override { return "held_out_machines"; }
  std::string_view summary() const override {
    return "each cluster's least loaded machines last, while others remain below theta";
  }
  TraitSet reads() const override {
    return {Trait::kType, Trait::kRole, Trait::kLimit, Trait::kEpoch};
  }

  std::uint32_t Points(const Ask& ask, const Candidate& machine) const override {
    if (ask.outlook == nullptr || !ask.outlook->IsHeldOut(machine.index)) return 0;
    return ask.outlook->StaysBelow(ask.traits, machine.index, theta_) ? kPointsMax : 0;
  }

 private:
  std::uint32_t theta_;
};

}  // namespace

std::unique_ptr<Rule> NewHeldOutMachines(Fields& options) {
  return std::make_unique<HeldOutMachines>(ReadTheta(options));
}

}  // namespace berth
