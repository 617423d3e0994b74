#include "allocate/rules/builtin.h"

namespace berth {
namespace {

// Keeps machines empty as long as possible: to be switched off, or for whoever needs all of one.
class NonemptyMachinesFirst final : public Preference {
 public:
  std::string_view name() const override { return "nonempty_machines_first"; }
  std::string_view summary() const override { return "machines that hold instances already first"; }

  std::uint32_t Points(const Ask& /*ask*/, const Candidate& machine) const override {
    return machine.state.instances.empty() ? kPointsMax : 0;
  }
};

}  // namespace

std::unique_ptr<Rule> NewNonemptyMachinesFirst(Fields& /*options*/) {
  return std::make_unique<NonemptyMachinesFirst>();
}

}  // namespace berth
