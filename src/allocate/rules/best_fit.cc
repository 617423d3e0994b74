#include <algorithm>
#include <array>

#include "allocate/points.h"
#include "allocate/rules/builtin.h"

namespace berth {
namespace {

using Weights = std::array<std::uint32_t, kResourceCount>;

// The weighted share of a machine that would still be free: the less, the better it is filled. A
// scarcer resource gets a higher weight.
class BestFit final : public Preference {
 public:
  explicit BestFit(const Weights& weights) : weights_(weights) {}

  std::string_view name() const override { return "best_fit"; }
  std::string_view summary() const override {
    return "machines that are left with the least room first";
  }

  std::uint32_t Points(const Ask& ask, const Candidate& machine) const override {
    std::uint64_t sum = 0;
    std::uint64_t weight = 0;
    for (const Resource r : kAllResources) {
      const std::uint32_t w = weights_[static_cast<std::size_t>(r)];
      const std::int64_t usable = machine.state.usable[r];
      if (w == 0 || usable == 0) continue;
      sum += std::uint64_t{w} *
             ShareInPoints(usable - machine.state.allocated[r] - ask.limit[r], usable);
      weight += w;
    }
    return weight == 0 ? 0 : static_cast<std::uint32_t>(sum / weight);
  }

 private:
  Weights weights_;
};

}  // namespace

std::unique_ptr<Rule> NewBestFit(Fields& options) {
  Weights weights{1, 1, 0, 0, 0};  // cpu and memory: what runs out first nearly everywhere.
  if (const auto node = options.Optional("weights")) {
    Fields given(*node);
    for (const Resource r : kAllResources) {
      weights[static_cast<std::size_t>(r)] =
          given.Integer<std::uint32_t>(ResourceName(r), {.min = 0, .max = 1000}, 0);
    }
    options.Check(given.Finish());
  }
  return std::make_unique<BestFit>(weights);
}

}  // namespace berth
