#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
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

Status ValidateSeries(std::string_view place, const PlotSeries& series) {
  if (series.x.size() != series.y.size()) {
    return Bad(fmt::format("{}, series '{}': {} values of x but {} of y", place, series.name,
                           series.x.size(), series.y.size()));
  }
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!std::isfinite(series.x[i])) {
      return Bad(
          fmt::format("{}, series '{}': x {} is not a finite number", place, series.name, i));
    }
    if (series.kind == PlotSeriesKind::kStep && i > 0 && series.x[i] < series.x[i - 1]) {
      return Bad(fmt::format("{}, series '{}': x {} is before x {}, steps must ascend", place,
                             series.name, i, i - 1));
    }
  }
  return {};
}

Status ValidateEdges(std::string_view place, std::string_view axis,
                     const std::vector<double>& edges, std::size_t cells) {
  if (edges.size() != cells + 1) {
    return Bad(fmt::format("{}: {} edges of {} but {} cells between them", place, edges.size(),
                           axis, cells));
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (!std::isfinite(edges[i]) || (i > 0 && edges[i] <= edges[i - 1])) {
      return Bad(fmt::format("{}: edge {} of {} is not a finite number above the one before", place,
                             i, axis));
    }
  }
  return {};
}

Status ValidateHeatMap(const HeatMap& map) {
  const std::string place = fmt::format("heat map '{}'", map.title);
  const std::size_t columns = map.rows.empty() ? 0 : map.rows.front().size();
  for (std::size_t i = 0; i < map.rows.size(); ++i) {
    if (map.rows[i].size() != columns) {
      return Bad(fmt::format("{}: row {} has {} cells, the first has {}", place, i,
                             map.rows[i].size(), columns));
    }
  }
  BERTH_RETURN_IF_ERROR(ValidateEdges(place, "x", map.x_edges, columns));
  BERTH_RETURN_IF_ERROR(ValidateEdges(place, "y", map.y_edges, map.rows.size()));
  for (const PlotSeries& line : map.lines) {
    if (line.kind == PlotSeriesKind::kBars) {
      return Bad(fmt::format("{}, series '{}': bars hide what they stand on", place, line.name));
    }
    BERTH_RETURN_IF_ERROR(ValidateSeries(place, line));
  }
  return {};
}

Status ValidateGraph(const Graph& graph) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (graph.nodes[i].layer < graph.nodes.size()) continue;
    return Bad(fmt::format("graph '{}': node {} is in layer {}, there are at most {}", graph.title,
                           i, graph.nodes[i].layer, graph.nodes.size()));
  }
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    const GraphEdge& edge = graph.edges[i];
    if (std::max(edge.from, edge.to) >= graph.nodes.size()) {
      return Bad(
          fmt::format("graph '{}': edge {} leads to a node that is not there", graph.title, i));
    }
    if (!std::isfinite(edge.weight)) {
      return Bad(
          fmt::format("graph '{}': the weight of edge {} is not a finite number", graph.title, i));
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
      BERTH_RETURN_IF_ERROR(ValidateSeries(fmt::format("plot '{}'", plot.title), series));
    }
  }
  for (const HeatMap& map : report.heat_maps) {
    BERTH_RETURN_IF_ERROR(ValidateHeatMap(map));
  }
  for (const Graph& graph : report.graphs) {
    BERTH_RETURN_IF_ERROR(ValidateGraph(graph));
  }
  return {};
}

}  // namespace berth
