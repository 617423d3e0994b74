#include "allocate/points.h"
#include "allocate/rules/builtin.h"

namespace berth {
namespace {

constexpr std::int64_t kMostToldMillicores = 1'000'000;  // From 1,000 cores on, all are alike.

// Keeps the large machines for asks that fit nowhere else.
class SmallerMachinesFirst final : public Preference {
 public:
  std::string_view name() const override { return "smaller_machines_first"; }
  std::string_view summary() const override { return "machines with the fewest cores first"; }

  std::uint32_t Points(const Ask& /*ask*/, const Candidate& machine) const override {
    return ShareInPoints(machine.state.record.capacity[Resource::kCpu], kMostToldMillicores);
  }
};

}  // namespace

std::unique_ptr<Rule> NewSmallerMachinesFirst(Fields& /*options*/) {
  return std::make_unique<SmallerMachinesFirst>();
}

}  // namespace berth
