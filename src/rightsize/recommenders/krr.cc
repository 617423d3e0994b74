// What Robusta's KRR recommends: of cpu the 95th percentile of the last 14 days, of memory their
// peak and 15%. Nothing is forgotten sooner, and a day is dropped whole.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>

#include "base/packed.h"
#include "base/wire.h"
#include "rightsize/recommenders/builtin.h"
#include "rightsize/size_text.h"

namespace berth {
namespace {

constexpr double kKrrShare = 0.95;
constexpr double kKrrMemoryMargin = 0.15;
constexpr std::int64_t kKrrDays = 14;

class Krr final : public Recommender {
 public:
  explicit Krr(const Sized& sized) : resource_(sized.resource) {}

  void Observe(const UsageWindow& window) override {
    if (window.histogram.empty()) return;
    DayOf& today = Reach(window.end);
    for (const WindowHistogram::Count& count : window.histogram.counts()) {
      today.samples[count.bucket] += count.samples;
    }
    today.peak = std::max(today.peak, *std::ranges::max_element(window.samples));
  }
  void ObserveOom(std::int64_t used, Time at) override {
    constexpr float kMoreAfterOom = 1.25F;
    DayOf& today = Reach(at);
    today.peak = std::max(today.peak, kMoreAfterOom * static_cast<float>(used));
  }

  std::optional<SizeAdvice> Recommend() const override {
    if (days_.empty()) return std::nullopt;
    const std::int64_t target = resource_ == Resource::kCpu
                                    ? std::max<std::int64_t>(10, Percentile())
                                    : static_cast<std::int64_t>(std::max(
                                          100e6, std::ceil(Peak() * (1 + kKrrMemoryMargin))));
    return SizeAdvice{.target = target, .lower = target, .upper = target};
  }
  std::string Why() const override {
    if (days_.empty()) return {};
    const std::string target = FormatSize(resource_, Recommend()->target);
    if (resource_ == Resource::kCpu) return fmt::format("{}: p95 of the last 14 days", target);
    return fmt::format("{}: peak of the last 14 days is {}, +15%", target,
                       FormatSize(resource_, static_cast<std::int64_t>(Peak())));
  }

  std::string Save() const override {
    std::string bytes;
    WireWriter writer(bytes);
    for (const DayOf& day : days_) {
      writer.PutMessage(1, [&](WireWriter& inner) {
        inner.PutInt(1, day.number);
        inner.PutFixed(2, BitsOf(day.peak));
        for (std::uint32_t i = 0; i < Buckets::kCount; ++i) {
          if (day.samples[i] > 0) inner.PutUint(kFirstBucketField + i, day.samples[i]);
        }
      });
    }
    return bytes;
  }
  Status Restore(std::string_view bytes) override {
    std::deque<DayOf> days;
    WireReader reader(bytes);
    while (reader.Next()) {
      if (reader.field() != 1) continue;
      BERTH_TRY(const DayOf day, ReadDay(reader.Message()));
      if (!days.empty() && day.number <= days.back().number) {
        return {Code::kInvalidArgument, "days of usage are out of order"};
      }
      days.push_back(day);
    }
    BERTH_RETURN_IF_ERROR(reader.status());
    days_ = std::move(days);
    return {};
  }

 private:
  static constexpr std::uint32_t kFirstBucketField = 16;

  struct DayOf {
    std::int64_t number = 0;
    float peak = 0;
    std::array<std::uint32_t, Buckets::kCount> samples{};
  };

  static Result<DayOf> ReadDay(WireReader reader) {
    DayOf day;
    while (reader.Next()) {
      const std::uint32_t field = reader.field();
      if (field == 1) {
        day.number = reader.Int();
      } else if (field == 2) {
        day.peak = static_cast<float>(FromBits(reader.Fixed()));
      } else if (field >= kFirstBucketField && field - kFirstBucketField < day.samples.size()) {
        day.samples[field - kFirstBucketField] = reader.Uint<std::uint32_t>();
      }
    }
    BERTH_RETURN_IF_ERROR(reader.status());
    return day;
  }

  DayOf& Reach(Time at) {
    const std::int64_t number =
        std::chrono::floor<std::chrono::days>(at.time_since_epoch()).count();
    while (!days_.empty() && days_.front().number <= number - kKrrDays) days_.pop_front();
    if (days_.empty() || days_.back().number != number) days_.push_back({.number = number});
    return days_.back();
  }
  double Peak() const { return std::ranges::max(days_, {}, &DayOf::peak).peak; }
  std::int64_t Percentile() const {
    std::array<std::uint64_t, Buckets::kCount> counts{};
    std::uint64_t all = 0;
    for (const DayOf& day : days_) {
      for (std::size_t i = 0; i < counts.size(); ++i) {
        counts[i] += day.samples[i];
        all += day.samples[i];
      }
    }
    std::uint64_t upto = 0;
    std::size_t bucket = 0;
    while (bucket + 1 < counts.size()) {
      upto += counts[bucket];
      if (static_cast<double>(upto) >= kKrrShare * static_cast<double>(all)) break;
      ++bucket;
    }
    return Buckets::Of(resource_).bound(static_cast<UsageBucket>(bucket));
  }

  Resource resource_;
  std::deque<DayOf> days_;
};

}  // namespace

std::unique_ptr<Recommender> NewKrr(const Sized& sized) { return std::make_unique<Krr>(sized); }

}  // namespace berth
