#include <algorithm>

#include "allocate/rules/builtin.h"

namespace berth {
namespace {

// Fewer tenants on a machine: fewer that disturb each other, more room for isolated ones elsewhere.
class SameTenantFirst final : public Preference {
 public:
  std::string_view name() const override { return "same_tenant_first"; }
  std::string_view summary() const override {
    return "machines that hold instances of the same tenant first";
  }
  DependsOn depends_on() const override { return DependsOn::kServiceMachine; }

  std::uint32_t Points(const Ask& ask, const Candidate& machine) const override {
    const bool there =
        std::ranges::any_of(machine.state.occupancy.tenants,
                            [&](const auto& present) { return present.first == ask.tenant; });
    return there ? 0 : kPointsMax;
  }
};

}  // namespace

std::unique_ptr<Rule> NewSameTenantFirst(Fields& /*options*/) {
  return std::make_unique<SameTenantFirst>();
}

}  // namespace berth
