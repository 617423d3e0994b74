#include "report/rightsizing_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "usage/window.h"

namespace berth {
namespace {

constexpr std::size_t kMapColumnsMax = 240;
constexpr std::size_t kMapRows = 48;

// Cores, or gibibytes.
double MapUnit(Resource resource) { return resource == Resource::kCpu ? 1000 : 0x1p30; }

class UsageMapMaker {
 public:
  UsageMapMaker(const ServiceUsage& usage, Resource resource, const std::vector<LimitLine>& lines)
      : usage_(usage), resource_(resource), unit_(MapUnit(resource)) {
    const Duration all = usage.windows.back().begin + kWindowLength - usage.windows.front().begin;
    const std::int64_t windows = all / kWindowLength;
    const auto most = static_cast<std::int64_t>(kMapColumnsMax);
    column_ = kWindowLength * ((windows + most - 1) / most);
    columns_ = static_cast<std::size_t>((all + column_ - Duration(1)) / column_);
    for (const ServiceWindow& window : usage.windows) {
      for (const float sample : SamplesOf(window, resource)) top_ = std::max<double>(top_, sample);
    }
    for (const LimitLine& line : lines) {
      for (const auto& limit : line.limits) {
        top_ = std::max(top_, static_cast<double>(limit.value_or(0)));
      }
    }
    top_ = std::max(top_ * 1.02, 1.0);
  }

  HeatMap Cells() const {
    const bool cpu = resource_ == Resource::kCpu;
    HeatMap map{.title = fmt::format("{} of {}", cpu ? "Cpu" : "Memory", usage_.service),
                .note =
                    "How many samples were so much, and the limit that each recommender would have "
                    "set. Points: usage above it.",
                .x_label = "time since the first sample",
                .x_kind = PlotXKind::kTime,
                .y_label = cpu ? "cpu" : "memory",
                .y_unit = cpu ? "cores" : "GiB",
                .value_label = "samples",
                .value_scale = PlotYScale::kLog};
    for (std::size_t i = 0; i <= columns_; ++i) map.x_edges.push_back(SecondsAt(i));
    for (std::size_t i = 0; i <= kMapRows; ++i) {
      map.y_edges.push_back(top_ / unit_ * static_cast<double>(i) / kMapRows);
    }
    map.rows.assign(kMapRows,
                    std::vector<double>(columns_, std::numeric_limits<double>::quiet_NaN()));
    for (const ServiceWindow& window : usage_.windows) {
      for (const float sample : SamplesOf(window, resource_)) {
        const auto row = static_cast<std::size_t>(sample / top_ * kMapRows);
        double& cell = map.rows[std::min(row, kMapRows - 1)][ColumnOf(window)];
        cell = std::isnan(cell) ? 1 : cell + 1;
      }
    }
    return map;
  }

  // The limit at the beginning of each column, and the most that was above it there.
  void AddLine(const LimitLine& line, HeatMap& map) const {
    PlotSeries limits{.name = line.recommender, .kind = PlotSeriesKind::kStep};
    PlotSeries above{.name = fmt::format("{}: used above", line.recommender),
                     .kind = PlotSeriesKind::kPoints};
    std::size_t last = columns_;
    for (std::size_t i = 0; i < usage_.windows.size(); ++i) {
      if (!line.limits[i]) continue;
      const auto limit = static_cast<double>(*line.limits[i]);
      const std::size_t column = ColumnOf(usage_.windows[i]);
      if (std::exchange(last, column) != column) {
        limits.x.push_back(SecondsAt(column));
        limits.y.push_back(limit / unit_);
      }
      const double used = *std::ranges::max_element(SamplesOf(usage_.windows[i], resource_));
      if (used <= limit) continue;
      const double middle = (SecondsAt(column) + SecondsAt(column + 1)) / 2;
      if (above.x.empty() || above.x.back() != middle) {
        above.x.push_back(middle);
        above.y.push_back(0);
      }
      above.y.back() = std::max(above.y.back(), used / unit_);
    }
    if (limits.x.empty()) return;
    limits.x.push_back(SecondsAt(columns_));
    limits.y.push_back(limits.y.back());
    map.lines.push_back(std::move(limits));
    if (!above.x.empty()) map.lines.push_back(std::move(above));
  }

 private:
  std::size_t ColumnOf(const ServiceWindow& window) const {
    return static_cast<std::size_t>((window.begin - usage_.windows.front().begin) / column_);
  }
  double SecondsAt(std::size_t column) const {
    return std::chrono::duration<double>(column_).count() * static_cast<double>(column);
  }

  const ServiceUsage& usage_;
  Resource resource_;
  double unit_;
  Duration column_{};
  std::size_t columns_ = 0;
  double top_ = 0;
};

}  // namespace

HeatMap UsageMap(const ServiceUsage& usage, Resource resource,
                 const std::vector<LimitLine>& lines) {
  const UsageMapMaker maker(usage, resource, lines);
  HeatMap map = maker.Cells();
  for (const LimitLine& line : lines) maker.AddLine(line, map);
  return map;
}

}  // namespace berth
