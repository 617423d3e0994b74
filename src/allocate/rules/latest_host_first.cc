#include "allocate/rules/builtin.h"
#include "allocate/rules/carried_label.h"

namespace berth {
namespace {

// Machines still to be updated are chosen last, so that fewer instances have to leave them.
class LatestHostFirst final : public Preference {
 public:
  LatestHostFirst(LabelName label, LabelName latest) : label_(label), latest_(latest) {}

  std::string_view name() const override { return "latest_host_first"; }
  std::string_view summary() const override {
    return "machines whose label says the latest host version first";
  }

  std::uint32_t Points(const Ask& /*ask*/, const Candidate& machine) const override {
    const bool known = !latest_.empty();
    return known && CarriedLabel(machine.state.record, label_) != latest_ ? kPointsMax : 0;
  }

 private:
  LabelName label_;
  LabelName latest_;  // Empty: all are alike.
};

}  // namespace

std::unique_ptr<Rule> NewLatestHostFirst(Fields& options) {
  const auto label = options.Name<LabelName>("label", LabelName("host_version"));
  const auto latest = options.Name<LabelName>("latest", LabelName());
  return std::make_unique<LatestHostFirst>(label, latest);
}

}  // namespace berth
