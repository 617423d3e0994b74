#include "allocate/points.h"
#include "allocate/rules/builtin.h"

namespace berth {
namespace {

// Evens out what a rack's failure takes away, and its power and its uplink.
class EmptierRacksFirst final : public RackPreference {
 public:
  std::string_view name() const override { return "emptier_racks_first"; }
  std::string_view summary() const override {
    return "racks with a larger share of free cpu first";
  }

  std::uint32_t Points(const Ask& /*ask*/, const RackCandidate& rack) const override {
    return AllocatedShare(rack.state.allocated, rack.state.capacity, Resource::kCpu);
  }
};

}  // namespace

std::unique_ptr<Rule> NewEmptierRacksFirst(Fields& /*options*/) {
  return std::make_unique<EmptierRacksFirst>();
}

}  // namespace berth
