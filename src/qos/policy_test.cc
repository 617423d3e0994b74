#include "qos/policy.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

Result<SchedulerPolicy> Parse(std::string_view text) {
  const Document document = ParseDocument(text, "policy.yaml").value();
  BERTH_TRY(const FleetSettings settings, ReadFleetSettings(document.root()));
  return ParseSchedulerPolicy(document.root(), settings);
}

TEST(SchedulerPolicy, IsAWordOrAMap) {
  EXPECT_EQ(Parse("name: x").value(), SchedulerPolicy());
  EXPECT_EQ(Parse("scheduler: qos").value().kind, SchedulerKind::kQos);
  EXPECT_EQ(Parse("scheduler: priority").value().kind, SchedulerKind::kPriority);
  EXPECT_FALSE(Parse("scheduler: {by: qos}").value().admission);
  EXPECT_TRUE(Parse("scheduler: {by: priority, admission: true}").value().admission);
  EXPECT_EQ(Parse("scheduler: {by: qos, watchdog: 30s, allocation_time: 5s}").value(),
            (SchedulerPolicy{.kind = SchedulerKind::kQos,
                             .watchdog = std::chrono::seconds(30),
                             .allocation_time = std::chrono::seconds(5)}));
}

TEST(SchedulerPolicy, SaysWhatIsWrong) {
  const auto error = [](std::string_view text) { return Parse(text).status().message(); };
  EXPECT_EQ(error("scheduler: random"),
            "policy.yaml:1:12: scheduler: there is no scheduler 'random'; write qos or priority, "
            "or leave it out for first come, first served");
  EXPECT_EQ(error("scheduler: {by: qos, watchdog: 1ms}"),
            "policy.yaml:1:12: scheduler: a watchdog is 100ms at least");
  EXPECT_EQ(error("scheduler: qos\nclasses:\n- {name: batch, availability: 50%, importance: 1, "
                  "evictable: true}"),
            "policy.yaml:1:12: scheduler: class batch is evictable, but a scheduler alone decides "
            "who yields; leave out one of the two");
  EXPECT_NE(error("scheduler: {by: qos, watchdog: -1s}"), "");
  EXPECT_NE(error("scheduler: {by: qos, often: 1s}"), "");
  EXPECT_NE(error("scheduler: {by: qos, admission: often}"), "");
  EXPECT_NE(error("scheduler: qos\nclasses:\n- {name: b, availability: 0%, importance: 1}"), "");
}

}  // namespace
}  // namespace berth
