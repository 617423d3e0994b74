#include "base/lines.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

#include "berth/rng.h"
#include "support/temp_folder.h"

namespace berth {
namespace {

std::string Gzipped(std::string_view text) {
  const testing::TempFolder folder;
  const std::string path = folder.File("a.gz");
  gzFile out = gzopen(path.c_str(), "wb");
  gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
  gzclose(out);
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Outcome {
  std::vector<std::string> lines;
  Status status;
};

Outcome ReadAll(LineReader& reader) {
  Outcome outcome;
  for (;;) {
    const Result<std::optional<std::string_view>> line = reader.Next();
    if (!line.ok()) outcome.status = line.status();
    if (!line.ok() || !line.value()) return outcome;
    outcome.lines.emplace_back(*line.value());
    EXPECT_EQ(reader.line_number(), outcome.lines.size());
  }
}

Outcome LinesOfText(const std::string& text) {
  LineReader reader = LineReader::FromText(text, "t.csv");
  return ReadAll(reader);
}

Outcome LinesOfFile(std::string_view bytes) {
  const testing::TempFolder folder;
  Result<LineReader> reader = LineReader::Open(folder.Write("a", bytes));
  EXPECT_TRUE(reader.ok()) << reader.status().message();
  return ReadAll(reader.value());
}

using Lines = std::vector<std::string>;

TEST(Lines, EndWithTheirLineEndOrTheFile) {
  EXPECT_EQ(LinesOfText("").lines, Lines{});
  EXPECT_EQ(LinesOfText("a").lines, Lines{"a"});
  EXPECT_EQ(LinesOfText("a\n").lines, Lines{"a"});
  EXPECT_EQ(LinesOfText("a\r\nb\r\n").lines, (Lines{"a", "b"}));
  EXPECT_EQ(LinesOfText("\n\na").lines, (Lines{"", "", "a"}));
}

TEST(Lines, ReadsPlainAndGzipAlike) {
  Rng rng(31);
  Lines lines;
  std::string text;
  for (int i = 0; i < 20'000; ++i) {
    lines.emplace_back(rng.Below(100), static_cast<char>('a' + rng.Below(26)));
    text += lines.back() + "\n";
  }
  EXPECT_EQ(LinesOfFile(text).lines, lines);
  EXPECT_EQ(LinesOfFile(Gzipped(text)).lines, lines);
  EXPECT_EQ(LinesOfText(text).lines, lines);
  EXPECT_TRUE(LinesOfFile(Gzipped("")).lines.empty());
}

TEST(Lines, ReadsStandardInput) {
  const testing::TempFolder folder;
  const int saved = dup(STDIN_FILENO);
  std::FILE* in = std::fopen(folder.Write("a", "a\nb\n").c_str(), "rb");
  dup2(fileno(in), STDIN_FILENO);
  Result<LineReader> reader = LineReader::Open("-");
  dup2(saved, STDIN_FILENO);
  close(saved);
  std::fclose(in);
  ASSERT_TRUE(reader.ok()) << reader.status().message();
  EXPECT_EQ(ReadAll(reader.value()).lines, (Lines{"a", "b"}));
  EXPECT_EQ(reader.value().Error("is odd").message(), "standard input:2: is odd");
}

TEST(Lines, ALineMayBe64kBAndNoLonger) {
  const std::string longest(kLineBytesMax, 'x');
  EXPECT_EQ(LinesOfText("a\n" + longest + "\nb").lines, (Lines{"a", longest, "b"}));
  EXPECT_EQ(LinesOfFile(longest).lines, Lines{longest});
  for (const char* end : {"", "\n", "\nb\n"}) {
    const Outcome outcome = LinesOfText("a\n" + longest + "x" + end);
    EXPECT_EQ(outcome.lines, Lines{"a"});
    EXPECT_EQ(outcome.status.message(), "t.csv:2: the line is over 64 kB; is this the right file?");
  }
  EXPECT_FALSE(LinesOfFile(std::string(10 << 20, 'x')).status.ok());
}

TEST(Lines, ATruncatedGzipFileIsAnErrorWhereverItEnds) {
  const std::string whole = Gzipped("the first line\nand another, and another\nthe last\n");
  for (std::size_t size = 2; size < whole.size(); ++size) {
    const Status status = LinesOfFile(whole.substr(0, size)).status;
    EXPECT_FALSE(status.ok()) << size;
    EXPECT_TRUE(status.message().ends_with("the gzip file ends too early; copy it again"))
        << size << ": " << status.message();
  }
}

TEST(Lines, ADamagedGzipFileIsAnError) {
  const std::string whole = Gzipped("the first line\nand another, and another\nthe last\n");
  for (std::size_t at = 10; at < whole.size(); ++at) {  // Past its header.
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x5a);
    EXPECT_FALSE(LinesOfFile(damaged).status.ok()) << at;
  }
}

TEST(Lines, SaysWhyAFileCannotBeRead) {
  const Status missing = LineReader::Open("/no/such/file").status();
  EXPECT_EQ(missing.code(), Code::kNotFound);
  EXPECT_EQ(missing.message(),
            "/no/such/file: cannot be opened: No such file or directory; check the path");
  const testing::TempFolder folder;
  Result<LineReader> directory = LineReader::Open(folder.path());
  ASSERT_TRUE(directory.ok());
  const Status status = directory.value().Next().status();
  EXPECT_EQ(status.code(), Code::kUnavailable);
  EXPECT_NE(status.message().find("cannot be read: Is a directory"), std::string::npos)
      << status.message();
}

TEST(Lines, ErrorsNameTheFileAndTheLine) {
  LineReader reader = LineReader::FromText("a\nb\n", "t.csv");
  (void)reader.Next();
  (void)reader.Next();
  EXPECT_EQ(reader.Error("is odd; drop it").message(), "t.csv:2: is odd; drop it");
}

}  // namespace
}  // namespace berth
