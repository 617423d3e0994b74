#include "report/table.h"

#include <gtest/gtest.h>

#include <limits>

namespace berth {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// The cells of a one-column table, as printed.
std::string Column(const std::vector<double>& values) {
  Table table{.columns = {{.name = "n"}}};
  for (const double value : values) table.rows.push_back({value});
  const std::string text = FormatTable(table);
  std::string cells;
  for (const char c : text.substr(text.find('\n', text.find('\n') + 1) + 1)) {
    if (c != ' ') cells += c == '\n' ? ' ' : c;
  }
  return cells;
}

TEST(FormatTable, AlignsColumnsAndNumbers) {
  const Table table{.title = "Packing by cluster",
                    .note = "Of the last hour.",
                    .columns = {{.name = "cluster"},
                                {.name = "machines"},
                                {.name = "cpu", .unit = "%"},
                                {.name = "state", .right_aligned = true},
                                {.name = "why"}},
                    .rows = {{"west-1", 1200.0, 73.2, "ready", "-"},
                             {"northeast-12", 7.0, kNoNumber, "draining", "update"}}};
  EXPECT_EQ(FormatTable(table),
            "Packing by cluster\n"
            "cluster       machines  cpu (%)     state  why\n"
            "------------  --------  -------  --------  ------\n"
            "west-1           1,200     73.2     ready  -\n"
            "northeast-12         7        -  draining  update\n"
            "Of the last hour.\n");
}

TEST(FormatTable, LeavesAMixedColumnOnTheLeft) {
  const Table table{.columns = {{.name = "limit"}}, .rows = {{"none"}, {8.0}}};
  EXPECT_EQ(FormatTable(table), "limit\n-----\nnone\n8\n");
}

TEST(FormatTable, PrintsHeadersWithoutRows) {
  EXPECT_EQ(FormatTable({.columns = {{.name = "a"}, {.name = "bc"}}}), "a  bc\n-  --\n");
}

TEST(FormatTable, GivesAColumnSharedDecimals) {
  EXPECT_EQ(Column({1, 2, 3}), "1 2 3 ");
  EXPECT_EQ(Column({0.5, 73.25}), "0.50 73.25 ");
  EXPECT_EQ(Column({12345.678, 2}), "12,345.7 2.0 ");
  EXPECT_EQ(Column({0.000123, 0}), "0.000123 0.000000 ");
  EXPECT_EQ(Column({1.0 / 3}), "0.3333 ");
  EXPECT_EQ(Column({1e-17, 4.5}), "0.0 4.5 ");
}

TEST(FormatTable, GroupsThousands) {
  EXPECT_EQ(Column({0, 999, 1000, -1000, 123456789, -999}), "0 999 1,000 -1,000 123,456,789 -999 ");
  EXPECT_EQ(Column({1e15, kNoNumber, 2.5e20}), "1e+15 - 2.5e+20 ");
}

TEST(FormatTable, CountsCodePointsNotBytes) {
  const Table table{.columns = {{.name = "µs"}, {.name = "x"}}, .rows = {{"é", 1.0}}};
  EXPECT_EQ(FormatTable(table), "µs  x\n--  -\né   1\n");
}

TEST(FormatTable, LetsNoTextSteerTheTerminal) {
  const Table table{.columns = {{.name = "a\nb"}}, .rows = {{"\x1b[31mred"}}};
  EXPECT_EQ(FormatTable(table), "a b\n--------\n [31mred\n");
}

}  // namespace
}  // namespace berth
