#include "allocate/points.h"
#include "allocate/rules/builtin.h"

namespace berth {
namespace {

constexpr std::int64_t kMostTold = 1000;  // More than so many instances are alike.

class FewestInstancesFirst final : public Preference {
 public:
  std::string_view name() const override { return "fewest_instances_first"; }
  std::string_view summary() const override {
    return "machines that hold the fewest instances first";
  }

  std::uint32_t Points(const Ask& /*ask*/, const Candidate& machine) const override {
    return ShareInPoints(std::ssize(machine.state.instances), kMostTold);
  }
};

}  // namespace

std::unique_ptr<Rule> NewFewestInstancesFirst(Fields& /*options*/) {
  return std::make_unique<FewestInstancesFirst>();
}

}  // namespace berth
