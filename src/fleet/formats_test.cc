// The examples of docs/formats.md: the page shows the files, and the files can be read.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "fleet/fleet_file.h"
#include "fleet/judge.h"
#include "fleet/service_file.h"
#include "support/paths.h"

namespace berth {
namespace {

std::string PathOf(const std::string& name) {
  return (testing::SourceDir() / "testdata/formats" / name).string();
}

std::string Contents(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

// The first fenced block under a "## title".
std::string Example(const std::string& title) {
  const std::string page = Contents((testing::SourceDir() / "docs/formats.md").string());
  const std::size_t section = page.find("\n## " + title + "\n");
  if (section == std::string::npos) return "no section " + title;
  const std::string open = "```yaml\n";
  const std::size_t begin = page.find(open, section) + open.size();
  return page.substr(begin, page.find("```\n", begin) - begin);
}

TEST(Formats, ThePageShowsTheFiles) {
  EXPECT_EQ(Example("Fleet"), Contents(PathOf("fleet.yaml")));
  EXPECT_EQ(Example("Service"), Contents(PathOf("service.yaml")));
  EXPECT_EQ(Example("Policy"), Contents(PathOf("policy.yaml")));
}

TEST(Formats, TheFleetExampleReads) {
  const Result<FleetFile> file = ReadFleetFile(PathOf("fleet.yaml"));
  ASSERT_TRUE(file.ok()) << file.status().message();
  EXPECT_EQ(file.value().zone, "west-1");
  EXPECT_EQ(file.value().machines.size(), 49U);
  EXPECT_EQ(file.value().machines[6].health, Health::kDown);
  EXPECT_EQ(file.value().machines.back().name.str(), "spare");
}

TEST(Formats, TheServiceExampleReads) {
  const Result<std::vector<Service>> services = ReadServiceFile(PathOf("service.yaml"));
  ASSERT_TRUE(services.ok()) << services.status().message();
  ASSERT_EQ(services.value().size(), 2U);
  EXPECT_EQ(services.value()[0].constraints.within, Scope::kDatacenter);
  EXPECT_TRUE(services.value()[1].yield_whole);
}

TEST(Formats, ThePolicyExampleReads) {
  const Result<FleetSettings> settings = ParseFleetSettings(Contents(PathOf("policy.yaml")));
  ASSERT_TRUE(settings.ok()) << settings.status().message();
  EXPECT_EQ(settings.value().oversubscription_percent[0], 150U);
  EXPECT_EQ(settings.value().oversubscription_percent[1], 110U);
  ASSERT_EQ(settings.value().classes.size(), 2U);
  EXPECT_EQ(settings.value().classes[1].overhead_cap_ppm, 250'000U);
}

TEST(Formats, TheExamplesFitTogether) {
  const Result<FleetFile> file = ReadFleetFile(PathOf("fleet.yaml"));
  const Result<std::vector<Service>> services = ReadServiceFile(PathOf("service.yaml"));
  ASSERT_TRUE(file.ok() && services.ok());
  std::vector<ChangeSet> changes = ToChanges(file.value());
  changes.push_back({.operations = {Put{PolicyText{Contents(PathOf("policy.yaml"))}}},
                     .seen = {},
                     .at = {},
                     .guard = {}});
  for (const Service& service : services.value()) {
    ChangeSet& create = changes.emplace_back();
    create.operations.emplace_back(Put{service});
    std::uint32_t number = 0;
    for (const InstanceGroup& group : service.groups) {
      for (std::uint32_t i = 0; i < group.count; ++i) {
        Instance instance;
        instance.id = {service.name, number++};
        instance.type = group.type;
        instance.role = group.role;
        instance.limit[Resource::kCpu] = 1000;
        create.operations.emplace_back(Put{instance});
      }
    }
  }
  Inventory inventory;
  for (ChangeSet& change : changes) {
    change.seen = inventory.revision();
    Judgement judgement = Judge(inventory, change, Time());
    ASSERT_FALSE(judgement.violation.has_value()) << judgement.violation->because;
    inventory.Apply(
        {.revision = Next(inventory.revision()), .at = {}, .updates = judgement.updates});
  }
  EXPECT_EQ(inventory.Find(TenantId("acme"))->services, 2U);
}

}  // namespace
}  // namespace berth
