// The data of one run's report: what a simulation hands over and json.h, html.h and table.h print.
//
// Plain values, in the order they are to be read; every one may be left out. Nothing here knows the
// wall clock, so the same data gives the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "berth/status.h"

namespace berth {

// A headline number, already in words: {"Placed", "99.2 %", "18,204 of 18,350 requests"}.
struct Fact {
  std::string name{};
  std::string value{};
  std::string note{};
};

// Text, or a number; NaN is a value that does not exist.
using TableCell = std::variant<std::string, double>;

struct TableColumn {
  std::string name{};
  std::string unit{};
  bool right_aligned = false;  // A column of numbers only is right-aligned in any case.
};

struct Table {
  std::string title{};
  std::string note{};
  std::vector<TableColumn> columns{};
  std::vector<std::vector<TableCell>> rows{};  // Each as long as `columns`.
};

enum class PlotXKind : std::uint8_t {
  kTime,  // Seconds since the start of the run, shown as a duration.
  kNumber,
};

enum class PlotYScale : std::uint8_t {
  kLinear,
  kLog,  // Values at or below zero are not drawn; they stay in the data.
};

enum class PlotSeriesKind : std::uint8_t {
  kLine,
  kStep,  // A value holds until the next one; its mean is weighted by how long it held.
  kBars,
  kPoints,
};

struct PlotSeries {
  std::string name{};
  PlotSeriesKind kind = PlotSeriesKind::kLine;
  std::vector<double> x{};  // Finite; of steps, ascending.
  std::vector<double> y{};  // As long as `x`. NaN is a gap.
};

struct Plot {
  std::string title{};
  std::string note{};
  std::string x_label{};
  PlotXKind x_kind = PlotXKind::kTime;
  std::string y_label{};
  std::string y_unit{};
  PlotYScale y_scale = PlotYScale::kLinear;
  std::vector<PlotSeries> series{};
};

// Cells between edges, coloured by their value; lines may be drawn over them.
struct HeatMap {
  std::string title{};
  std::string note{};
  std::string x_label{};
  PlotXKind x_kind = PlotXKind::kNumber;
  std::vector<double> x_edges{};  // Finite and rising: one more than there are columns.
  std::string y_label{};
  std::string y_unit{};
  std::vector<double> y_edges{};  // As those of x: one more than there are rows.
  std::string value_label{};
  std::string value_unit{};
  PlotYScale value_scale = PlotYScale::kLinear;
  std::vector<std::vector<double>> rows{};  // From the lowest y on. NaN is an empty cell.
  std::vector<PlotSeries> lines{};          // Not bars. Points have the colour of the line before.
};

// Boxes in layers, from left to right, and arrows between them.
struct GraphNode {
  std::string name{};
  std::string note{};     // More about it, said when it is looked at.
  std::size_t layer = 0;  // Those of one layer are drawn from top to bottom, in their order.
  bool marked = false;    // As what the graph's note says.
};

struct GraphEdge {
  std::size_t from = 0;  // Of the nodes.
  std::size_t to = 0;
  double weight = 1;  // Finite; how thick it is beside others.
};

struct Graph {
  std::string title{};
  std::string note{};
  std::string weight_label{};
  std::vector<GraphNode> nodes{};
  std::vector<GraphEdge> edges{};
};

struct Report {
  std::string title{};
  std::string subtitle{};
  std::string command{};  // The command line that gives this report again.
  std::uint64_t seed = 0;
  std::vector<std::string> paragraphs{};
  std::vector<Fact> facts{};
  std::vector<Table> tables{};
  std::vector<Plot> plots{};
  std::vector<HeatMap> heat_maps{};
  std::vector<Graph> graphs{};
};

// Whether rows match columns, y matches x, edges match cells or nodes and every x is as said above.
// The message names the place.
Status Validate(const Report& report);

}  // namespace berth
