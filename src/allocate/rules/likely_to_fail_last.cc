#include <algorithm>
#include <cmath>

#include "allocate/rules/builtin.h"
#include "allocate/rules/carried_label.h"
#include "base/text.h"

namespace berth {
namespace {

class LikelyToFailLast final : public Preference {
 public:
  explicit LikelyToFailLast(LabelName label) : label_(label) {}

  std::string_view name() const override { return "likely_to_fail_last"; }
  std::string_view summary() const override {
    return "machines that are the less likely to fail first, by a label from 0 to 1";
  }

  std::uint32_t Points(const Ask& /*ask*/, const Candidate& machine) const override {
    const auto [risk, error] = ParseNumber(CarriedLabel(machine.state.record, label_).str());
    if (error != std::errc()) return 0;  // Nobody said that it is likely.
    return static_cast<std::uint32_t>(std::lround(std::clamp(risk, 0.0, 1.0) * kPointsMax));
  }

 private:
  LabelName label_;
};

}  // namespace

std::unique_ptr<Rule> NewLikelyToFailLast(Fields& options) {
  return std::make_unique<LikelyToFailLast>(
      options.Name<LabelName>("label", LabelName("failure_risk")));
}

}  // namespace berth
