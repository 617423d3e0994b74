#include "base/fields.h"

#include <gtest/gtest.h>

#include "berth/name.h"

namespace berth {
namespace {

struct Cluster {
  ClusterId name;
  std::string note;
  std::uint32_t racks = 0;
  double ratio = 0;
  bool drain = false;
  std::int64_t memory = 0;
  Duration grace{};
  std::vector<std::string> skus;
  std::vector<std::string> labels;
};

Result<Cluster> ReadCluster(const Node& node) {
  Cluster cluster;
  Fields fields(node);
  cluster.name = fields.Name<ClusterId>("name");
  cluster.note = fields.Text("note", "none");
  cluster.racks = fields.Integer<std::uint32_t>("racks", {.min = 1, .max = 100});
  cluster.ratio = fields.Number("ratio", {.min = 1, .max = 4}, 1.5);
  cluster.drain = fields.Bool("drain", true);
  cluster.memory = fields.Amount("memory", Resource::kMemory);
  cluster.grace = fields.Length("grace", std::chrono::minutes(5));
  for (const Node& item : fields.OptionalItems("skus")) {
    BERTH_TRY(const std::string_view sku, item.Name());
    cluster.skus.emplace_back(sku);
  }
  for (const KeyedNode& label : fields.OptionalEntries("labels"))
    cluster.labels.emplace_back(label.key);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  return cluster;
}

Result<Cluster> ParseCluster(std::string_view text) {
  BERTH_TRY(const Document document, ParseDocument(text, "f.yaml"));
  return ReadCluster(document.root());
}

TEST(Fields, ReadsARecord) {
  const Result<Cluster> cluster = ParseCluster(
      "name: east\nnote: n\nracks: 3\nratio: 2\ndrain: false\nmemory: 1Gi\ngrace: 90s\n"
      "skus: [a, b]\nlabels: {disk: ssd}\n");
  ASSERT_TRUE(cluster.ok()) << cluster.status().message();
  EXPECT_EQ(cluster.value().name, ClusterId("east"));
  EXPECT_EQ(cluster.value().note, "n");
  EXPECT_EQ(cluster.value().racks, 3U);
  EXPECT_EQ(cluster.value().ratio, 2);
  EXPECT_FALSE(cluster.value().drain);
  EXPECT_EQ(cluster.value().memory, std::int64_t{1} << 30);
  EXPECT_EQ(cluster.value().grace, std::chrono::seconds(90));
  EXPECT_EQ(cluster.value().skus, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(cluster.value().labels, (std::vector<std::string>{"disk"}));
}

TEST(Fields, DefaultsStandInForWhatIsOptional) {
  const Result<Cluster> cluster = ParseCluster("{name: east, racks: 3, memory: 1Gi}");
  ASSERT_TRUE(cluster.ok()) << cluster.status().message();
  EXPECT_EQ(cluster.value().note, "none");
  EXPECT_EQ(cluster.value().ratio, 1.5);
  EXPECT_TRUE(cluster.value().drain);
  EXPECT_EQ(cluster.value().grace, std::chrono::minutes(5));
  EXPECT_TRUE(cluster.value().skus.empty());
  EXPECT_TRUE(cluster.value().labels.empty());
}

TEST(Fields, EveryRequiredGetterWantsItsField) {
  const Document document = ParseDocument("{}", "f.yaml").value();
  const auto missing = [&document](auto get) {
    Fields fields(document.root());
    get(fields);
    return fields.Finish().message();
  };
  const std::string error = "f.yaml:1:1: top level: field 'k' is missing; add it";
  EXPECT_EQ(missing([](Fields& f) { EXPECT_EQ(f.Text("k"), ""); }), error);
  EXPECT_EQ(missing([](Fields& f) { EXPECT_EQ(f.Integer("k"), 0); }), error);
  EXPECT_EQ(missing([](Fields& f) { EXPECT_EQ(f.Number("k"), 0); }), error);
  EXPECT_EQ(missing([](Fields& f) { EXPECT_FALSE(f.Bool("k")); }), error);
  EXPECT_EQ(missing([](Fields& f) { EXPECT_EQ(f.Amount("k", Resource::kCpu), 0); }), error);
  EXPECT_EQ(missing([](Fields& f) { EXPECT_EQ(f.Length("k"), Duration(0)); }), error);
  EXPECT_EQ(missing([](Fields& f) { EXPECT_EQ(f.Name("k"), ""); }), error);
  EXPECT_EQ(missing([](Fields& f) { EXPECT_TRUE(f.Items("k").empty()); }), error);
  EXPECT_EQ(missing([](Fields& f) { EXPECT_TRUE(f.Entries("k").empty()); }), error);
  EXPECT_EQ(missing([](Fields& f) { EXPECT_FALSE(f.Required("k").has_value()); }), error);
}

TEST(Fields, EveryOptionalGetterDoesWithoutItsField) {
  const Document document = ParseDocument("{}", "f.yaml").value();
  Fields fields(document.root());
  EXPECT_EQ(fields.Integer<std::uint8_t>("k", {}, 7), 7);
  EXPECT_EQ(fields.Amount("k", Resource::kCpu, 5), 5);
  EXPECT_EQ(fields.Name<RackId>("k", RackId("r")), RackId("r"));
  EXPECT_EQ(fields.Name("k", "plain"), "plain");
  EXPECT_FALSE(fields.Optional("k").has_value());
  EXPECT_TRUE(fields.Finish().ok());
}

TEST(Fields, AnUnknownFieldIsNamedWithItsNearest) {
  EXPECT_EQ(ParseCluster("name: east\nracks: 3\nmemory: 1Gi\nlabesl: {}\n").status().message(),
            "f.yaml:4:1: top level: unknown field 'labesl'; did you mean 'labels'?");
}

TEST(Fields, AnUnknownFieldLikeNoneListsTheKnown) {
  EXPECT_EQ(
      ParseCluster("{name: east, racks: 3, memory: 1Gi, xylophone: 1}").status().message(),
      "f.yaml:1:37: top level: unknown field 'xylophone'; known are name, note, racks, ratio, "
      "drain, memory, grace, skus, labels");
  const std::string key(100, 'x');
  EXPECT_NE(ParseCluster("{" + key + ": 1}").status().message().find("; known are name"),
            std::string::npos);
}

TEST(Fields, AMisspeltRequiredFieldIsUnknownRatherThanMissing) {
  EXPECT_EQ(ParseCluster("name: east\nrakcs: 3\nmemory: 1Gi\n").status().message(),
            "f.yaml:2:1: top level: unknown field 'rakcs'; did you mean 'racks'?");
}

TEST(Fields, TheFirstWrongValueIsTold) {
  EXPECT_EQ(ParseCluster("name: east\nracks: 0\nmemory: x\nodd: 1\n").status().message(),
            "f.yaml:2:8: racks: '0' is out of range; write a whole number from 1 to 100");
}

TEST(Fields, AnEmptyOptionalFieldIsNotItsDefault) {
  EXPECT_EQ(ParseCluster("name: east\nracks: 3\nmemory: 1Gi\nratio:\n").status().message(),
            "f.yaml:4:1: ratio: is empty; write a number from 1 to 4");
}

TEST(Fields, WantsAMap) {
  EXPECT_EQ(ParseCluster("[a]").status().message(),
            "f.yaml:1:1: top level: is a list; write a map of fields");
  EXPECT_EQ(ParseCluster("").status().message(),
            "f.yaml:1:1: top level: is empty; write a map of fields");
}

}  // namespace
}  // namespace berth
