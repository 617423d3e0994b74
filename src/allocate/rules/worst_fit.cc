#include "allocate/rules/builtin.h"
#include "allocate/rules/fit.h"

namespace berth {
namespace {

// Spreads load, so that every machine keeps room for its instances to grow.
class WorstFit final : public Preference {
 public:
  explicit WorstFit(Fields& options) : fit_(options) {}

  std::string_view name() const override { return "worst_fit"; }
  std::string_view summary() const override {
    return "machines that are left with the most room first";
  }
  TraitSet reads() const override { return fit_.reads(); }

  std::uint32_t Points(const Ask& ask, const Candidate& machine) const override {
    return fit_.PointsFull(ask, machine);
  }

 private:
  Fit fit_;
};

}  // namespace

std::unique_ptr<Rule> NewWorstFit(Fields& options) { return std::make_unique<WorstFit>(options); }

}  // namespace berth
