#include "scale/space/burst_guard.h"

#include <algorithm>
#include <cmath>

namespace berth {

void BurstGuard::FollowLevel(Time now, std::uint32_t wanted) {
  if (!seen_at_) {
    level_ = wanted;
    low_ = wanted;
  } else {
    const double share = static_cast<double>((now - *seen_at_).count()) /
                         static_cast<double>(settings_.memory.count());
    level_ += (1 - std::exp(-share)) * (seen_ - level_);
  }
  seen_at_ = now;
  seen_ = wanted;
}

void BurstGuard::FollowBursts(Time now, std::uint32_t wanted) {
  if (in_burst_) {
    high_ = std::max(high_, wanted);
    if (wanted * kBurstSwing > high_) return;
    in_burst_ = false;
    low_ = wanted;
    return;
  }
  low_ = std::min(low_, wanted);
  if (wanted < kBurstSwing * std::max(low_, 1U)) return;
  in_burst_ = true;
  high_ = wanted;
  bursts_.push_back(now);
}

std::optional<BurstGuard::Hold> BurstGuard::See(Time now, std::uint32_t wanted) {
  if (settings_.hold.count() == 0) return std::nullopt;
  FollowLevel(now, wanted);
  FollowBursts(now, wanted);
  while (!bursts_.empty() && bursts_.front() < now - settings_.memory) bursts_.pop_front();
  if (!in_burst_ || bursts_.size() < 2) return std::nullopt;
  Duration hold = settings_.hold;
  for (std::size_t i = 2; i < bursts_.size() && hold < settings_.hold_max; ++i) hold *= 2;
  const Time until = bursts_.back() + std::min(hold, settings_.hold_max);
  if (now >= until) return std::nullopt;
  return Hold{.most = std::max(low_, static_cast<std::uint32_t>(std::ceil(level_))),
              .until = until};
}

}  // namespace berth
