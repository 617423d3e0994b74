// For tests: how far the estimate and the slow reference are apart on random machines, each with
// draws of its own, and how far chance may put them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "oversub/slow_reference_testing.h"
#include "oversub/violation.h"

namespace berth::testing {

struct Agreement {
  double estimated = 0;
  double reference = 0;

  double StandardErrors(std::uint32_t repetitions) const {
    const double variance =
        (estimated * (1 - estimated) + reference * (1 - reference)) / repetitions;
    const double apart = estimated - reference;
    return apart == 0 ? 0 : apart / std::sqrt(variance);  // Two certainties: infinitely far.
  }
};

// Tenants in the middle of their lives, so that what is left of them is uncertain, and thresholds
// that are reached with a probability anywhere between 0.02 and 0.98. Most machines have a few of
// short lives, for the reference looks at every step; one in two hundred has a hundred of long
// ones. One in four has another that no trace stands for.
class RandomMachine {
 public:
  explicit RandomMachine(std::uint64_t seed)
      : rng_(seed),
        crowded_(seed % 200 == 0),
        traces_(RandomSlowTraces(rng_, crowded_ ? 300 : 60, crowded_ ? 100 : 9, 2)) {
    do {
      tenants_.clear();
      for (std::uint64_t left = crowded_ ? 100 : 2 + rng_.Below(3); left > 0; --left) {
        tenants_.push_back(RandomTenant(rng_, traces_, kNow));
      }
      if (rng_.Below(4) == 0) tenants_.push_back(RandomSurvivor(rng_, traces_, kNow));
    } while (!ChooseThresholds());
  }

  Agreement Compare(std::uint32_t repetitions) {
    const TraceLibrary library = TraceLibrary::Build(ModelsOf(traces_)).value();
    Thresholds scaled;
    for (const DemandResource r : kAllDemandResources) scaled[r] = ToLoad(thresholds_[r]);
    const std::uint32_t violations = CountViolations(library, tenants_, kNow, scaled, repetitions);
    return {static_cast<double>(violations) / repetitions, Reference(repetitions)};
  }

 private:
  static constexpr Step kNow = 100;
  static constexpr std::uint32_t kPilot = 400;

  using Peaks = std::vector<PerResource<double>>;

  bool Reaches(const PerResource<double>& peak) const {
    return std::ranges::any_of(kAllDemandResources,
                               [&](DemandResource r) { return peak[r] >= thresholds_[r]; });
  }

  Peaks Draw(std::uint32_t repetitions) {
    SlowEstimate slow(traces_, tenants_, kNow);
    Peaks peaks;
    while (peaks.size() < repetitions) peaks.push_back(slow.Peak(rng_));
    return peaks;
  }

  double ShareReached(const Peaks& peaks) const {
    const auto reached = std::ranges::count_if(
        peaks, [&](const PerResource<double>& peak) { return Reaches(peak); });
    return static_cast<double>(reached) / static_cast<double>(peaks.size());
  }

  double Reference(std::uint32_t repetitions) { return ShareReached(Draw(repetitions)); }

  // Between the least and the greatest peak of each resource, at so much of the way: the first of
  // so many ways at which the probability is no more than one chosen evenly. False if chance has no
  // such part in these tenants.
  bool ChooseThresholds() {
    constexpr int kWays = 64;
    const Peaks pilot = Draw(kPilot);
    const double wanted = 0.02 + 0.96 * rng_.Unit();
    PerResource<double> exponent;
    for (const DemandResource r : kAllDemandResources) exponent[r] = 0.25 + rng_.Unit();
    double share = 1;
    for (int way = 1; way < kWays && share > wanted; ++way) {
      for (const DemandResource r : kAllDemandResources) {
        const auto [least, greatest] =
            std::ranges::minmax(pilot, {}, [r](const auto& peak) { return peak[r]; });
        const double on_the_way = std::pow(static_cast<double>(way) / kWays, exponent[r]);
        thresholds_[r] =
            static_cast<std::uint32_t>(least[r] + (greatest[r] - least[r]) * on_the_way) + 1;
      }
      share = ShareReached(pilot);
    }
    return share > 0.02 && share < 0.98;
  }

  Rng rng_;
  bool crowded_;
  std::vector<SlowTrace> traces_;
  std::vector<HostedTenant> tenants_;
  Demand thresholds_;
};

// Whether a thousand machines are as far apart as chance puts them. Standard errors are normal: of
// a thousand 2.7 are over three and none over five, their squares are 1 in the mean and they
// themselves 0, give or take 0.045 and 0.032.
class AgreementCheck {
 public:
  static constexpr std::uint64_t kMachines = 1'000;

  explicit AgreementCheck(std::uint32_t repetitions) : repetitions_(repetitions) {}

  void Add(const Agreement& agreement) {
    const double apart = agreement.StandardErrors(repetitions_);
    over_three_ += std::abs(apart) > 3 ? 1 : 0;
    over_five_ += std::abs(apart) > 5 ? 1 : 0;
    sum_ += apart;
    squares_ += apart * apart;
    ++of_decile_[std::min(static_cast<std::size_t>(agreement.reference * 10), std::size_t{9})];
  }

  // Whatever is still to come.
  bool Fails() const { return over_five_ > 0 || over_three_ > 9; }
  // With all of them. Empty if nothing is wrong.
  std::string Complaint() const {
    const double mean = sum_ / kMachines;
    const double mean_square = squares_ / kMachines;
    const std::uint64_t rarest = *std::ranges::min_element(of_decile_);
    const bool fine = !Fails() && std::abs(mean) < 0.12 && mean_square > 0.85 &&
                      mean_square < 1.15 && rarest >= kMachines / 20;
    if (fine) return {};
    return fmt::format(
        "{} over three standard errors, {} over five; mean {:.3f}, mean square {:.3f}; {} in the "
        "rarest decile of probability",
        over_three_, over_five_, mean, mean_square, rarest);
  }

 private:
  std::uint32_t repetitions_;
  int over_three_ = 0;
  int over_five_ = 0;
  double sum_ = 0;
  double squares_ = 0;
  std::array<std::uint64_t, 10> of_decile_{};
};

}  // namespace berth::testing
