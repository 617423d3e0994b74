#include "scale/space/metric_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "forecast/read_series.h"

namespace berth {
namespace {

Status NoSuchService(const std::string& column, const std::string& file_name) {
  return {Code::kInvalidArgument,
          fmt::format("{}: column {} is of no service of the model; name it METRIC or "
                      "SERVICE.METRIC",
                      file_name, Quoted(column))};
}

}  // namespace

void MetricTable::Add(std::string metric, std::size_t service, TimeSeries series) {
  series_.insert_or_assign({std::move(metric), service}, std::move(series));
}

Result<TimeSeries> MetricTable::Series(const MetricKey& key, std::size_t points) const {
  const auto found = series_.find({std::string(key.name), key.service});
  if (found == series_.end() || !key.request_type.empty()) {
    std::vector<std::string> known;
    for (const auto& [name, series] : series_) {
      if (name.second == key.service) known.push_back(name.first);
    }
    return Status(Code::kNotFound, fmt::format("there is no metric {}; the metrics are {}",
                                               Quoted(key.name), fmt::join(known, ", ")));
  }
  const TimeSeries& all = found->second;
  TimeSeries last{.start = all.start, .step = all.step};
  // A series begins with a value, not with a gap.
  std::size_t from = all.values.size() - std::min(points, all.values.size());
  while (from + 1 < all.values.size() && std::isnan(all.values[from])) ++from;
  last.start += all.step * static_cast<std::int64_t>(from);
  last.values.assign(all.values.begin() + static_cast<std::ptrdiff_t>(from), all.values.end());
  return last;
}

Time MetricTable::end() const {
  Time end{};
  for (const auto& [name, series] : series_) {
    end =
        std::max(end, series.start + series.step * static_cast<std::int64_t>(series.values.size()));
  }
  return end;
}

Result<MetricTable> ReadMetricTable(const std::string& text, const std::string& file_name,
                                    const ScaledApplication& application) {
  BERTH_TRY(const std::vector<NamedSeries> columns, ReadSeriesColumns(text, file_name));
  MetricTable table;
  // Of all services first, so that a column of one service's own takes their place.
  for (const NamedSeries& column : columns) {
    if (column.name.find('.') != std::string::npos) continue;
    const std::string metric = column.name == "value" ? "load" : column.name;
    table.Add(metric, MetricKey::kApplication, column.series);
    for (std::size_t s = 0; s < application.services.size(); ++s) {
      table.Add(metric, s, column.series);
    }
  }
  for (const NamedSeries& column : columns) {
    const std::size_t dot = column.name.find('.');
    if (dot == std::string::npos) continue;
    const auto found =
        std::ranges::find(application.services, column.name.substr(0, dot), &ScaledService::name);
    if (found == application.services.end()) return NoSuchService(column.name, file_name);
    table.Add(column.name.substr(dot + 1),
              static_cast<std::size_t>(found - application.services.begin()), column.series);
  }
  return table;
}

}  // namespace berth
