#include "traces/write.h"

#include <gtest/gtest.h>

#include <deque>

#include "support/traces.h"

namespace berth {
namespace {

class GivenTrace final : public Trace {
 public:
  explicit GivenTrace(std::deque<Arrival> arrivals) : arrivals_(std::move(arrivals)) {}

  Result<std::optional<Arrival>> Next() override {
    if (arrivals_.empty()) return std::optional<Arrival>();
    std::optional<Arrival> next = std::move(arrivals_.front());
    arrivals_.pop_front();
    return next;
  }
  std::vector<InstanceType> Types() const override { return {}; }
  TraceNotes Notes() const override { return {}; }

 private:
  std::deque<Arrival> arrivals_;
};

Arrival SomeArrival(std::string name) {
  Arrival arrival;
  arrival.at = TimeFromMicros(1'500'000);
  arrival.service.name = std::move(name);
  arrival.service.tenant = TenantId("acme");
  arrival.service.klass = ClassId("gold");
  arrival.service.groups = {{.type = TypeId("D2"), .role = {}, .count = 3}};
  return arrival;
}

TEST(WriteTrace, WritesWhatReadsBackTheSame) {
  Arrival full = SomeArrival("b");
  full.lifetime = Duration(1);
  full.service.groups.push_back({.type = TypeId("D4"), .role = RoleId("primary"), .count = 1});
  full.service.yield_whole = true;
  full.service.constraints = {
      .labels = {{LabelName("a"), LabelName("1")}, {LabelName("b"), LabelName("2")}},
      .spread_racks = 2,
      .max_per_machine = 1,
      .max_per_rack = 4,
      .max_per_update_domain = 5,
      .within = Scope::kRow,
      .isolate = true};
  const std::vector<Arrival> arrivals = {SomeArrival("a"), full, SomeArrival("c")};
  GivenTrace given({arrivals.begin(), arrivals.end()});

  auto read = NewBerthTrace(TraceSource::Memory(Written(given), "t.csv"), {});
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(ReadAll(*read.value()), arrivals);
  EXPECT_TRUE(read.value()->Notes().lines.empty());
}

TEST(WriteTrace, WritesTheDocumentedExampleTheSameTwice) {
  auto first = OpenTrace(TestFile("formats/trace.csv"), {});
  ASSERT_TRUE(first.ok()) << first.status().message();
  const std::vector<InstanceType> types = first.value()->Types();
  const std::string written = Written(*first.value());
  auto second = NewBerthTrace(TraceSource::Memory(written, "t.csv"), {});
  ASSERT_TRUE(second.ok()) << second.status().message();
  EXPECT_EQ(second.value()->Types(), types);
  EXPECT_EQ(Written(*second.value()), written);
}

TEST(WriteTrace, RefusesOneNameTwiceInARow) {
  GivenTrace given({SomeArrival("a"), SomeArrival("a")});
  const Status status = WriteTrace(given, [](std::string_view) { return Status(); });
  EXPECT_EQ(status.message(), "service 'a' arrives twice in a row; name the second otherwise");
}

TEST(WriteTrace, StopsWhenTheSinkFails) {
  GivenTrace given({SomeArrival("a")});
  const Status status =
      WriteTrace(given, [](std::string_view) { return Status(Code::kUnavailable, "disk full"); });
  EXPECT_EQ(status.message(), "disk full");
}

}  // namespace
}  // namespace berth
