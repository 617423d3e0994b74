// A change by few is none: replicas are not started and stopped for a share of them that does not
// matter.
#include <fmt/format.h>

#include <cmath>

#include "scale/smoothers/builtin.h"

namespace berth {
namespace {

class SmallChanges final : public Smoother {
 public:
  explicit SmallChanges(double share) : share_(share) {}

  std::uint32_t Smooth(const CountAsk& ask) override {
    const double change = std::abs(static_cast<double>(ask.wanted) - ask.replicas);
    return change <= share_ * ask.replicas ? ask.replicas : ask.wanted;
  }
  std::string Note() const override {
    return fmt::format("left: a change of at most {:.0f}%", 100 * share_);
  }

  std::string Save() const override { return {}; }
  Status Restore(std::string_view bytes) override {
    if (bytes.empty()) return {};
    return {Code::kInvalidArgument, "small changes keep no state"};
  }

 private:
  double share_;
};

}  // namespace

std::unique_ptr<Smoother> NewSmallChanges(const SmoothingSettings& settings) {
  if (settings.ignore_below <= 0) return nullptr;
  return std::make_unique<SmallChanges>(settings.ignore_below);
}

}  // namespace berth
