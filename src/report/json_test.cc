#include "report/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace berth {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

Report SmallReport() {
  return {.title = "Packing",
          .subtitle = "3 machines",
          .command = "berth simulate packing --seed 7",
          .seed = 18446744073709551615U,
          .paragraphs = {"Said \"once\"."},
          .facts = {{"Placed", "99 %", "of 100"}},
          .tables = {{.title = "Clusters",
                      .columns = {{.name = "name"},
                                  {.name = "cpu", .unit = "%", .right_aligned = true}},
                      .rows = {{"west", 0.1}, {"east", kMissing}}}},
          .plots = {{.title = "Load",
                     .x_label = "time",
                     .y_label = "load",
                     .y_unit = "%",
                     .y_scale = PlotYScale::kLog,
                     .series = {{.name = "cpu",
                                 .kind = PlotSeriesKind::kStep,
                                 .x = {0, 1.5, 1e21},
                                 .y = {1, kMissing, -0.25}}}}},
          .heat_maps = {{.title = "Usage",
                         .x_label = "time",
                         .x_kind = PlotXKind::kTime,
                         .x_edges = {0, 300, 600},
                         .y_label = "cpu",
                         .y_unit = "cores",
                         .y_edges = {0, 0.5},
                         .value_label = "tasks",
                         .value_scale = PlotYScale::kLog,
                         .rows = {{7, kMissing}},
                         .lines = {{.name = "limit",
                                    .kind = PlotSeriesKind::kStep,
                                    .x = {0, 300},
                                    .y = {0.5, 0.25}}}}},
          .graphs = {{.title = "Calls",
                      .weight_label = "calls",
                      .nodes = {{.name = "web", .note = "calls 1"},
                                {.name = "db", .layer = 1, .marked = true}},
                      .edges = {{.from = 0, .to = 1, .weight = 2.5}}}}};
}

constexpr std::string_view kSmallJson = R"({
  "schema": "berth.report/1",
  "runs": [
    {
      "title": "Packing",
      "subtitle": "3 machines",
      "command": "berth simulate packing --seed 7",
      "seed": "18446744073709551615",
      "paragraphs": [
        "Said \"once\"."
      ],
      "facts": [
        {"name": "Placed", "value": "99 %", "note": "of 100"}
      ],
      "tables": [
        {
          "title": "Clusters",
          "note": "",
          "columns": [
            {"name": "name", "unit": "", "right_aligned": false},
            {"name": "cpu", "unit": "%", "right_aligned": true}
          ],
          "rows": [
            ["west", 0.1],
            ["east", null]
          ]
        }
      ],
      "plots": [
        {
          "title": "Load",
          "note": "",
          "x": {"label": "time", "kind": "time"},
          "y": {"label": "load", "unit": "%", "scale": "log"},
          "series": [
            {
              "name": "cpu",
              "kind": "step",
              "x": [0, 1.5, 1e+21],
              "y": [1, null, -0.25]
            }
          ]
        }
      ],
      "heat_maps": [
        {
          "title": "Usage",
          "note": "",
          "x": {"label": "time", "kind": "time"},
          "x_edges": [0, 300, 600],
          "y": {"label": "cpu", "unit": "cores", "scale": "linear"},
          "y_edges": [0, 0.5],
          "value": {"label": "tasks", "unit": "", "scale": "log"},
          "rows": [
            [7, null]
          ],
          "lines": [
            {
              "name": "limit",
              "kind": "step",
              "x": [0, 300],
              "y": [0.5, 0.25]
            }
          ]
        }
      ],
      "graphs": [
        {
          "title": "Calls",
          "note": "",
          "weight_label": "calls",
          "nodes": [
            {"name": "web", "note": "calls 1", "layer": 0, "marked": false},
            {"name": "db", "note": "", "layer": 1, "marked": true}
          ],
          "edges": [
            {"from": 0, "to": 1, "weight": 2.5}
          ]
        }
      ]
    }
  ]
}
)";

// The message of a document that must be refused.
std::string WhyRefused(std::string_view json) {
  const Result<std::vector<Report>> runs = ParseReportJson(json);
  return runs.ok() ? "accepted" : runs.status().message();
}

std::string Replaced(std::string_view from, std::string_view to) {
  std::string json(kSmallJson);
  const std::size_t at = json.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return json.replace(at, from.size(), to);
}

TEST(ReportJson, IsTheDocumentedText) { EXPECT_EQ(ToJson(SmallReport()), kSmallJson); }

TEST(ReportJson, IsTheSameEveryTime) { EXPECT_EQ(ToJson(SmallReport()), ToJson(SmallReport())); }

TEST(ReportJson, ReadsBackWhatItWrote) {
  std::vector<Report> runs = {SmallReport(), Report{.title = "Empty"}, SmallReport()};
  runs[2].plots[0].x_kind = PlotXKind::kNumber;
  runs[2].plots[0].y_scale = PlotYScale::kLinear;
  for (const auto kind : {PlotSeriesKind::kLine, PlotSeriesKind::kBars, PlotSeriesKind::kPoints}) {
    runs[2].plots[0].series.push_back({.name = "more", .kind = kind});
  }
  const Result<std::vector<Report>> read = ParseReportJson(ToJson(runs));
  ASSERT_TRUE(read.ok()) << read.status().message();
  ASSERT_EQ(read.value().size(), 3U);
  EXPECT_EQ(ToJson(read.value()), ToJson(runs));
  EXPECT_EQ(read.value()[0].seed, 18446744073709551615U);
  EXPECT_TRUE(std::isnan(read.value()[0].plots[0].series[0].y[1]));
}

TEST(ReportJson, KeepsEveryBitOfANumber) {
  Report report = SmallReport();
  const std::vector<double> numbers = {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, 123456789.125};
  report.plots[0].series[0].kind = PlotSeriesKind::kPoints;
  report.plots[0].series[0].x = numbers;
  report.plots[0].series[0].y = numbers;
  const Result<std::vector<Report>> read = ParseReportJson(ToJson(report));
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read.value()[0].plots[0].series[0].y, numbers);
}

TEST(ReportJson, WritesInfinityAsMissing) {
  Report report = SmallReport();
  report.tables[0].rows[0][1] = std::numeric_limits<double>::infinity();
  EXPECT_NE(ToJson(report).find(R"(["west", null])"), std::string::npos);
}

TEST(ReportJson, ReplacesBytesThatAreNotUtf8) {
  Report report = SmallReport();
  report.title = "a\xff";
  const Result<std::vector<Report>> read = ParseReportJson(ToJson(report));
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read.value()[0].title, "a\xef\xbf\xbd");
}

TEST(ReportJson, SaysWhereTheTextIsNotJson) {
  EXPECT_EQ(WhyRefused("{\n 7}").rfind("report.json: parse error at line 2, column 2", 0), 0U);
  EXPECT_NE(WhyRefused(""), "accepted");
}

TEST(ReportJson, RefusesAnotherSchema) {
  EXPECT_EQ(WhyRefused(Replaced("berth.report/1", "berth.report/2")),
            "report.json: the document has schema 'berth.report/2', this reads 'berth.report/1'");
}

TEST(ReportJson, NamesThePlaceOfWhatItRefuses) {
  EXPECT_EQ(WhyRefused("[]"), "report.json: the document has no member 'schema'");
  EXPECT_EQ(WhyRefused(R"({"schema": "berth.report/1", "runs": 3})"),
            "report.json: runs is not a list");
  EXPECT_EQ(WhyRefused(Replaced(R"("value": "99 %", )", "")),
            "report.json: runs[0].facts[0] has no member 'value'");
  EXPECT_EQ(WhyRefused(Replaced("0.1", "true")),
            "report.json: runs[0].tables[0].rows[0][1] is not text, a number or null");
  EXPECT_EQ(WhyRefused(Replaced("-0.25", "\"x\"")),
            "report.json: runs[0].plots[0].series[0].y[2] is not a number or null");
  EXPECT_EQ(WhyRefused(Replaced(R"("step")", R"("steps")")),
            "report.json: runs[0].plots[0].series[0].kind is 'steps', which is not a known word");
  EXPECT_EQ(WhyRefused(Replaced("18446744073709551615", "18446744073709551616")),
            "report.json: runs[0].seed is not a 64-bit number written as text");
  EXPECT_EQ(WhyRefused(Replaced(R"(: false)", ": 0")),
            "report.json: runs[0].tables[0].columns[0].right_aligned is not true or false");
}

TEST(ReportJson, RefusesDataThatDoesNotFitTogether) {
  EXPECT_EQ(WhyRefused(Replaced("[1, null, -0.25]", "[1]")),
            "plot 'Load', series 'cpu': 3 values of x but 1 of y");
  EXPECT_EQ(WhyRefused(Replaced("[0, 1.5", "[0, null")),
            "plot 'Load', series 'cpu': x 1 is not a finite number");
  EXPECT_EQ(WhyRefused(Replaced("[0, 1.5", "[2, 1.5")),
            "plot 'Load', series 'cpu': x 1 is before x 0, steps must ascend");
  EXPECT_EQ(WhyRefused(Replaced(R"(["east", null])", R"(["east"])")),
            "table 'Clusters': row 1 has 1 cells, the table has 2 columns");
}

TEST(ReportJson, RefusesHeatMapsWhoseEdgesDoNotFitTheirCells) {
  EXPECT_EQ(WhyRefused(Replaced("[0, 300, 600]", "[0, 300]")),
            "heat map 'Usage': 2 edges of x but 2 cells between them");
  EXPECT_EQ(WhyRefused(Replaced("[0, 300, 600]", "[0, 300, 300]")),
            "heat map 'Usage': edge 2 of x is not a finite number above the one before");
  EXPECT_EQ(WhyRefused(Replaced("[0, 300, 600]", "[0, null, 600]")),
            "heat map 'Usage': edge 1 of x is not a finite number above the one before");
  EXPECT_EQ(WhyRefused(Replaced("\"y_edges\": [0, 0.5]", "\"y_edges\": [0, 0.5, 1]")),
            "heat map 'Usage': 3 edges of y but 1 cells between them");
  EXPECT_EQ(WhyRefused(Replaced("[7, null]", "[7, null],[7]")),
            "heat map 'Usage': row 1 has 1 cells, the first has 2");
  EXPECT_EQ(WhyRefused(Replaced("[0, 300],", "[300, 0],")),
            "heat map 'Usage', series 'limit': x 1 is before x 0, steps must ascend");
}

TEST(ReportJson, RefusesBarsOverAHeatMap) {
  Report report = SmallReport();
  report.heat_maps[0].lines[0].kind = PlotSeriesKind::kBars;
  EXPECT_EQ(Validate(report).message(),
            "heat map 'Usage', series 'limit': bars hide what they stand on");
}

TEST(ReportJson, RefusesGraphsWhoseEdgesLeadNowhere) {
  EXPECT_EQ(WhyRefused(Replaced(R"("to": 1)", R"("to": 2)")),
            "graph 'Calls': edge 0 leads to a node that is not there");
  EXPECT_EQ(WhyRefused(Replaced(R"("weight": 2.5)", R"("weight": null)")),
            "graph 'Calls': the weight of edge 0 is not a finite number");
  EXPECT_EQ(WhyRefused(Replaced(R"("layer": 1)", R"("layer": 2)")),
            "graph 'Calls': node 1 is in layer 2, there are at most 2");
  EXPECT_EQ(WhyRefused(Replaced(R"("layer": 1)", R"("layer": -1)")),
            "report.json: runs[0].graphs[0].nodes[1].layer is not a whole number from 0 to 1e9");
}

TEST(ReportJson, ReadsReportsFromBeforeHeatMaps) {
  std::string json(kSmallJson);
  const std::size_t at = json.find(",\n      \"heat_maps\"");
  ASSERT_NE(at, std::string::npos);
  json = json.substr(0, at) + "\n    }\n  ]\n}\n";
  const Result<std::vector<Report>> read = ParseReportJson(json);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_TRUE(read.value()[0].heat_maps.empty());
  EXPECT_TRUE(read.value()[0].graphs.empty());
}

TEST(ReportJson, IgnoresKeysItDoesNotKnow) {
  EXPECT_TRUE(ParseReportJson(Replaced(R"("note": "")", R"("note": "", "later": {"a": 1})")).ok());
}

}  // namespace
}  // namespace berth
