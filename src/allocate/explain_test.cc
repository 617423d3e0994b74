#include "allocate/explain.h"

#include <gtest/gtest.h>

#include "support/random_fleet.h"

namespace berth {
namespace {

Decision Accepted() {
  Decision decision;
  decision.id = {"a0", 4};
  decision.subject = "web";
  decision.at = TimeFromMicros(90'000'000);
  decision.seen = Revision{3};
  decision.placed = {{.instance = 0, .machine = MachineId("a")},
                     {.instance = 1, .machine = MachineId("b")}};
  decision.funnels = {{.type = TypeId("small"),
                       .role = {},
                       .instances = 2,
                       .clusters = 1,
                       .machines = 1200,
                       .steps = {{.rule = RuleId("healthy"), .validator = true, .left = 1100},
                                 {.rule = RuleId("best_fit"), .validator = false, .left = 3}}}};
  return decision;
}

Decision Refused() {
  Decision decision;
  decision.id = {"a0", 5};
  decision.subject = "big";
  decision.refusal = Refusal{
      .rule = RuleId("fits"),
      .because = "none of 2 machines can take an instance of type huge (64 cpu)",
      .cure = Cure::kSmallerAsk,
      .nearest = {
          {.machine = MachineId("a"), .rule = RuleId("fits"), .lacks = "8 cpu free, needs 64"}}};
  return decision;
}

TEST(Explain, SummarizesInOneLine) {
  EXPECT_EQ(SummarizeDecision(Accepted()), "accepted a0-4: web/0 on a, web/1 on b");
  EXPECT_EQ(
      SummarizeDecision(Refused()),
      "refused a0-5: none of 2 machines can take an instance of type huge (64 cpu) [fits, cure "
      "smaller-ask]");
}

TEST(Explain, ShowsTheFunnelOfAnAcceptance) {
  EXPECT_EQ(ExplainDecision(Accepted()),
            "Decision a0-4: create web, accepted\n"
            "Decided at 1m 30s on revision 3\n"
            "Placed: web/0 on a, web/1 on b\n"
            "\n"
            "For 2 instances of type small: 1,200 machines in 1 cluster\n"
            "  rule      refused     left\n"
            "  healthy       100    1,100\n"
            "  best_fit                 3  preferred\n"
            "  3 were equally good; one was drawn.\n");
}

TEST(Explain, SaysForWhomAMoveMakesRoom) {
  Decision move = Accepted();
  move.kind = DecisionKind::kMove;
  move.reason = MoveReason::kFragmentation;
  move.room_for = InstanceId{"big", 2};
  const std::string text = ExplainDecision(move);
  EXPECT_NE(text.find("Moved because its machine had room, but not enough for one that waits\n"
                      "Makes room for big/2\n"),
            std::string::npos)
      << text;
}

TEST(Explain, ShowsTheNearestMachinesAndTheCureOfARefusal) {
  EXPECT_EQ(ExplainDecision(Refused()),
            "Decision a0-5: create big, refused\n"
            "Decided at 0s on revision 0\n"
            "Because of fits: none of 2 machines can take an instance of type huge (64 cpu)\n"
            "\n"
            "Nearest machines:\n"
            "  a  fits: 8 cpu free, needs 64\n"
            "\n"
            "What would cure it: " +
                std::string(Advice(Cure::kSmallerAsk)) + " (smaller-ask)\n");
}

TEST(Explain, SaysWhichRuleRefusesAMachineForAnInstanceThatRunsElsewhere) {
  Rng rng(1);
  Inventory view;
  for (const Record& record : testing::RandomTypesAndTenants(rng)) testing::PutInto(view, record);
  for (const std::string name : {"a", "b"}) {
    Machine machine;
    machine.name = MachineId(name);
    machine.capacity = name == "a" ? testing::Sized(64, 64) : testing::Sized(0, 64);
    testing::PutInto(view, machine);
  }
  Service service = testing::RandomService(rng, "web");
  service.groups = {{.type = TypeId("small"), .role = {}, .count = 1}};
  service.constraints = {};
  testing::PutInto(view, service);
  Instance instance = testing::InstancesOf(view, service).front();
  instance.machine = MachineId("a");
  testing::PutInto(view, instance);

  const Document document = ParseDocument("{}", "policy").value();
  const Result<AllocatePolicy> policy = ParseAllocatePolicy(document.root());
  ASSERT_TRUE(policy.ok()) << policy.status().message();
  const Inventory before = view;
  FromScratch chooser(policy.value());
  const Asking asking{.policy = policy.value(), .chooser = chooser};
  const Result<WhyNot> why = AskWhyNot(asking, view, service, 0, MachineId("b"));
  ASSERT_TRUE(why.ok()) << why.status().message();
  EXPECT_FALSE(why.value().valid);
  EXPECT_EQ(ExplainWhyNot(why.value(), "web/0", MachineId("b")).substr(0, 38),
            "b cannot take web/0:\n  fits: 0 cpu fre");
  EXPECT_TRUE(AskWhyNot(asking, view, service, 0, MachineId("a")).value().among_best);
  EXPECT_EQ(AskWhyNot(asking, view, service, 9, MachineId("a")).status().message(),
            "there is no instance web/9");
  EXPECT_EQ(AskWhyNot(asking, view, service, 0, MachineId("z")).status().message(),
            "there is no machine z");
  EXPECT_EQ(testing::Differences(view, before), "");
}

}  // namespace
}  // namespace berth
