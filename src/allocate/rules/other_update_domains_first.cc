#include "allocate/points.h"
#include "allocate/rules/builtin.h"

namespace berth {
namespace {

// Machines of one update domain go down for an update together.
class OtherUpdateDomainsFirst final : public Preference {
 public:
  std::string_view name() const override { return "other_update_domains_first"; }
  std::string_view summary() const override {
    return "machines in update domains that hold the smallest share of the service first";
  }
  DependsOn depends_on() const override { return DependsOn::kServiceMachine; }
  Concerns concerns(const Ask& ask) const override {
    return ask.footprint.empty() ? Concerns::kNone : Concerns::kAll;
  }

  std::uint32_t Points(const Ask& ask, const Candidate& machine) const override {
    return ShareInPoints(ask.footprint.InUpdateDomain(machine.state.record.update_domain),
                         ask.service.InstanceCount());
  }
};

}  // namespace

std::unique_ptr<Rule> NewOtherUpdateDomainsFirst(Fields& /*options*/) {
  return std::make_unique<OtherUpdateDomainsFirst>();
}

}  // namespace berth
