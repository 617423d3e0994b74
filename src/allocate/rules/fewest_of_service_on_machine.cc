#include "allocate/points.h"
#include "allocate/rules/builtin.h"

namespace berth {
namespace {

class FewestOfServiceOnMachine final : public Preference {
 public:
  std::string_view name() const override { return "fewest_of_service_on_machine"; }
  std::string_view summary() const override {
    return "machines that hold the smallest share of the service first";
  }
  DependsOn depends_on() const override { return DependsOn::kServiceMachine; }
  Concerns concerns(const Ask& ask) const override {
    return ask.footprint.empty() ? Concerns::kNone : Concerns::kOwn;
  }

  std::uint32_t Points(const Ask& ask, const Candidate& machine) const override {
    return ShareInPoints(ask.footprint.OnMachine(machine.index), ask.service.InstanceCount());
  }
};

}  // namespace

std::unique_ptr<Rule> NewFewestOfServiceOnMachine(Fields& /*options*/) {
  return std::make_unique<FewestOfServiceOnMachine>();
}

}  // namespace berth
