#include "allocate/rules/builtin.h"

namespace berth {
namespace {

// Others would fill them up and strand their GPUs.
class GpuMachinesLast final : public Preference {
 public:
  std::string_view name() const override { return "gpu_machines_last"; }
  std::string_view summary() const override {
    return "machines with GPUs last, for asks that want none";
  }
  TraitSet reads() const override { return {Trait::kLimit}; }

  std::uint32_t Points(const Ask& ask, const Candidate& machine) const override {
    const bool wanted = ask.traits.limit[Resource::kGpu] > 0;
    return !wanted && machine.Has(Resource::kGpu) ? kPointsMax : 0;
  }
};

}  // namespace

std::unique_ptr<Rule> NewGpuMachinesLast(Fields& /*options*/) {
  return std::make_unique<GpuMachinesLast>();
}

}  // namespace berth
