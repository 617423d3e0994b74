#include "allocate/machine_load.h"
#include "allocate/rules/acceptable_risk.h"
#include "allocate/rules/builtin.h"

namespace berth {
namespace {

// Machines on which a violation stays less probable than theta are all alike, and best; then those
// that it harms least. Last come, alike again, those that are doomed whatever is placed, and by
// harm those that this one dooms: when nothing else is left, later rules decide among them. It
// never refuses: what fits is placed.
//
// Harm is the probability of a violation among the futures without one so far. Algorithms 2 and 3
// have the rise of the probability among all futures, which prefers a machine the more the nearer
// to doomed it is.
class ViolationProbability final : public Preference {
 public:
  enum class Least : std::uint8_t { kHarm, kRise };

  ViolationProbability(std::uint32_t theta, Least least) : theta_(theta), least_(least) {}

  std::string_view name() const override { return "violation_probability"; }
  std::string_view summary() const override {
    return "machines first that will probably never need more than they have";
  }
  TraitSet reads() const override {
    return {Trait::kType, Trait::kRole, Trait::kLimit, Trait::kEpoch};
  }

  std::uint32_t Points(const Ask& ask, const Candidate& machine) const override {
    if (ask.outlook == nullptr) return 0;  // Nothing is foreseen.
    const Outlook::Risk risk = ask.outlook->RiskOf(ask.traits, machine.index);
    if (Outlook::IsBelow(risk, theta_)) return 0;
    const std::uint32_t spared = risk.repetitions - risk.before;
    if (spared == 0) return kPointsMax;
    const std::uint32_t rise = risk.after - risk.before;
    const std::uint32_t of = least_ == Least::kHarm ? spared : risk.repetitions;
    return 1 + static_cast<std::uint32_t>(std::uint64_t{rise} * (kPointsMax - 1) / of);
  }
  // How much a machine is harmed is seldom asked: not where another one stays below theta.
  AtLeast PointsAtLeast(const Ask& ask, const Candidate& machine) const override {
    if (ask.outlook == nullptr || ask.outlook->StaysBelow(ask.traits, machine.index, theta_)) {
      return {.points = 0, .exact = true};
    }
    return {.points = 1, .exact = false};
  }
  std::optional<std::uint32_t> theta() const override { return theta_; }

 private:
  std::uint32_t theta_;
  Least least_;
};

}  // namespace

std::unique_ptr<Rule> NewViolationProbability(Fields& options) {
  using enum ViolationProbability::Least;
  const bool rise = IsSecondWord(options, "least", "harm", "rise");
  return std::make_unique<ViolationProbability>(ReadTheta(options), rise ? kRise : kHarm);
}

}  // namespace berth
