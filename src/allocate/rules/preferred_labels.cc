#include <algorithm>

#include "allocate/points.h"
#include "allocate/rules/builtin.h"
#include "fleet/file_parts.h"

namespace berth {
namespace {

class PreferredLabels final : public Preference {
 public:
  explicit PreferredLabels(Labels labels) : labels_(std::move(labels)) {}

  std::string_view name() const override { return "preferred_labels"; }
  std::string_view summary() const override {
    return "machines that carry the most of the listed labels first";
  }

  std::uint32_t Points(const Ask& /*ask*/, const Candidate& machine) const override {
    const Labels& carried = machine.state.record.labels;
    const auto missing = std::ranges::count_if(labels_, [&](const auto& label) {
      return std::ranges::find(carried, label) == carried.end();
    });
    return ShareInPoints(missing, std::ssize(labels_));
  }

 private:
  Labels labels_;
};

}  // namespace

std::unique_ptr<Rule> NewPreferredLabels(Fields& options) {
  Result<Labels> labels = ReadLabels(options, "labels");
  options.Check(labels.status());
  return std::make_unique<PreferredLabels>(labels.ok() ? std::move(labels).value() : Labels());
}

}  // namespace berth
