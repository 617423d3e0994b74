#include "allocate/rules/builtin.h"
#include "allocate/rules/room_left.h"

namespace berth {
namespace {

class BestFit final : public Preference {
 public:
  explicit BestFit(const Weights& weights) : weights_(weights) {}

  std::string_view name() const override { return "best_fit"; }
  std::string_view summary() const override {
    return "machines that are left with the least room first";
  }
  TraitSet reads() const override { return {Trait::kLimit}; }

  std::uint32_t Points(const Ask& ask, const Candidate& machine) const override {
    return ShareLeft(ask, machine, weights_);
  }

 private:
  Weights weights_;
};

}  // namespace

std::unique_ptr<Rule> NewBestFit(Fields& options) {
  return std::make_unique<BestFit>(ReadWeights(options));
}

}  // namespace berth
