// No more replicas at once than may be starting: those that answer carry the load meanwhile, and
// what a start costs others, such as caches to be filled, is spread.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scale/smoothers/builtin.h"

namespace berth {
namespace {

class LimitedGrowth final : public Smoother {
 public:
  explicit LimitedGrowth(double share) : share_(share) {}

  std::uint32_t Smooth(const CountAsk& ask) override {
    const std::uint32_t answering = ask.replicas - ask.starting;
    // n replicas of which at most share * n do not answer; one always may.
    const double most = std::floor(answering / (1 - share_) * (1 + 1e-9));
    const auto allowed = static_cast<std::uint32_t>(std::max<double>(answering + 1.0, most));
    return std::min(ask.wanted, std::max(ask.replicas, allowed));
  }
  std::string Note() const override {
    return fmt::format("held back: at most {:.0f}% may be starting", 100 * share_);
  }

  std::string Save() const override { return {}; }
  Status Restore(std::string_view bytes) override {
    if (bytes.empty()) return {};
    return {Code::kInvalidArgument, "a limit on growth keeps no state"};
  }

 private:
  double share_;
};

}  // namespace

std::unique_ptr<Smoother> NewLimitedGrowth(const SmoothingSettings& settings) {
  if (settings.starting_max <= 0 || settings.starting_max >= 1) return nullptr;
  return std::make_unique<LimitedGrowth>(settings.starting_max);
}

}  // namespace berth
