#include "allocate/points.h"
#include "allocate/rules/builtin.h"

namespace berth {
namespace {

// Spreads a service further than it demands, as long as nothing more important is lost.
class FewestOfServiceInRack final : public RackPreference {
 public:
  std::string_view name() const override { return "fewest_of_service_in_rack"; }
  std::string_view summary() const override {
    return "racks that hold the smallest share of the service first";
  }
  DependsOn depends_on() const override { return DependsOn::kServiceRack; }
  Concerns concerns(const Ask& ask) const override {
    return ask.footprint.empty() ? Concerns::kNone : Concerns::kOwn;
  }

  std::uint32_t Points(const Ask& ask, const RackCandidate& rack) const override {
    return ShareInPoints(ask.footprint.InRack(rack.index), ask.service.InstanceCount());
  }
};

}  // namespace

std::unique_ptr<Rule> NewFewestOfServiceInRack(Fields& /*options*/) {
  return std::make_unique<FewestOfServiceInRack>();
}

}  // namespace berth
