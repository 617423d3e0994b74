#include "rightsize/weekly.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/wire.h"
#include "berth/check.h"
#include "rightsize/size_text.h"

namespace berth {
namespace {

constexpr std::int64_t kHoursAWeek = 168;
constexpr std::int64_t kHoursAhead = 48;

class WeeklyRecommender final : public Recommender {
 public:
  WeeklyRecommender(std::unique_ptr<Recommender> inner, Resource resource)
      : inner_(std::move(inner)), resource_(resource) {}

  void Observe(const UsageWindow& window) override {
    inner_->Observe(window);
    Note(window.end - Duration(1));
  }
  void ObserveOom(std::int64_t used, Time at) override {
    inner_->ObserveOom(used, at);
    Note(at);
  }

  std::optional<SizeAdvice> Recommend() const override {
    std::optional<SizeAdvice> advice = inner_->Recommend();
    if (!advice) return advice;
    const std::int64_t before = AWeekAgo();
    advice->target = std::max(advice->target, before);
    advice->upper = std::max(advice->upper, before);
    return advice;
  }
  std::string Why() const override {
    std::string why = inner_->Why();
    const std::optional<SizeAdvice> said = inner_->Recommend();
    if (!said || AWeekAgo() <= said->target) return why;
    return fmt::format("{}: what it was a week ago for the two days to come; now {}",
                       FormatSize(resource_, AWeekAgo()), why);
  }

  std::string Save() const override {
    std::string bytes;
    WireWriter writer(bytes);
    writer.PutText(1, inner_->Save());
    writer.PutInt(2, hour_);
    for (std::size_t i = 0; i < said_.size(); ++i) {
      const auto field = static_cast<std::uint32_t>(kFirstHourField + i);
      writer.PutUint(field, static_cast<std::uint64_t>(said_[i]));
    }
    return bytes;
  }
  Status Restore(std::string_view bytes) override {
    std::string_view inner;
    std::int64_t hour = -1;
    std::array<std::int64_t, kHoursAWeek + 1> said{};
    WireReader reader(bytes);
    while (reader.Next()) {
      const std::uint32_t field = reader.field();
      if (field == 1) inner = reader.Text();
      if (field == 2) hour = reader.Int();
      if (field < kFirstHourField || field - kFirstHourField >= said.size()) continue;
      said[field - kFirstHourField] = static_cast<std::int64_t>(reader.Uint());
    }
    BERTH_RETURN_IF_ERROR(reader.status());
    if (hour < -1 || hour > kHourMax || std::ranges::any_of(said, [](std::int64_t amount) {
          return amount < 0 || amount > kAmountMax;
        })) {
      return {Code::kInvalidArgument, "this is no state of a weekly recommender"};
    }
    BERTH_RETURN_IF_ERROR(inner_->Restore(inner));
    hour_ = hour;
    said_ = said;
    return {};
  }

 private:
  static constexpr std::uint32_t kFirstHourField = 16;
  static constexpr std::int64_t kHourMax = std::int64_t{1} << 40;

  std::int64_t& At(std::int64_t hour) {
    return said_[static_cast<std::size_t>(hour) % said_.size()];
  }
  std::int64_t AWeekAgo() const {
    std::int64_t most = 0;
    for (std::int64_t i = 0; i <= kHoursAhead; ++i) {
      const std::int64_t hour = hour_ - kHoursAWeek + i;
      if (hour >= 0) most = std::max(most, said_[static_cast<std::size_t>(hour) % said_.size()]);
    }
    return most;
  }
  void Note(Time at) {
    const std::int64_t hour = std::chrono::floor<std::chrono::hours>(at.time_since_epoch()).count();
    const std::int64_t skipped = std::min<std::int64_t>(hour - hour_, std::ssize(said_));
    for (std::int64_t i = 0; i < skipped; ++i) At(hour - i) = 0;
    hour_ = std::max(hour_, hour);
    const std::optional<SizeAdvice> advice = inner_->Recommend();
    if (advice) At(hour_) = std::max(At(hour_), std::min(advice->target, kAmountMax));
  }

  std::unique_ptr<Recommender> inner_;
  Resource resource_;
  // The most that the inner one said in an hour, of the last week and this hour, by the hour modulo
  // their number; nothing: 0.
  std::array<std::int64_t, kHoursAWeek + 1> said_{};
  std::int64_t hour_ = -1;  // The last that has one.
};

}  // namespace

std::unique_ptr<Recommender> NewWeekly(std::unique_ptr<Recommender> inner, Resource resource) {
  BERTH_CHECK(inner != nullptr);
  return std::make_unique<WeeklyRecommender>(std::move(inner), resource);
}

}  // namespace berth
