// The examples of docs/formats.md that other rooms than fleet read.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "report/json.h"
#include "support/paths.h"
#include "traces/open.h"

namespace berth {
namespace {

std::string Contents(const std::string& name) {
  std::ifstream file(testing::SourceDir() / name);
  EXPECT_TRUE(file.good()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

// The first block fenced as `language` under a "## title".
std::string Example(const std::string& title, const std::string& language) {
  const std::string page = Contents("docs/formats.md");
  const std::size_t section = page.find("\n## " + title + "\n");
  const std::string open = "```" + language + "\n";
  const std::size_t fence = page.find(open, section);
  if (section == std::string::npos || fence == std::string::npos) return "no such example";
  const std::size_t begin = fence + open.size();
  return page.substr(begin, page.find("```\n", begin) - begin);
}

TEST(FormatsPage, ShowsTheTraceThatIsRead) {
  EXPECT_EQ(Example("Trace", "csv"), Contents("testdata/formats/trace.csv"));
  const std::string path = (testing::SourceDir() / "testdata/formats/trace.csv").string();
  const Result<std::unique_ptr<Trace>> trace = OpenTrace(path, {});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  int services = 0;
  for (;;) {
    const Result<std::optional<Arrival>> next = trace.value()->Next();
    ASSERT_TRUE(next.ok()) << next.status().message();
    if (!next.value()) break;
    ++services;
  }
  EXPECT_EQ(services, 8);
}

TEST(FormatsPage, ShowsAReportThatIsRead) {
  const Result<std::vector<Report>> runs = ParseReportJson(Example("report.json", "json"));
  ASSERT_TRUE(runs.ok()) << runs.status().message();
  ASSERT_EQ(runs.value().size(), 1U);
  EXPECT_EQ(runs.value()[0].title, "Packing rehearsal");
  EXPECT_EQ(runs.value()[0].tables[0].rows.size(), 1U);
}

}  // namespace
}  // namespace berth
