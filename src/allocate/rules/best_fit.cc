#include "allocate/rules/builtin.h"
#include "allocate/rules/fit.h"

namespace berth {
namespace {

class BestFit final : public Preference {
 public:
  explicit BestFit(Fields& options) : fit_(options) {}

  std::string_view name() const override { return "best_fit"; }
  std::string_view summary() const override {
    return "machines that are left with the least room first";
  }
  TraitSet reads() const override { return fit_.reads(); }

  std::uint32_t Points(const Ask& ask, const Candidate& machine) const override {
    return kPointsMax - fit_.PointsFull(ask, machine);
  }

 private:
  Fit fit_;
};

}  // namespace

std::unique_ptr<Rule> NewBestFit(Fields& options) { return std::make_unique<BestFit>(options); }

}  // namespace berth
