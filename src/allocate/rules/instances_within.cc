#include <fmt/format.h>

#include "allocate/rules/builtin.h"

namespace berth {
namespace {

class InstancesWithin final : public Validator {
 public:
  explicit InstancesWithin(std::uint32_t most) : most_(most) {}

  std::string_view name() const override { return "instances_within"; }
  std::string_view summary() const override {
    return "a machine holds no more than so many instances";
  }

  bool IsValid(const Ask& /*ask*/, const Candidate& machine) const override {
    return machine.state.instances.size() < most_;
  }
  std::string Lacks(const Ask& /*ask*/, const Candidate& machine) const override {
    return fmt::format("holds {} instances already, at most {} may", machine.state.instances.size(),
                       most_);
  }
  Cure CureFor(const Ask& /*ask*/, const Candidate& /*machine*/) const override {
    return Cure::kMoreMachines;
  }

 private:
  std::uint32_t most_;
};

}  // namespace

std::unique_ptr<Rule> NewInstancesWithin(Fields& options) {
  constexpr std::uint32_t kAsMostNodesOfKubernetes = 110;
  return std::make_unique<InstancesWithin>(options.Integer<std::uint32_t>(
      "most", {.min = 1, .max = 1'000'000}, kAsMostNodesOfKubernetes));
}

}  // namespace berth
