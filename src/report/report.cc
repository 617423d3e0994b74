#include "report/report.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <utility>

namespace berth {
namespace {

Status Bad(std::string message) { return {Code::kInvalidArgument, std::move(message)}; }

Status ValidateTable(const Table& table) {
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (table.rows[i].size() != table.columns.size()) {
      return Bad(fmt::format("table '{}': row {} has {} cells, the table has {} columns",
                             table.title, i, table.rows[i].size(), table.columns.size()));
    }
  }
  return {};
}

Status ValidateSeries(const Plot& plot, const PlotSeries& series) {
  if (series.x.size() != series.y.size()) {
    return Bad(fmt::format("plot '{}', series '{}': {} values of x but {} of y", plot.title,
                           series.name, series.x.size(), series.y.size()));
  }
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!std::isfinite(series.x[i])) {
      return Bad(fmt::format("plot '{}', series '{}': x {} is not a finite number", plot.title,
                             series.name, i));
    }
    if (series.kind == PlotSeriesKind::kStep && i > 0 && series.x[i] < series.x[i - 1]) {
      return Bad(fmt::format("plot '{}', series '{}': x {} is before x {}, steps must ascend",
                             plot.title, series.name, i, i - 1));
    }
  }
  return {};
}

}  // namespace

Status Validate(const Report& report) {
  for (const Table& table : report.tables) {
    BERTH_RETURN_IF_ERROR(ValidateTable(table));
  }
  for (const Plot& plot : report.plots) {
    for (const PlotSeries& series : plot.series) {
      BERTH_RETURN_IF_ERROR(ValidateSeries(plot, series));
    }
  }
  return {};
}

}  // namespace berth
