#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "report/json.h"
#include "report/names.h"

namespace berth {
namespace {

using ParsedJson = nlohmann::json;

// One value and the place it stands at. The first thing found wrong is kept in `error`; from then
// on every answer is empty and the caller refuses the whole document at the end.
class Reader {
 public:
  Reader(const ParsedJson& value, std::string place, std::string& error)
      : value_(value), place_(std::move(place)), error_(error) {}

  Reader Member(const char* key) const {
    const auto found = value_.is_object() ? value_.find(key) : value_.end();
    if (found == value_.end()) {
      Fail(fmt::format("has no member '{}'", key));
      static const ParsedJson kNull;
      return {kNull, place_, error_};
    }
    return {*found, place_.empty() ? key : fmt::format("{}.{}", place_, key), error_};
  }

  bool Has(const char* key) const { return value_.is_object() && value_.contains(key); }

  std::string Text() const {
    if (!value_.is_string()) return Fail("is not text"), std::string();
    return value_.get<std::string>();
  }

  bool Bool() const {
    if (!value_.is_boolean()) return Fail("is not true or false"), false;
    return value_.get<bool>();
  }

  double Number() const {
    if (value_.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!value_.is_number()) return Fail("is not a number or null"), 0;
    return value_.get<double>();
  }

  std::size_t Index() const {
    const double number = Number();
    if (number >= 0 && number <= 1e9 && number == std::floor(number)) {
      return static_cast<std::size_t>(number);
    }
    return Fail("is not a whole number from 0 to 1e9"), 0;
  }

  TableCell Cell() const {
    if (value_.is_string()) return value_.get<std::string>();
    if (value_.is_number() || value_.is_null()) return Number();
    return Fail("is not text, a number or null"), TableCell();
  }

  std::uint64_t Seed() const {
    const std::string text = Text();
    std::uint64_t seed = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, seed);
    if (error != std::errc() || stop != end) Fail("is not a 64-bit number written as text");
    return seed;
  }

  template <typename Names>
  auto Word(const Names& names) const {
    const std::string text = Text();
    for (const auto& [value, name] : names) {
      if (name == text) return value;
    }
    Fail(fmt::format("is '{}', which is not a known word", text));
    return names.front().first;
  }

  template <typename ReadItem>
  auto List(ReadItem read_item) const {
    std::vector<decltype(read_item(*this))> items;
    if (!value_.is_array()) return Fail("is not a list"), items;
    items.reserve(value_.size());
    for (std::size_t i = 0; i < value_.size() && error_.empty(); ++i) {
      items.push_back(read_item(Reader(value_[i], fmt::format("{}[{}]", place_, i), error_)));
    }
    return items;
  }

  void Fail(std::string_view what) const {
    if (!error_.empty()) return;
    error_ = fmt::format("report.json: {} {}", place_.empty() ? "the document" : place_, what);
  }

 private:
  const ParsedJson& value_;
  std::string place_;
  std::string& error_;
};

std::string ReadText(const Reader& text) { return text.Text(); }
double ReadNumber(const Reader& number) { return number.Number(); }
TableCell ReadCell(const Reader& cell) { return cell.Cell(); }

Fact ReadFact(const Reader& fact) {
  return {.name = fact.Member("name").Text(),
          .value = fact.Member("value").Text(),
          .note = fact.Member("note").Text()};
}

TableColumn ReadColumn(const Reader& column) {
  return {.name = column.Member("name").Text(),
          .unit = column.Member("unit").Text(),
          .right_aligned = column.Member("right_aligned").Bool()};
}

Table ReadTable(const Reader& table) {
  return {.title = table.Member("title").Text(),
          .note = table.Member("note").Text(),
          .columns = table.Member("columns").List(ReadColumn),
          .rows = table.Member("rows").List([](const Reader& row) { return row.List(ReadCell); })};
}

PlotSeries ReadSeries(const Reader& series) {
  return {.name = series.Member("name").Text(),
          .kind = series.Member("kind").Word(kPlotSeriesKindNames),
          .x = series.Member("x").List(ReadNumber),
          .y = series.Member("y").List(ReadNumber)};
}

Plot ReadPlot(const Reader& plot) {
  const Reader x = plot.Member("x");
  const Reader y = plot.Member("y");
  return {.title = plot.Member("title").Text(),
          .note = plot.Member("note").Text(),
          .x_label = x.Member("label").Text(),
          .x_kind = x.Member("kind").Word(kPlotXKindNames),
          .y_label = y.Member("label").Text(),
          .y_unit = y.Member("unit").Text(),
          .y_scale = y.Member("scale").Word(kPlotYScaleNames),
          .series = plot.Member("series").List(ReadSeries)};
}

HeatMap ReadHeatMap(const Reader& map) {
  const Reader x = map.Member("x");
  const Reader y = map.Member("y");
  const Reader value = map.Member("value");
  return {.title = map.Member("title").Text(),
          .note = map.Member("note").Text(),
          .x_label = x.Member("label").Text(),
          .x_kind = x.Member("kind").Word(kPlotXKindNames),
          .x_edges = map.Member("x_edges").List(ReadNumber),
          .y_label = y.Member("label").Text(),
          .y_unit = y.Member("unit").Text(),
          .y_edges = map.Member("y_edges").List(ReadNumber),
          .value_label = value.Member("label").Text(),
          .value_unit = value.Member("unit").Text(),
          .value_scale = value.Member("scale").Word(kPlotYScaleNames),
          .rows = map.Member("rows").List([](const Reader& row) { return row.List(ReadNumber); }),
          .lines = map.Member("lines").List(ReadSeries)};
}

// Reports written before there were any have none.
std::vector<HeatMap> ReadHeatMaps(const Reader& run) {
  if (!run.Has("heat_maps")) return {};
  return run.Member("heat_maps").List(ReadHeatMap);
}

GraphNode ReadNode(const Reader& node) {
  return {.name = node.Member("name").Text(),
          .note = node.Member("note").Text(),
          .layer = node.Member("layer").Index(),
          .marked = node.Member("marked").Bool()};
}

GraphEdge ReadEdge(const Reader& edge) {
  return {.from = edge.Member("from").Index(),
          .to = edge.Member("to").Index(),
          .weight = edge.Member("weight").Number()};
}

Graph ReadGraph(const Reader& graph) {
  return {.title = graph.Member("title").Text(),
          .note = graph.Member("note").Text(),
          .weight_label = graph.Member("weight_label").Text(),
          .nodes = graph.Member("nodes").List(ReadNode),
          .edges = graph.Member("edges").List(ReadEdge)};
}

std::vector<Graph> ReadGraphs(const Reader& run) {
  if (!run.Has("graphs")) return {};
  return run.Member("graphs").List(ReadGraph);
}

Report ReadRun(const Reader& run) {
  return {.title = run.Member("title").Text(),
          .subtitle = run.Member("subtitle").Text(),
          .command = run.Member("command").Text(),
          .seed = run.Member("seed").Seed(),
          .paragraphs = run.Member("paragraphs").List(ReadText),
          .facts = run.Member("facts").List(ReadFact),
          .tables = run.Member("tables").List(ReadTable),
          .plots = run.Member("plots").List(ReadPlot),
          .heat_maps = ReadHeatMaps(run),
          .graphs = ReadGraphs(run)};
}

Result<ParsedJson> ParseJson(std::string_view text) {
  try {
    return ParsedJson::parse(text);
  } catch (const ParsedJson::exception& error) {
    // "[json.exception.…] parse error at line 1, column 2: …": the reader wants what follows "] ".
    const std::string_view what = error.what();
    const std::size_t prefix = what.find("] ");
    return Status(Code::kInvalidArgument,
                  fmt::format("report.json: {}",
                              what.substr(prefix == std::string_view::npos ? 0 : prefix + 2)));
  }
}

}  // namespace

Result<std::vector<Report>> ParseReportJson(std::string_view text) {
  BERTH_TRY(const ParsedJson json, ParseJson(text));
  std::string error;
  const Reader document(json, "", error);
  const std::string schema = document.Member("schema").Text();
  if (error.empty() && schema != kReportSchema) {
    document.Fail(fmt::format("has schema '{}', this reads '{}'", schema, kReportSchema));
  }
  if (!error.empty()) return Status(Code::kInvalidArgument, std::move(error));
  std::vector<Report> runs = document.Member("runs").List(ReadRun);
  if (!error.empty()) return Status(Code::kInvalidArgument, std::move(error));
  for (const Report& run : runs) BERTH_RETURN_IF_ERROR(Validate(run));
  return runs;
}

}  // namespace berth
