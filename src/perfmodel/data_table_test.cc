#include "perfmodel/data_table.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

Result<DataTable> Read(std::string text) {
  return ReadDataTable(LineReader::FromText(std::move(text), "data.csv"));
}

std::string ErrorOf(std::string text) { return Read(std::move(text)).status().message(); }

TEST(DataTable, ReadsRowsAndPicks) {
  const DataTable table = Read("a,b,c\n1,2,3\n\n4,5.5,-6\n").value();
  EXPECT_EQ(table.rows(), 2U);
  EXPECT_EQ(table.FindColumn("b"), 1U);
  EXPECT_EQ(table.FindColumn("d"), std::nullopt);
  EXPECT_EQ(table.Pick(std::vector<std::size_t>{1, 0}, std::vector<std::size_t>{2, 1}),
            (std::vector<double>{-6, 5.5, 3, 2}));
  EXPECT_EQ(table.PickRows(std::vector<std::size_t>{1}).Row(0)[0], 4);
}

TEST(DataTable, SaysWhereAndWhatIsWrong) {
  EXPECT_EQ(ErrorOf("a,b\n1,2\n3,x\n"),
            "data.csv:3: column 'b': 'x' is not a number; write a number");
  EXPECT_EQ(ErrorOf("a,b\n1,nan\n"),
            "data.csv:2: column 'b': 'nan' is not a number; write a number");
  EXPECT_EQ(ErrorOf("a,b\n1,-2e12\n"),
            "data.csv:2: column 'b': -2e+12 is beyond 1e+12; use a larger unit");
  EXPECT_EQ(ErrorOf("a,b\n1\n"),
            "data.csv:2: the row has 1 fields, the header 2; make them as many");
  EXPECT_EQ(ErrorOf("a,b\n"), "data.csv:1: there is no row; a model needs some");
  EXPECT_EQ(ErrorOf("a,,b\n"), "data.csv:1: a column has no name; name it");
  std::string wide = "c0";
  for (std::size_t i = 1; i <= kDataColumnsMax; ++i) wide += ",c" + std::to_string(i);
  EXPECT_EQ(ErrorOf(wide), "data.csv:1: there are 257 columns, 256 are the most; leave some out");
}

}  // namespace
}  // namespace berth
