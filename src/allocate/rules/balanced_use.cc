#include "allocate/rules/builtin.h"
#include "allocate/rules/room_left.h"

namespace berth {
namespace {

// A machine that runs out of one resource strands what it has left of the other.
class BalancedUse final : public Preference {
 public:
  std::string_view name() const override { return "balanced_use"; }
  std::string_view summary() const override {
    return "machines left with the most even shares of cpu and memory first";
  }
  TraitSet reads() const override { return {Trait::kLimit}; }

  std::uint32_t Points(const Ask& ask, const Candidate& machine) const override {
    const std::uint32_t cpu = ShareLeft(ask, machine, Resource::kCpu);
    const std::uint32_t memory = ShareLeft(ask, machine, Resource::kMemory);
    return std::max(cpu, memory) - std::min(cpu, memory);
  }
};

}  // namespace

std::unique_ptr<Rule> NewBalancedUse(Fields& /*options*/) {
  return std::make_unique<BalancedUse>();
}

}  // namespace berth
