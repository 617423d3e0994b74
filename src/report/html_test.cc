#include "report/html.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "report/json.h"
#include "report/page_assets.h"

namespace berth {
namespace {

constexpr std::string_view kDataOpen = R"(<script type="application/json" id="report-data">)";

std::string_view DataOf(std::string_view page) {
  const std::size_t begin = page.find(kDataOpen) + kDataOpen.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

std::size_t Count(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(ReportHtml, CarriesTheDataOfEveryRun) {
  const std::vector<Report> runs = {{.title = "First"}, {.title = "Second", .seed = 9}};
  const Result<std::vector<Report>> read = ParseReportJson(DataOf(ToHtml(runs)));
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(ToJson(read.value()), ToJson(runs));
}

TEST(ReportHtml, LetsNoTextLeaveItsPlace) {
  const std::string hostile = R"(</title></script><!--<script>&amp;"'>)";
  const std::vector<Report> runs = {{.title = hostile, .facts = {{hostile, hostile, hostile}}}};
  const std::string page = ToHtml(runs);
  EXPECT_EQ(DataOf(page).find_first_of("<>&"), std::string_view::npos);
  const Result<std::vector<Report>> read = ParseReportJson(DataOf(page));
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read.value()[0].title, hostile);
  EXPECT_NE(page.find("<title>&lt;/title&gt;&lt;/script&gt;&lt;!--&lt;script&gt;&amp;amp;&quot;'"),
            std::string::npos);
  EXPECT_EQ(Count(page, "</script>"), 2U);
  EXPECT_EQ(Count(page, "<!--"), 0U);
}

TEST(ReportHtml, AllowsOnlyItsOwnScriptAndStyle) {
  const std::string page = ToHtml({});
  const std::size_t policy = page.find("default-src 'none'; script-src 'sha256-");
  ASSERT_NE(policy, std::string::npos);
  EXPECT_LT(policy, page.find("<title>"));
  EXPECT_EQ(Count(page, ReportPage().script), 1U);
  EXPECT_EQ(Count(page, ReportPage().style), 1U);
  EXPECT_EQ(page.find("unsafe-inline"), std::string::npos);
}

TEST(ReportHtml, RefersToNothingOutside) {
  const std::string page = ToHtml({});
  for (const std::string_view reference : {" src=", "@import", "url(", "https://"}) {
    EXPECT_EQ(page.find(reference), std::string::npos) << reference;
  }
}

TEST(ReportHtml, IsTheSameEveryTime) {
  const std::vector<Report> runs = {{.title = "Packing", .seed = 42}};
  EXPECT_EQ(ToHtml(runs), ToHtml(runs));
}

TEST(ReportHtml, NamesTheRunsInItsTitle) {
  const std::vector<Report> runs = {{.title = "A"}, {.title = "B"}, {.title = "C"}};
  EXPECT_NE(ToHtml({}).find("<title>Berth report</title>"), std::string::npos);
  EXPECT_NE(ToHtml(std::span(runs).first(1)).find("<title>A</title>"), std::string::npos);
  EXPECT_NE(ToHtml(runs).find("<title>A and 2 more</title>"), std::string::npos);
}

}  // namespace
}  // namespace berth
