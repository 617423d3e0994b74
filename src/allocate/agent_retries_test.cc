// What an agent makes of requests and answers that come twice.
#include <gtest/gtest.h>

#include <deque>
#include <utility>

#include "allocate/agent.h"
#include "base/virtual_executor.h"
#include "store/memory_store.h"
#include "support/scripted_store.h"

namespace berth {
namespace {

constexpr std::string_view kBestFit = "allocate: {rules: [best_fit]}";

TEST(AgentRetries, AReportAskedAgainWithItsKeyIsAnsweredAsDone) {
  VirtualExecutor executor;
  MemoryStore store({}, testing::FleetForSmall({8}));
  Agent agent(store, executor, {.name = "a0", .default_policy = std::string(kBestFit)});
  agent.Start([](const Status& status) { ASSERT_TRUE(status.ok()) << status.message(); });
  agent.Submit({.what = CreateService{testing::SmallService(1)}}, nullptr);
  executor.RunUntilIdle();

  std::vector<Reply> replies;
  const Request report{.what = ReportInstance{{"web", 0}, Reported::kFailed},
                       .idempotency_key = "report"};
  for (int i = 0; i < 2; ++i) {
    agent.Submit(report, [&](Reply reply) { replies.push_back(std::move(reply)); });
    executor.RunUntilIdle();
  }
  ASSERT_EQ(replies.size(), 2U);
  EXPECT_FALSE(replies[0].duplicate);
  EXPECT_TRUE(replies[1].duplicate);
  EXPECT_TRUE(replies[1].status.ok()) << replies[1].status.message();
  EXPECT_FALSE(replies[1].decision.has_value());
  EXPECT_EQ(agent.view().Find(InstanceId{"web", 0})->timeline.failures, 1U);
}

// The number that a report took is not in the log, so that the next agent of the same name takes it
// again: the report's key must not lead to that decision.
TEST(AgentRetries, AReportsKeyNeverLeadsToADecisionOfAnotherRequest) {
  VirtualExecutor executor;
  MemoryStore store({}, testing::FleetForSmall({8}));
  const Request report{.what = ReportInstance{{"web", 0}, Reported::kStarted},
                       .idempotency_key = "report"};
  const Agent::Options options{.name = "a0", .default_policy = std::string(kBestFit)};
  {
    Agent agent(store, executor, options);
    agent.Start(nullptr);
    agent.Submit({.what = CreateService{testing::SmallService(1)}}, nullptr);
    executor.RunUntilIdle();
    agent.Submit(report, nullptr);
    executor.RunUntilIdle();
  }
  Agent agent(store, executor, options);
  agent.Start(nullptr);
  agent.Submit({.what = SetHealth{MachineId("m0"), Health::kUpdating}}, nullptr);
  executor.RunUntilIdle();
  std::optional<Reply> again;
  agent.Submit(report, [&](Reply reply) { again = std::move(reply); });
  executor.RunUntilIdle();
  ASSERT_TRUE(again.has_value());
  EXPECT_TRUE(again->duplicate);
  EXPECT_TRUE(again->status.ok()) << again->status.message();
  EXPECT_FALSE(again->decision.has_value());
}

// Fails commits, and answers or fails reads, when it is told to.
class SlowReads final : public Store {
 public:
  explicit SlowReads(Inventory fleet)
      : fleet_(std::make_shared<const Inventory>(std::move(fleet))) {}

  void Commit(ChangeSet /*change*/, Executor& /*reply_on*/, CommitDone done) override {
    commits.push_back(std::move(done));
  }
  void Read(Executor& /*reply_on*/, SnapshotDone done) override {
    reads.push_back(std::move(done));
  }
  std::unique_ptr<Watch> WatchFrom(Revision /*from*/, Executor& /*reply_on*/,
                                   OnEvent /*on_event*/) override {
    return std::make_unique<Watch>();
  }
  void ReadDecision(const DecisionId& /*id*/, Executor& /*reply_on*/,
                    DecisionDone /*done*/) override {}

  void AnswerRead() {
    const SnapshotDone done = std::move(reads.front());
    reads.pop_front();
    done(fleet_);
  }
  void FailRead() {
    const SnapshotDone done = std::move(reads.front());
    reads.pop_front();
    done(Status(Code::kUnavailable, "nobody is there"));
  }
  void FailCommit() {
    const CommitDone done = std::move(commits.front());
    commits.pop_front();
    CommitReply failed;
    failed.status = Status(Code::kUnavailable, "the disk is full");
    done(failed);
  }

  std::deque<CommitDone> commits;
  std::deque<SnapshotDone> reads;

 private:
  std::shared_ptr<const Inventory> fleet_;
};

// Two commits failed, so the fleet is read twice, one after the other. What is decided on the first
// snapshot would be answered before the watch from the second has told the way to that answer.
TEST(AgentRetries, DecidesNothingBetweenTwoSnapshots) {
  VirtualExecutor executor;
  SlowReads store(testing::FleetForSmall({8}));
  Agent agent(store, executor, {.name = "a0", .default_policy = std::string(kBestFit)});
  agent.Start(nullptr);
  store.AnswerRead();
  const auto submit = [&](std::string name) {
    Service service = testing::SmallService(1);
    service.name = std::move(name);
    agent.Submit({.what = CreateService{service}}, nullptr);
    executor.RunUntilIdle();
  };
  submit("one");
  submit("two");
  ASSERT_EQ(store.commits.size(), 2U);
  store.FailCommit();
  store.FailCommit();
  ASSERT_EQ(store.reads.size(), 1U);
  store.AnswerRead();
  ASSERT_EQ(store.reads.size(), 1U);
  submit("three");
  EXPECT_EQ(store.commits.size(), 0U);
  store.AnswerRead();
  EXPECT_EQ(store.commits.size(), 1U);
}

// As when a scale-in makes room that the next request takes, and then loses to others.
TEST(AgentRetries, WhatCountedOnACommitThatLostIsDecidedAgain) {
  VirtualExecutor executor;
  SlowReads store(testing::FleetForSmall({8}));
  Agent agent(store, executor, {.name = "a0", .default_policy = std::string(kBestFit)});
  agent.Start(nullptr);
  store.AnswerRead();
  std::vector<Status> answers;
  for (const char* name : {"one", "two"}) {
    Service service = testing::SmallService(1);
    service.name = name;
    agent.Submit({.what = CreateService{service}},
                 [&](const Reply& reply) { answers.push_back(reply.status); });
  }
  executor.RunUntilIdle();
  ASSERT_EQ(store.commits.size(), 2U);
  const Store::CommitDone second = store.commits.back();
  store.commits.pop_back();
  CommitReply refused;
  refused.outcome = CommitReply::Outcome::kRefused;
  refused.violation = Violation{.rule = RuleId("fits"), .because = "there is no room"};
  for (const RecordKey& key : {KeyOf(InstanceId{"two", 0}), KeyOf(RecordKind::kService, "two")}) {
    refused.latest.push_back({.key = key, .record = std::nullopt, .revision = {}});
  }
  second(refused);
  EXPECT_EQ(answers.size(), 0U);
  ASSERT_EQ(store.commits.size(), 2U);  // Asked again, with what is known now.
}

TEST(AgentRetries, AStoreThatCannotBeReadIsReadAgainUntilItCan) {
  VirtualExecutor executor;
  SlowReads store(testing::FleetForSmall({8}));
  Agent agent(store, executor, {.name = "a0", .default_policy = std::string(kBestFit)});
  agent.Start(nullptr);
  store.AnswerRead();
  std::vector<Status> answers;
  const auto submit = [&] {
    agent.Submit({.what = CreateService{testing::SmallService(1)}},
                 [&](const Reply& reply) { answers.push_back(reply.status); });
    executor.RunUntil(executor.now());
  };
  submit();
  store.FailCommit();
  for (std::size_t round = 0; round < 3; ++round) {
    submit();  // Waits for the view, and is told why there is none.
    ASSERT_EQ(store.reads.size(), 1U);
    store.FailRead();
    ASSERT_EQ(answers.size(), 2U + round);
    EXPECT_EQ(answers.back().message(), "nobody is there");
    EXPECT_EQ(store.reads.size(), 0U);  // Not at once.
    executor.RunUntilIdle();
  }
  store.AnswerRead();
  submit();
  EXPECT_EQ(store.commits.size(), 1U);
}

}  // namespace
}  // namespace berth
