#include "appsim/arrivals.h"

#include <algorithm>
#include <cmath>

namespace berth {
namespace {

constexpr double kMicrosASecond = 1e6;

}  // namespace

LoadArrivals::LoadArrivals(const AppLoad& load, const Rng& rng)
    : load_(load),
      rng_(rng.Fork("arrivals")),
      noise_(rng.Fork("noise").Next()),
      stretch_(static_cast<double>(load.step.count())) {
  if (load.deviation > 0) stretch_ = std::min(stretch_, kMicrosASecond);
}

bool LoadArrivals::Advance() {
  at_ = until_;
  const auto step = static_cast<double>(load_.step.count());
  const auto index = static_cast<std::size_t>((at_ + 0.5) / step);
  if (index >= load_.rates.size()) return false;
  until_ = std::min(at_ + stretch_, static_cast<double>(index + 1) * step);
  const Spread rate{.kind = load_.deviation > 0 ? Spread::Kind::kNormal : Spread::Kind::kConstant,
                    .mean = load_.rates[index],
                    .deviation = load_.deviation};
  rate_ = noise_.Of(rate, stretches_++) / kMicrosASecond;
  return true;
}

std::optional<std::int64_t> LoadArrivals::Next() {
  double left = load_.arrivals == AppLoad::Arrivals::kEven ? 1 : rng_.Exponential(1);
  while (left > rate_ * (until_ - at_)) {
    left -= rate_ * (until_ - at_);
    if (!Advance()) return std::nullopt;
  }
  at_ += rate_ > 0 ? left / rate_ : 0;
  return std::llround(at_);
}

}  // namespace berth
