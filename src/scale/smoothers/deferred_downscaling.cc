// The most that was wanted in the last T_d: more at once, fewer only when nobody wanted more for
// that long.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <utility>

#include "base/text.h"
#include "base/wire.h"
#include "scale/scaler.h"
#include "scale/smoothers/builtin.h"

namespace berth {
namespace {

class DeferredDownscaling final : public Smoother {
 public:
  explicit DeferredDownscaling(Duration defer) : defer_(defer) {}

  std::uint32_t Smooth(const CountAsk& ask) override {
    // Those that none after them reached: the first is the most.
    while (!most_.empty() && most_.back().count <= ask.wanted) most_.pop_back();
    most_.push_back({ask.at, ask.wanted});
    while (most_.front().at <= ask.at - defer_) most_.pop_front();
    return most_.front().count;
  }
  std::string Note() const override {
    return fmt::format("kept: {} were wanted within {}", most_.front().count,
                       FormatDuration(defer_));
  }

  std::string Save() const override {
    std::string bytes;
    WireWriter writer(bytes);
    for (const WantedAt& each : most_) {
      writer.PutMessage(1, [&](WireWriter& inner) {
        inner.PutInt(1, ToMicros(each.at));
        inner.PutUint(2, each.count);
      });
    }
    return bytes;
  }
  Status Restore(std::string_view bytes) override {
    std::deque<WantedAt> most;
    WireReader reader(bytes);
    while (reader.Next()) {
      if (reader.field() != 1) continue;
      WireReader inner = reader.Message();
      WantedAt& each = most.emplace_back();
      while (inner.Next()) {
        if (inner.field() == 1) each.at = TimeFromMicros(inner.Int());
        if (inner.field() == 2) each.count = inner.Uint<std::uint32_t>();
      }
      BERTH_RETURN_IF_ERROR(inner.status());
    }
    BERTH_RETURN_IF_ERROR(reader.status());
    if (!std::ranges::is_sorted(most, std::ranges::greater(), &WantedAt::count) ||
        !std::ranges::is_sorted(most, {}, &WantedAt::at) ||
        (!most.empty() && most.front().count > kReplicasMax)) {
      return {Code::kInvalidArgument, "this is no state of deferred downscaling"};
    }
    most_ = std::move(most);
    return {};
  }

 private:
  struct WantedAt {
    Time at;
    std::uint32_t count = 0;
  };

  Duration defer_;
  std::deque<WantedAt> most_;
};

}  // namespace

std::unique_ptr<Smoother> NewDeferredDownscaling(const SmoothingSettings& settings) {
  if (settings.defer_down <= Duration::zero()) return nullptr;
  return std::make_unique<DeferredDownscaling>(settings.defer_down);
}

}  // namespace berth
