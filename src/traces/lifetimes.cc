#include "traces/lifetimes.h"

#include <algorithm>
#include <array>
#include <span>

namespace berth {
namespace {

constexpr double kHourSeconds = 3600;
constexpr double kDay = 24 * kHourSeconds;
constexpr std::array kShares = {0.500, 0.303, 0.140, 0.052, 0.005};
constexpr std::array kMeans = {220.0, 6000.0, 6 * kHourSeconds, 5 * kDay, 45 * kDay};

constexpr std::array<double, kShares.size()> RunningShares() {
  std::array<double, kShares.size()> shares{};
  for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = kShares[i] * kMeans[i];
  return shares;
}
constexpr std::array kRunningShares = RunningShares();

Duration Draw(Rng& rng, std::span<const double> shares) {
  const double seconds = rng.Exponential(kMeans[rng.Weighted(shares)]);
  return Duration(std::max<std::int64_t>(1, static_cast<std::int64_t>(seconds * 1e6)));
}

}  // namespace

Duration DrawLifetime(Rng& rng) { return Draw(rng, kShares); }
Duration DrawRemainingLifetime(Rng& rng) { return Draw(rng, kRunningShares); }

double MeanLifetimeSeconds() {
  double mean = 0;
  for (const double share : kRunningShares) mean += share;
  return mean;
}

}  // namespace berth
