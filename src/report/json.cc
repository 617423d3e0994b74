#include "report/json.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "report/names.h"

namespace berth {
namespace {

enum class Layout : std::uint8_t { kLines, kOneLine };

// Our own writer over nlohmann's escaping: nlohmann prints 1 as 1.0 and has no layout between all
// on one line and one number a line.
class Writer {
 public:
  void OpenObject(Layout layout) { Open('{', '}', layout); }
  void OpenArray(Layout layout) { Open('[', ']', layout); }

  void Close() {
    const Level level = levels_.back();
    levels_.pop_back();
    if (level.layout == Layout::kLines && !level.empty) BreakLine();
    out_ += level.closer;
  }

  void Key(std::string_view key) {
    StartItem();
    AppendText(key);
    out_ += ": ";
    after_key_ = true;
  }

  void Text(std::string_view text) {
    StartItem();
    AppendText(text);
  }

  void Number(double value) {
    StartItem();
    if (!std::isfinite(value)) {
      out_ += "null";
      return;
    }
    std::array<char, 32> digits;
    out_.append(digits.data(),
                std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
  }

  void Bool(bool value) {
    StartItem();
    out_ += value ? "true" : "false";
  }

  void Member(std::string_view key, std::string_view text) {
    Key(key);
    Text(text);
  }

  std::string Take() && { return std::move(out_); }

 private:
  struct Level {
    char closer;
    Layout layout;
    bool empty;
  };

  void Open(char opener, char closer, Layout layout) {
    StartItem();
    out_ += opener;
    levels_.push_back({closer, layout, true});
  }

  // Whatever stands between the previous item and the next: nothing after a key.
  void StartItem() {
    if (std::exchange(after_key_, false) || levels_.empty()) return;
    Level& level = levels_.back();
    if (!level.empty) out_ += level.layout == Layout::kLines ? "," : ", ";
    level.empty = false;
    if (level.layout == Layout::kLines) BreakLine();
  }

  void BreakLine() {
    out_ += '\n';
    out_.append(2 * levels_.size(), ' ');
  }

  void AppendText(std::string_view text) {
    using Plain = nlohmann::json;
    out_ += Plain(text).dump(-1, ' ', false, Plain::error_handler_t::replace);
  }

  std::string out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

template <typename Names, typename Enum>
std::string_view NameOf(const Names& names, Enum value) {
  for (const auto& [candidate, name] : names) {
    if (candidate == value) return name;
  }
  return {};
}

void WriteFact(Writer& writer, const Fact& fact) {
  writer.OpenObject(Layout::kOneLine);
  writer.Member("name", fact.name);
  writer.Member("value", fact.value);
  writer.Member("note", fact.note);
  writer.Close();
}

void WriteColumn(Writer& writer, const TableColumn& column) {
  writer.OpenObject(Layout::kOneLine);
  writer.Member("name", column.name);
  writer.Member("unit", column.unit);
  writer.Key("right_aligned");
  writer.Bool(column.right_aligned);
  writer.Close();
}

void WriteRow(Writer& writer, const std::vector<TableCell>& row) {
  writer.OpenArray(Layout::kOneLine);
  for (const TableCell& cell : row) {
    if (const auto* number = std::get_if<double>(&cell)) {
      writer.Number(*number);
    } else {
      writer.Text(std::get<std::string>(cell));
    }
  }
  writer.Close();
}

void WriteNumbers(Writer& writer, const std::vector<double>& numbers) {
  writer.OpenArray(Layout::kOneLine);
  for (const double number : numbers) writer.Number(number);
  writer.Close();
}

// A list under `key`, every item on a line of its own.
template <typename Items, typename WriteItem>
void WriteList(Writer& writer, std::string_view key, const Items& items, WriteItem write_item) {
  writer.Key(key);
  writer.OpenArray(Layout::kLines);
  for (const auto& item : items) write_item(writer, item);
  writer.Close();
}

void WriteTable(Writer& writer, const Table& table) {
  writer.OpenObject(Layout::kLines);
  writer.Member("title", table.title);
  writer.Member("note", table.note);
  WriteList(writer, "columns", table.columns, WriteColumn);
  WriteList(writer, "rows", table.rows, WriteRow);
  writer.Close();
}

void WriteSeries(Writer& writer, const PlotSeries& series) {
  writer.OpenObject(Layout::kLines);
  writer.Member("name", series.name);
  writer.Member("kind", NameOf(kPlotSeriesKindNames, series.kind));
  writer.Key("x");
  WriteNumbers(writer, series.x);
  writer.Key("y");
  WriteNumbers(writer, series.y);
  writer.Close();
}

void WriteX(Writer& writer, std::string_view label, PlotXKind kind) {
  writer.Key("x");
  writer.OpenObject(Layout::kOneLine);
  writer.Member("label", label);
  writer.Member("kind", NameOf(kPlotXKindNames, kind));
  writer.Close();
}

void WriteScaled(Writer& writer, std::string_view key, std::string_view label,
                 std::string_view unit, PlotYScale scale) {
  writer.Key(key);
  writer.OpenObject(Layout::kOneLine);
  writer.Member("label", label);
  writer.Member("unit", unit);
  writer.Member("scale", NameOf(kPlotYScaleNames, scale));
  writer.Close();
}

void WritePlot(Writer& writer, const Plot& plot) {
  writer.OpenObject(Layout::kLines);
  writer.Member("title", plot.title);
  writer.Member("note", plot.note);
  WriteX(writer, plot.x_label, plot.x_kind);
  WriteScaled(writer, "y", plot.y_label, plot.y_unit, plot.y_scale);
  WriteList(writer, "series", plot.series, WriteSeries);
  writer.Close();
}

void WriteHeatMap(Writer& writer, const HeatMap& map) {
  writer.OpenObject(Layout::kLines);
  writer.Member("title", map.title);
  writer.Member("note", map.note);
  WriteX(writer, map.x_label, map.x_kind);
  writer.Key("x_edges");
  WriteNumbers(writer, map.x_edges);
  WriteScaled(writer, "y", map.y_label, map.y_unit, PlotYScale::kLinear);
  writer.Key("y_edges");
  WriteNumbers(writer, map.y_edges);
  WriteScaled(writer, "value", map.value_label, map.value_unit, map.value_scale);
  WriteList(writer, "rows", map.rows, WriteNumbers);
  WriteList(writer, "lines", map.lines, WriteSeries);
  writer.Close();
}

void WriteNode(Writer& writer, const GraphNode& node) {
  writer.OpenObject(Layout::kOneLine);
  writer.Member("name", node.name);
  writer.Member("note", node.note);
  writer.Key("layer");
  writer.Number(static_cast<double>(node.layer));
  writer.Key("marked");
  writer.Bool(node.marked);
  writer.Close();
}

void WriteEdge(Writer& writer, const GraphEdge& edge) {
  writer.OpenObject(Layout::kOneLine);
  writer.Key("from");
  writer.Number(static_cast<double>(edge.from));
  writer.Key("to");
  writer.Number(static_cast<double>(edge.to));
  writer.Key("weight");
  writer.Number(edge.weight);
  writer.Close();
}

void WriteGraph(Writer& writer, const Graph& graph) {
  writer.OpenObject(Layout::kLines);
  writer.Member("title", graph.title);
  writer.Member("note", graph.note);
  writer.Member("weight_label", graph.weight_label);
  WriteList(writer, "nodes", graph.nodes, WriteNode);
  WriteList(writer, "edges", graph.edges, WriteEdge);
  writer.Close();
}

void WriteRun(Writer& writer, const Report& run) {
  writer.OpenObject(Layout::kLines);
  writer.Member("title", run.title);
  writer.Member("subtitle", run.subtitle);
  writer.Member("command", run.command);
  writer.Member("seed", std::to_string(run.seed));
  WriteList(writer, "paragraphs", run.paragraphs,
            [](Writer& w, const std::string& text) { w.Text(text); });
  WriteList(writer, "facts", run.facts, WriteFact);
  WriteList(writer, "tables", run.tables, WriteTable);
  WriteList(writer, "plots", run.plots, WritePlot);
  WriteList(writer, "heat_maps", run.heat_maps, WriteHeatMap);
  WriteList(writer, "graphs", run.graphs, WriteGraph);
  writer.Close();
}

}  // namespace

std::string ToJson(std::span<const Report> runs) {
  Writer writer;
  writer.OpenObject(Layout::kLines);
  writer.Member("schema", kReportSchema);
  WriteList(writer, "runs", runs, WriteRun);
  writer.Close();
  return std::move(writer).Take() + '\n';
}

std::string ToJson(const Report& run) { return ToJson(std::span(&run, 1)); }

}  // namespace berth
