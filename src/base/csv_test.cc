#include "base/csv.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

using Row = std::vector<std::string>;

Row FieldsOf(std::string_view line) {
  Row fields;
  const Status status = SplitCsv(line, fields);
  EXPECT_TRUE(status.ok()) << status.message();
  return fields;
}

std::string SplitError(std::string_view line) {
  Row fields;
  return SplitCsv(line, fields).message();
}

TEST(SplitCsv, SplitsAtCommas) {
  EXPECT_EQ(FieldsOf("a,b,c"), (Row{"a", "b", "c"}));
  EXPECT_EQ(FieldsOf(""), (Row{""}));
  EXPECT_EQ(FieldsOf(","), (Row{"", ""}));
  EXPECT_EQ(FieldsOf("a,"), (Row{"a", ""}));
  EXPECT_EQ(FieldsOf(" a , b "), (Row{" a ", " b "}));
}

TEST(SplitCsv, UnquotesFields) {
  EXPECT_EQ(FieldsOf(R"("a,b",c)"), (Row{"a,b", "c"}));
  EXPECT_EQ(FieldsOf(R"("say ""hi""","")"), (Row{"say \"hi\"", ""}));
  EXPECT_EQ(FieldsOf(R"("""")"), (Row{"\""}));
  EXPECT_EQ(FieldsOf(R"(a,"b")"), (Row{"a", "b"}));
}

TEST(SplitCsv, ReplacesWhatTheFieldsHeld) {
  Row fields = {"x", "y", "z"};
  EXPECT_TRUE(SplitCsv("\"1\"", fields).ok());
  EXPECT_EQ(fields, Row{"1"});
}

TEST(SplitCsv, RefusesQuotesOutOfPlace) {
  EXPECT_EQ(SplitError("a,\"b"), "a quoted field is not closed; close it on the same line");
  EXPECT_EQ(SplitError("\"a\"\""), "a quoted field is not closed; close it on the same line");
  EXPECT_EQ(SplitError("\"a\"b,c"), "'b' after a closing quote; put a comma between");
  EXPECT_EQ(SplitError("a\"b,c"), "a quote inside 'a\"b'; put quotes around the whole field");
}

Result<CsvReader> Open(const std::string& text) {
  return CsvReader::Open(LineReader::FromText(text, "t.csv"));
}

TEST(Csv, ReadsRowsByColumnName) {
  CsvReader csv =
      Open("name,start,share,memory\r\nweb, 12 ,0.5,1Gi\r\n\r\n\"d,b\",-3,1e3, 2k\r\n").value();
  const CsvColumn name = csv.Column("name").value();
  const CsvColumn start = csv.Column("start").value();
  const CsvColumn share = csv.FindColumn("share").value();
  const CsvColumn memory = csv.Column("memory").value();
  ASSERT_TRUE(csv.Next().value());
  EXPECT_EQ(csv.Text(name), "web");
  EXPECT_EQ(csv.Integer(start).value(), 12);
  EXPECT_EQ(csv.Number(share).value(), 0.5);
  EXPECT_EQ(csv.Amount(memory, Resource::kMemory).value(), 1 << 30);
  ASSERT_TRUE(csv.Next().value());
  EXPECT_EQ(csv.Text(name), "d,b");
  EXPECT_EQ(csv.Integer(start).value(), -3);
  EXPECT_EQ(csv.Number(share).value(), 1000);
  EXPECT_EQ(csv.Amount(memory, Resource::kMemory).value(), 2000);
  EXPECT_FALSE(csv.Next().value());
}

TEST(Csv, ErrorsSayFileLineAndColumn) {
  CsvReader csv = Open("a,b\n1,2\nx,\n99999999999999999999,1e999\n1.5,nan\n").value();
  const CsvColumn a = csv.Column("a").value();
  const CsvColumn b = csv.Column("b").value();
  ASSERT_TRUE(csv.Next().value());
  EXPECT_EQ(csv.Error(a, "is odd; drop it").message(), "t.csv:2: column 'a': is odd; drop it");
  EXPECT_EQ(csv.Error("is odd; drop it").message(), "t.csv:2: is odd; drop it");
  ASSERT_TRUE(csv.Next().value());
  EXPECT_EQ(csv.Integer(a).status().message(),
            "t.csv:3: column 'a': 'x' is not a whole number; write a whole number");
  EXPECT_EQ(csv.Number(b).status().message(),
            "t.csv:3: column 'b': '' is not a number; write a number");
  EXPECT_EQ(csv.Amount(b, Resource::kNetwork).status().message(),
            "t.csv:3: column 'b': '' is not an amount of network; write it like \"10Gbit\" or "
            "\"500Mbit\"");
  ASSERT_TRUE(csv.Next().value());
  EXPECT_EQ(csv.Integer(a).status().message(),
            "t.csv:4: column 'a': '99999999999999999999' is out of range; write a whole number");
  EXPECT_EQ(csv.Number(b).status().message(),
            "t.csv:4: column 'b': '1e999' is out of range; write a number");
  ASSERT_TRUE(csv.Next().value());
  EXPECT_FALSE(csv.Integer(a).ok());
  EXPECT_EQ(csv.Number(b).status().message(),
            "t.csv:5: column 'b': 'nan' is not a number; write a number");
}

TEST(Csv, AMissingColumnIsNamedWithThoseThereAre) {
  const CsvReader csv = Open("a,b\n").value();
  EXPECT_FALSE(csv.FindColumn("c").has_value());
  EXPECT_EQ(csv.Column("c").status().message(),
            "t.csv:1: column 'c': is missing; the file has 'a,b'");
}

TEST(Csv, RowsHaveAsManyFieldsAsTheHeader) {
  CsvReader csv = Open("a,b\n1\n").value();
  EXPECT_EQ(csv.Next().status().message(),
            "t.csv:2: the row has 1 fields, the header 2; make them as many");
}

TEST(Csv, ReadsFilesWithoutAHeader) {
  CsvReader csv = CsvReader::WithColumns(LineReader::FromText("1,x\n2\n", "t.csv"), {"a", "b"});
  ASSERT_TRUE(csv.Next().value());
  EXPECT_EQ(csv.Integer(csv.Column("a").value()).value(), 1);
  EXPECT_EQ(csv.Text(csv.Column("b").value()), "x");
  EXPECT_EQ(csv.Next().status().message(),
            "t.csv:2: the row has 1 fields, the format 2; make them as many");
}

TEST(Csv, FieldsThatAShortRowLacksAreEmpty) {
  CsvReader csv = Open("a,b,c\n1,2,3\n4\n1,2,3,4\n").value();
  csv.AllowShortRows();
  ASSERT_TRUE(csv.Next().value());
  ASSERT_TRUE(csv.Next().value());
  EXPECT_EQ(csv.Text(csv.Column("a").value()), "4");
  EXPECT_EQ(csv.Text(csv.Column("c").value()), "");
  EXPECT_EQ(csv.Next().status().message(),
            "t.csv:4: the row has 4 fields, the header 3; make them as many");
}

TEST(Csv, NamesOfColumnsMayHaveSpacesAround) {
  const CsvReader csv = Open("a, b ,\tc\n").value();
  EXPECT_EQ(csv.names(), (Row{"a", "b", "c"}));
}

TEST(Csv, ABadRowNamesItsLine) {
  CsvReader csv = Open("a,b\n1,2\n\"1,2\n").value();
  EXPECT_TRUE(csv.Next().value());
  EXPECT_EQ(csv.Next().status().message(),
            "t.csv:3: a quoted field is not closed; close it on the same line");
}

TEST(Csv, ABadHeaderIsRefused) {
  EXPECT_EQ(Open("").status().message(),
            "t.csv:1: the file is empty; it must begin with a row of column names");
  EXPECT_EQ(Open("a,b,a\n").status().message(), "t.csv:1: two columns are named 'a'; rename one");
  EXPECT_EQ(Open("\"a\n").status().message(),
            "t.csv:1: a quoted field is not closed; close it on the same line");
}

TEST(Csv, PassesTheLineReadersErrorsOn) {
  EXPECT_NE(Open(std::string(kLineBytesMax + 1, 'x')).status().message().find("over 64 kB"),
            std::string::npos);
  CsvReader csv = Open("a\n" + std::string(kLineBytesMax + 1, 'x')).value();
  EXPECT_NE(csv.Next().status().message().find("t.csv:2: the line is over 64 kB"),
            std::string::npos);
}

}  // namespace
}  // namespace berth
