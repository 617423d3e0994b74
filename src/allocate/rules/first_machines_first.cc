#include <algorithm>
#include <tuple>

#include "allocate/points.h"
#include "allocate/rules/builtin.h"

namespace berth {
namespace {

// First fit: the plainest way to pack, which others are compared with. Within a cluster; which
// cluster comes first is for cluster preferences to say.
class FirstMachinesFirst final : public Preference {
 public:
  std::string_view name() const override { return "first_machines_first"; }
  std::string_view summary() const override {
    return "machines in the order of their row, rack and name";
  }

  std::uint32_t Points(const Ask& ask, const Candidate& machine) const override {
    const std::vector<MachineIndex>& all = ask.inventory[machine.state.cluster].machines;
    const auto place = [](const Machine& m) { return std::tie(m.row, m.rack, m.name); };
    // The list is in this order.
    const auto at = std::ranges::partition_point(all, [&](MachineIndex other) {
      return place(ask.inventory[other].record) < place(machine.state.record);
    });
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(at - all.begin()) * kPointsMax /
                                      all.size());
  }
};

}  // namespace

std::unique_ptr<Rule> NewFirstMachinesFirst(Fields& /*options*/) {
  return std::make_unique<FirstMachinesFirst>();
}

}  // namespace berth
