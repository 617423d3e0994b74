#include "appsim/multiverse/read_set.h"

#include <gtest/gtest.h>

#include <map>

#include "support/paths.h"

namespace berth::multiverse {
namespace {

std::string ExampleFolder() {
  return (testing::SourceDir() / "testdata" / "multiverse" / "shop").string();
}

// The example's files by key, to be changed.
std::map<std::string, std::string> ExampleTexts() {
  std::map<std::string, std::string> texts;
  for (const std::string key : {"application_model", "load_model", "platform_model",
                                "scaling_model", "deployment_model", "adjustment_policy"}) {
    texts[key] = ReadText(ExampleFolder() + "/constant_configs/" + key + ".json").value();
  }
  texts["scaling_policy"] =
      ReadText(ExampleFolder() + "/alternatives/scaling_policy/eager.json").value();
  return texts;
}

Result<SimulationSet> ReadTexts(const std::map<std::string, std::string>& texts) {
  SetDocuments documents;
  for (const auto& [key, text] : texts) {
    Result<Document> document = ParseDocument(text, key + ".json");
    if (!document.ok()) return document.status();
    documents.documents.emplace_back(key, std::move(document).value());
  }
  return ReadSimulationSet(documents);
}

// What reading says once `from` has become `to` in one file.
std::string ErrorAfter(const std::string& key, const std::string& from, const std::string& to) {
  std::map<std::string, std::string> texts = ExampleTexts();
  const std::size_t at = texts[key].find(from);
  EXPECT_NE(at, std::string::npos) << from;
  texts[key].replace(at, from.size(), to);
  return ReadTexts(texts).status().message();
}

TEST(MultiverseFiles, AnExperimentHasACellForEveryAlternative) {
  const Result<ExperimentFolder> folder = ReadExperimentFolder(ExampleFolder(), "");
  ASSERT_TRUE(folder.ok()) << folder.status().message();
  EXPECT_EQ(folder.value().run.step, std::chrono::milliseconds(50));
  EXPECT_EQ(folder.value().run.repetitions, 3U);
  ASSERT_EQ(folder.value().cells.size(), 2U);
  EXPECT_EQ(CellName(folder.value().cells[0], "-"), "eager");
  const SimulationSet& set = folder.value().cells[1].set;
  ASSERT_EQ(set.application.services.size(), 3U);
  EXPECT_EQ(set.application.services[0].next, (std::vector<std::size_t>{1, 2}));
  EXPECT_DOUBLE_EQ((*set.application.services[1].limits)[kVcpu], 0.24);
  EXPECT_EQ(set.node_types[0].latency, std::chrono::milliseconds(10));
  EXPECT_DOUBLE_EQ(set.node_types[1].boot.mean, 15e6);
  EXPECT_EQ(set.policy.services[2].groups[0].target, 0.9);
  EXPECT_EQ(set.regions, std::vector<std::string>{"eu"});
}

TEST(MultiverseFiles, OnePolicyCanBeChosen) {
  const Result<ExperimentFolder> folder = ReadExperimentFolder(ExampleFolder(), "thrifty");
  ASSERT_TRUE(folder.ok());
  ASSERT_EQ(folder.value().cells.size(), 1U);
  EXPECT_FALSE(ReadExperimentFolder(ExampleFolder(), "greedy").ok());
}

TEST(MultiverseFiles, WhatIsWrongIsSaidWithItsPlace) {
  ASSERT_TRUE(ReadTexts(ExampleTexts()).ok());
  struct Case {
    std::string key, from, to, says;
  };
  for (const Case& wrong : {
           Case{"application_model", "\"FIFO\"", "\"FILO\"",
                "application_model.json:17:23: services[0].buffers_config.discipline: 'FILO' is no "
                "discipline; use FIFO, LIFO or OF"},
           Case{"application_model", "\"limits\"", "\"limit\"", "services[0].system_requirements"},
           Case{"application_model", "\"entry_service\": \"front\"", "\"entry_service\": \"back\"",
                "there is no service 'back'"},
           Case{"application_model", "\"next\": [],", "\"next\": [\"front\"],",
                "does not name 'basket', which has this service next"},
           Case{"platform_model", "\"GB\"", "\"gb\"", "'gb' is no unit of size"},
           Case{"load_model", "\"ratio\": 1.0", "\"ratio\": 0.9", "must sum to 1, these to 0.9"},
           Case{"load_model", "\"eu\"", "\"us\"", "the deployment has no region 'us'"},
           Case{"load_model", "\"step\"", "\"stairs\"", "'stairs' is no pattern"},
           Case{"deployment_model", "\"small\"", "\"tiny\"", "no node type 'tiny' of 'cloud'"},
           Case{"scaling_policy", "\"value\": 0.3", "\"value\": 0", "must be above zero"},
           Case{"scaling_policy", "\"ratio\"", "\"ration\"", "'ration' is no rule; use ratio"},
           Case{"scaling_policy", "medianAggregator", "medium", "'medium' is no aggregator"},
           Case{"adjustment_policy", "\"shared\"", "\"pooled\"", "'pooled' is no hint"},
           Case{"adjustment_policy", "cost_minimization", "utilization", "cost_minimization"},
       }) {
    const std::string error = ErrorAfter(wrong.key, wrong.from, wrong.to);
    EXPECT_NE(error.find(wrong.says), std::string::npos) << error;
    EXPECT_TRUE(error.starts_with(wrong.key + ".json:")) << error;
  }
}

TEST(MultiverseFiles, ServicesThatCallInACircleAreRefused) {
  std::map<std::string, std::string> texts = ExampleTexts();
  std::string& app = texts["application_model"];
  const auto replace = [&](const std::string& from, const std::string& to, std::size_t after) {
    app.replace(app.find(from, after), from.size(), to);
  };
  replace("\"next\": []", "\"next\": [\"front\"]", 0);
  replace("\"prev\": []", "\"prev\": [\"basket\"]", 0);
  EXPECT_NE(ReadTexts(texts).status().message().find("in a circle"), std::string::npos);
}

TEST(MultiverseFiles, AFaultModelIsRead) {
  std::map<std::string, std::string> texts = ExampleTexts();
  texts["fault_model"] =
      R"({"node_groups_failures": [{"type": "termination", "probability": 0.5,
          "count_of_entities_affected": 1, "region_name": "eu",
          "failure_type_conf": {"provider": "cloud", "node_type": "any"}}],
          "services_failures": [{"type": "termination", "probability": 1,
          "count_of_entities_affected": 2, "region_name": "eu",
          "failure_type_conf": {"service_name": "stock"}}]})";
  const Result<SimulationSet> set = ReadTexts(texts);
  ASSERT_TRUE(set.ok()) << set.status().message();
  ASSERT_EQ(set.value().faults.size(), 2U);
  EXPECT_EQ(set.value().faults[1].service, 2U);
}

}  // namespace
}  // namespace berth::multiverse
