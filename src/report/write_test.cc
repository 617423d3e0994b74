#include "report/write.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <vector>

#include "report/html.h"
#include "report/json.h"
#include "support/temp_folder.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

class WriteReportTest : public ::testing::Test {
 protected:
  static std::string Read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // Every file below the folder, by its path from there.
  std::set<std::string> Files() const {
    std::set<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      if (entry.is_regular_file()) files.insert(fs::relative(entry, folder_.path()).string());
    }
    return files;
  }

  testing::TempFolder folder_;
  std::vector<Report> runs_ = {{.title = "Packing"}, {.title = "Spreading"}};
};

TEST_F(WriteReportTest, MakesTheFolderAndBothFiles) {
  const Status status = WriteReport(folder_.File("a/b"), runs_);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(Files(), (std::set<std::string>{"a/b/report.html", "a/b/report.json"}));
  EXPECT_EQ(Read(folder_.File("a/b/report.json")), ToJson(runs_));
  EXPECT_EQ(Read(folder_.File("a/b/report.html")), ToHtml(runs_));
}

TEST_F(WriteReportTest, PutsTheTwinBesideANamedFile) {
  ASSERT_TRUE(WriteReport(folder_.File("x.html"), runs_).ok());
  ASSERT_TRUE(WriteReport(folder_.File("y.json"), runs_).ok());
  EXPECT_EQ(Files(), (std::set<std::string>{"x.html", "x.json", "y.html", "y.json"}));
}

TEST_F(WriteReportTest, ReplacesAnOlderReport) {
  ASSERT_TRUE(WriteReport(folder_.path(), runs_).ok());
  runs_.pop_back();
  ASSERT_TRUE(WriteReport(folder_.path(), runs_).ok());
  EXPECT_EQ(Files().size(), 2U);
  EXPECT_EQ(Read(folder_.File("report.json")), ToJson(runs_));
}

TEST_F(WriteReportTest, LeavesNothingBehindWhenItFails) {
  fs::create_directory(folder_.File("report.json"));
  const Status status = WriteReport(folder_.path(), runs_);
  EXPECT_EQ(status.code(), Code::kUnavailable);
  EXPECT_NE(status.message().find("report.json"), std::string::npos);
  EXPECT_TRUE(Files().empty());
}

TEST_F(WriteReportTest, SaysWhichFolderItCannotMake) {
  folder_.Write("file", "x");
  const Status status = WriteReport(folder_.File("file/below"), runs_);
  EXPECT_EQ(status.code(), Code::kUnavailable);
  EXPECT_NE(status.message().find("file/below"), std::string::npos) << status.message();
}

TEST_F(WriteReportTest, WritesNoReportThatDoesNotFitTogether) {
  runs_[1].tables.push_back({.title = "T", .columns = {{.name = "a"}}, .rows = {{}}});
  EXPECT_EQ(WriteReport(folder_.path(), runs_).code(), Code::kInvalidArgument);
  EXPECT_TRUE(Files().empty());
}

}  // namespace
}  // namespace berth
