#include "appsim/multiverse/arrivals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "appsim/multiverse/sarima.h"
#include "base/text.h"

namespace berth::multiverse {
namespace {

constexpr Duration kDay = std::chrono::hours(24);
constexpr Duration kSecond = std::chrono::seconds(1);

Status TooMany(std::string_view what) {
  return {Code::kInvalidArgument,
          fmt::format("the load has more than {}; simulate less time or a smaller load", what)};
}

// Throws requests into buckets, each of a type drawn by the shares.
class Thrower {
 public:
  Thrower(const std::vector<RequestShare>& shares, Rng& rng) : shares_(shares), rng_(rng) {
    weights_.reserve(shares.size());
    for (const RequestShare& share : shares) weights_.push_back(share.ratio);
  }

  void Throw(ArrivalBuckets& into, std::size_t first, std::size_t count, double requests) {
    const std::size_t end = std::min(first + std::max<std::size_t>(count, 1), into.size());
    if (first >= end) return;
    for (auto left = static_cast<std::uint64_t>(requests); left > 0; --left) {
      ++into.At(first + rng_.Below(end - first), Type());
    }
  }
  void Put(ArrivalBuckets& into, std::size_t bucket, double requests) {
    Throw(into, bucket, 1, requests);
  }

 private:
  std::size_t Type() {
    if (shares_.size() == 1) return shares_[0].request;
    return shares_[rng_.Weighted(weights_)].request;
  }

  const std::vector<RequestShare>& shares_;
  Rng& rng_;
  std::vector<double> weights_;
};

Result<ArrivalBuckets> MakeBuckets(Duration length, Duration bucket, std::size_t types) {
  const std::int64_t count = (length + bucket - Duration(1)) / bucket;
  if (static_cast<std::uint64_t>(count) * types > kSetBucketsMax) {
    return TooMany(fmt::format("{} buckets of time", FormatCount(kSetBucketsMax)));
  }
  return ArrivalBuckets(static_cast<std::size_t>(std::max<std::int64_t>(count, 1)), types);
}

// Each level draws one unit of time and repeats it.
Result<ArrivalBuckets> DrawSteps(const LoadPattern& pattern, std::size_t types, Duration bucket,
                                 Rng& rng) {
  BERTH_TRY(ArrivalBuckets arrivals, MakeBuckets(pattern.length, bucket, types));
  Thrower thrower(pattern.shares, rng);
  const auto in_unit = static_cast<std::size_t>(std::max<std::int64_t>(pattern.unit / bucket, 1));
  double total = 0;
  std::size_t first = 0;
  for (const StepLevel& level : pattern.levels) {
    const double whole = std::floor(level.requests);
    const double count = whole + (rng.Unit() < level.requests - whole ? 1 : 0);
    const auto units = static_cast<std::size_t>(
        std::floor(static_cast<double>(pattern.length.count()) * level.share /
                       static_cast<double>(pattern.unit.count()) +
                   1e-9));
    total += count * static_cast<double>(units);
    if (total > kSetRequestsMax) return TooMany("50 million requests");
    ArrivalBuckets unit(in_unit, types);
    thrower.Throw(unit, 0, in_unit, count);
    for (std::size_t i = 0; i < units * in_unit && first < arrivals.size(); ++i, ++first) {
      for (std::size_t type = 0; type < types; ++type) {
        arrivals.At(first, type) = unit.At(i % in_unit, type);
      }
    }
  }
  return arrivals;
}

Result<ArrivalBuckets> DrawSarima(const LoadPattern& pattern, std::size_t types, Duration bucket,
                                  Rng& rng) {
  const SarimaSpec& spec = pattern.sarima;
  BERTH_TRY(ArrivalBuckets arrivals,
            MakeBuckets(spec.head_start + spec.duration + spec.cooldown_end, bucket, types));
  if (spec.duration / spec.resolution > static_cast<std::int64_t>(kSetBucketsMax)) {
    return TooMany("points");
  }
  const auto points = static_cast<std::size_t>(spec.duration / spec.resolution);
  std::vector<double> path = DrawSarimaPath(spec, points, rng);
  if (path.empty()) return arrivals;
  const double lift = std::abs(std::min(0.0, *std::min_element(path.begin(), path.end())));
  Thrower thrower(pattern.shares, rng);
  const auto in_point =
      static_cast<std::size_t>(std::max<std::int64_t>(spec.resolution / bucket, 1));
  double total = 0;
  for (std::size_t i = 0; i < points; ++i) {
    const double requests = std::ceil((path[i] + lift) * spec.scale);
    total += requests;
    // Written so that what is no number is too many, too.
    if (!(total <= kSetRequestsMax)) return TooMany("50 million requests");
    const Duration at = spec.head_start + spec.resolution * static_cast<std::int64_t>(i);
    thrower.Throw(arrivals, static_cast<std::size_t>(at / bucket), in_point, requests);
  }
  return arrivals;
}

// As many in every bucket; the remainder one each in the first ones.
Result<ArrivalBuckets> DrawSingleValue(const LoadPattern& pattern, std::size_t types,
                                       Duration bucket, Rng& rng) {
  BERTH_TRY(ArrivalBuckets arrivals, MakeBuckets(pattern.length, bucket, types));
  if (pattern.value > kSetRequestsMax) return TooMany("50 million requests");
  Thrower thrower(pattern.shares, rng);
  const auto buckets = static_cast<double>(arrivals.size());
  const double each = std::floor(pattern.value / buckets);
  const double rest = pattern.value - each * buckets;
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    thrower.Put(arrivals, i, each + (static_cast<double>(i) + 1 <= rest ? 1 : 0));
  }
  return arrivals;
}

const SeasonalDay* DayOf(const LoadPattern& pattern, Time at) {
  const std::chrono::sys_days days(std::chrono::floor<std::chrono::days>(at.time_since_epoch()));
  const std::chrono::year_month_day date(days);
  const unsigned weekday = std::chrono::weekday(days).iso_encoding();
  const auto month = static_cast<std::int32_t>(static_cast<unsigned>(date.month()));
  for (const SeasonalDay& day : pattern.days) {
    const bool right_day = weekday <= 5 ? day.weekdays : day.weekends;
    if (right_day && (day.month == 0 || day.month == month)) return &day;
  }
  return nullptr;
}

// The first part of the day is split over its seconds once; every second then varies by itself.
Result<ArrivalBuckets> DrawSeasonal(const LoadPattern& pattern, std::size_t types, Duration bucket,
                                    const RunSpec& run, Rng& rng) {
  BERTH_TRY(ArrivalBuckets arrivals, MakeBuckets(run.length + run.step, bucket, types));
  const SeasonalDay* day = DayOf(pattern, run.start);
  if (day == nullptr) return arrivals;
  const Duration part = kDay / static_cast<std::int64_t>(day->values.size());
  const auto index = static_cast<std::size_t>((run.start.time_since_epoch() % kDay) / part);
  const double in_part = day->values[std::min(index, day->values.size() - 1)];
  if (in_part > kSetRequestsMax) return TooMany("50 million requests");
  const auto seconds = static_cast<std::size_t>(std::max<std::int64_t>(part / kSecond, 1));
  std::vector<double> rates(seconds, 0.0);
  for (auto left = static_cast<std::uint64_t>(in_part); left > 0; --left) {
    rates[rng.Below(seconds)] += 1;
  }
  const auto in_second = static_cast<std::size_t>(std::max<std::int64_t>(kSecond / bucket, 1));
  const auto total_seconds = static_cast<std::size_t>(run.length / kSecond + 1);
  double total = 0;
  for (std::size_t second = 0; second < total_seconds; ++second) {
    for (const RequestShare& share : pattern.shares) {
      const double drawn = rates[second % seconds] + share.deviation * rng.Normal();
      const double requests = std::max(0.0, std::floor(share.ratio * drawn));
      total += requests;
      if (total > kSetRequestsMax) return TooMany("50 million requests");
      const std::vector<RequestShare> only = {{.request = share.request, .ratio = 1}};
      const Duration at = kSecond * static_cast<std::int64_t>(second);
      Thrower(only, rng).Throw(arrivals, static_cast<std::size_t>(at / bucket), in_second,
                               requests);
    }
  }
  return arrivals;
}

}  // namespace

Result<ArrivalBuckets> DrawArrivals(const LoadPattern& pattern, std::size_t request_types,
                                    Duration bucket, const RunSpec& run, Rng& rng) {
  switch (pattern.kind) {
    case LoadPattern::Kind::kSteps:
      return DrawSteps(pattern, request_types, bucket, rng);
    case LoadPattern::Kind::kSarima:
      return DrawSarima(pattern, request_types, bucket, rng);
    case LoadPattern::Kind::kSingleValue:
      return DrawSingleValue(pattern, request_types, bucket, rng);
    case LoadPattern::Kind::kSeasonal:
      return DrawSeasonal(pattern, request_types, bucket, run, rng);
  }
  return ArrivalBuckets();
}

}  // namespace berth::multiverse
