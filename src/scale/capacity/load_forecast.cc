#include "scale/capacity/load_forecast.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/document.h"
#include "base/normal.h"
#include "base/text.h"

namespace berth {
namespace {

constexpr double kLoadMax = 1e12;

struct TimedLoad {
  std::int64_t at_ms = 0;
  LoadPoint load{};
};

Result<double> LoadField(const Node& point, std::string_view key) {
  const std::optional<Node> field = point.Find(key);
  if (!field) return point.Error(fmt::format("has no {}; give what berth forecast prints", key));
  return field->Number({.min = -kLoadMax, .max = kLoadMax});
}

Result<TimedLoad> ReadTimedLoad(const Node& point) {
  TimedLoad read;
  const std::optional<Node> at = point.Find("at_ms");
  if (!at) return point.Error("has no at_ms; give what berth forecast prints");
  constexpr std::int64_t kAtMax = std::int64_t{1} << 42;  // In the year 2109.
  BERTH_TRY(read.at_ms, at->Integer({.min = 0, .max = kAtMax}));
  BERTH_TRY(read.load.mean, LoadField(point, "mean"));
  BERTH_TRY(read.load.lower, LoadField(point, "lower"));
  BERTH_TRY(read.load.upper, LoadField(point, "upper"));
  if (read.load.lower > read.load.mean || read.load.mean > read.load.upper) {
    return point.Error("has a mean outside of its band; write lower, mean and upper in this order");
  }
  return read;
}

// Where points are equally far apart.
Status AddPoints(const std::vector<Node>& items, LoadForecast& forecast) {
  std::int64_t last_ms = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    BERTH_TRY(const TimedLoad read, ReadTimedLoad(items[i]));
    const Time at = TimeFromMicros(read.at_ms * 1'000);
    if (i == 0) forecast.start = at;
    if (i > 0 && read.at_ms <= last_ms) {
      return items[i].Error("is not after the point before; sort the points");
    }
    if (i == 1) forecast.step = at - forecast.start;
    if (at != forecast.start + forecast.step * static_cast<std::int64_t>(i) && i > 0) {
      return items[i].Error("is not as far from the point before as others; give all points");
    }
    last_ms = read.at_ms;
    forecast.points.push_back(read.load);
  }
  return {};
}

}  // namespace

double LoadQuantile(const LoadPoint& point, double level, double q) {
  const double reach = NormalQuantile((1 + level) / 2);
  const double side = q >= 0.5 ? point.upper - point.mean : point.mean - point.lower;
  return std::max(0.0, point.mean + NormalQuantile(q) * side / reach);
}

Result<LoadForecast> ParseLoadForecast(std::string_view text, const std::string& file_name) {
  BERTH_TRY(const Document document, ParseDocument(text, file_name));
  const Node root = document.root();
  const std::optional<Node> level = root.Find("level");
  const std::optional<Node> points = root.Find("forecast");
  if (!level || !points) {
    return root.Error("has no level and forecast; give what `berth forecast --json` prints");
  }
  LoadForecast forecast{.step = std::chrono::hours(1)};
  BERTH_TRY(forecast.level, level->Number({.min = 0.01, .max = 0.9999}));
  BERTH_TRY(const std::vector<Node> items, points->Items());
  if (items.empty()) return points->Error("has no points; forecast at least one");
  if (items.size() > kPlanStepsMax) {
    return points->Error(
        fmt::format("has over {} points; forecast fewer", FormatCount(kPlanStepsMax)));
  }
  BERTH_RETURN_IF_ERROR(AddPoints(items, forecast));
  return forecast;
}

}  // namespace berth
