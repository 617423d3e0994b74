#include "sim/scenario.h"

#include <gtest/gtest.h>

#include "sim/scenario_run.h"
#include "store/memory_store.h"

namespace berth {
namespace {

constexpr std::string_view kStart = "# What must hold.\nlabels fast\n";

std::string ErrorOf(std::string_view line) {
  const Result<Scenario> parsed = ParseScenario(std::string(kStart) + std::string(line), "x.scn");
  return parsed.ok() ? "none" : parsed.status().message();
}

TEST(ScenarioErrors, SayWhereAndWhatToDo) {
  EXPECT_EQ(ErrorOf("drian a"), "x.scn:3:1: there is no verb 'drian'; did you mean 'drain'?");
  EXPECT_EQ(ErrorOf("service web acme"), "x.scn:3:13: 'acme' is not ':', which must stand here");
  EXPECT_EQ(ErrorOf("service web: acme gold"),
            "x.scn:3:23: the line ends too early; a number of instances must follow");
  EXPECT_EQ(ErrorOf("service web: acme gold 3 y small"),
            "x.scn:3:26: 'y' is not 'x', which must stand here");
  EXPECT_EQ(
      ErrorOf("service web: acme gold 3 x small sprad 2"),
      "x.scn:3:34: this is not understood here; write service NAME: TENANT CLASS N x TYPE [as "
      "ROLE] [+ ...] [CONSTRAINTS]");
  EXPECT_EQ(ErrorOf("service we/b: acme gold 3 x small"),
            "x.scn:3:9: 'we/b' is not a name for a service; use 1 to 128 letters, digits, '.', '_' "
            "or '-'");
  EXPECT_EQ(ErrorOf("type small: 2cpu 3cpu"), "x.scn:3:18: cpu is given twice; remove one");
  EXPECT_EQ(ErrorOf("type small: weight=2"),
            "x.scn:3:13: 'weight=2' names no resource; the resources are cpu, memory, disk, "
            "network and gpu");
  EXPECT_EQ(ErrorOf("type small: on x"), "x.scn:3:13: amounts must stand here, like 2cpu 4Gi");
  EXPECT_EQ(ErrorOf("machines r1/a r2/a: 8cpu"),
            "x.scn:3:15: machine a is named twice; a machine stands in one rack");
  EXPECT_EQ(
      ErrorOf("machines a/b/c/d/e/f: 8cpu"),
      "x.scn:3:10: 'a/b/c/d/e' says no place; write datacenter/cluster/row/rack/machine, or the "
      "last of these");
  EXPECT_EQ(ErrorOf("machines m{3..1}: 8cpu"),
            "x.scn:3:10: 'm{3..1}' is not a range of names; write it like m{1..8}");
  EXPECT_EQ(ErrorOf("move web"),
            "x.scn:3:6: 'web' is not an instance; write a service and a number, like web/0");
  EXPECT_EQ(ErrorOf("expect web happy"),
            "x.scn:3:12: what is expected of web is not understood; write one of placed, pending, "
            "running, "
            "ended, on, not, over, at, within, limit, advised, held-back, counted, "
            "failures, oom, "
            "preemptions, waited, ran");
  EXPECT_EQ(ErrorOf("explain last contains x"), "x.scn:3:23: a text in double quotes must follow");
  EXPECT_EQ(ErrorOf("explain last contains \"x"),
            "x.scn:3:23: the quote is not closed; add a '\"'");
  EXPECT_EQ(ErrorOf("refuse web: acme gold 1 x small cure rest"),
            "x.scn:3:38: a cure must stand here; they are nothing, more-machines, smaller-ask, "
            "looser-constraints, more-quota, retry");
  EXPECT_EQ(ErrorOf("labels quick"), "x.scn:3:8: 'quick' is no label; use fast, slow, sim or e2e");
  EXPECT_EQ(ErrorOf("usage web: 1cpu for 90d"),
            "x.scn:3:21: 60d are the most; write several lines");
  EXPECT_EQ(ErrorOf("advance soon").substr(0, 11), "x.scn:3:9: ");
  EXPECT_EQ(ErrorOf("policy nosuch.yaml").substr(0, 11), "nosuch.yaml");
  EXPECT_EQ(
      ErrorOf("policy"),
      "x.scn:3:1: the policy is missing; name a file, or write it below, each line behind a '|'");
}

TEST(ScenarioErrors, PointIntoAnInlinePolicy) {
  const std::string error = ErrorOf("policy\n| allocate:\n|   rules: [best_fitt]\n");
  EXPECT_EQ(error.substr(0, 43), "x.scn:5:13: allocate.rules[0]: there is no ");
}

TEST(ScenarioErrors, AScenarioSaysWhatMustHoldAndWhenItIsRun) {
  EXPECT_EQ(ParseScenario("labels fast\n", "x.scn").status().message().substr(0, 45),
            "x.scn:1:1: a scenario begins with a comment; ");
  EXPECT_EQ(ParseScenario("# It holds.\ntenant acme\n", "x.scn").status().message().substr(0, 40),
            "x.scn:1:1: the scenario has no labels; s");
}

struct Ran {
  ScenarioResult result;
  std::vector<StepOutcome> steps;
};
Ran RunText(std::string_view text, std::uint64_t seed = 1) {
  const Result<Scenario> scenario = ParseScenario(std::string(kStart) + std::string(text), "x.scn");
  EXPECT_TRUE(scenario.ok()) << scenario.status().message();
  MemoryStore store;
  Ran ran;
  const Result<ScenarioResult> result =
      RunScenario(scenario.value(), store, {.seed = seed},
                  [&](const StepOutcome& step) { ran.steps.push_back(step); });
  EXPECT_TRUE(result.ok()) << result.status().message();
  ran.result = result.value();
  return ran;
}

constexpr std::string_view kWeb =
    "type small: 2cpu 4Gi\nmachines r{1..2}/m{1..4}: 8cpu 32Gi\ntenant acme\n"
    "service web: acme gold 2 x small spread 2\n";

TEST(ScenarioRun, StopsAtTheFirstLineThatDoesNotHold) {
  const Ran ran = RunText(std::string(kWeb) + "expect web on m9\nexpect web placed\n");
  EXPECT_FALSE(ran.result.held);
  EXPECT_EQ(ran.result.failure.substr(0, 45), "x.scn:7:1: 'expect web on m9' does not hold: ");
  ASSERT_EQ(ran.steps.size(), 5U);
  EXPECT_FALSE(ran.steps.back().held);
}

TEST(ScenarioRun, ARefusalThatWasNotExpectedDoesNotHold) {
  const Ran ran = RunText(std::string(kWeb) + "service big: acme gold 99 x small\n");
  EXPECT_FALSE(ran.result.held);
  EXPECT_NE(ran.result.failure.find("[fits, cure more-machines]"), std::string::npos)
      << ran.result.failure;
}

TEST(ScenarioRun, ARefusalForAnotherReasonDoesNotHold) {
  EXPECT_FALSE(
      RunText(std::string(kWeb) + "refuse big: acme gold 99 x small because quota\n").result.held);
  EXPECT_FALSE(
      RunText(std::string(kWeb) + "refuse big: acme gold 99 x small cure retry\n").result.held);
  EXPECT_FALSE(RunText(std::string(kWeb) + "refuse big: acme gold 1 x small\n").result.held);
  EXPECT_FALSE(RunText(std::string(kWeb) + "invalid big: acme gold 99 x small\n").result.held);
  EXPECT_FALSE(RunText(std::string(kWeb) + "refuse web: acme gold 1 x small\n").result.held);
}

TEST(ScenarioRun, EveryExpectationCanFail) {
  for (const std::string_view wrong : {"web pending",
                                       "web placed 1",
                                       "web running",
                                       "web ended 1",
                                       "web on m1",
                                       "web not on m1 m2 m3 m4",
                                       "web over 1 rack",
                                       "web over 1 machine",
                                       "web at most 0 per rack",
                                       "web limit 3cpu",
                                       "web limit above 2cpu",
                                       "web limit below 2cpu",
                                       "web advised 1cpu",
                                       "web advised because \"p98\"",
                                       "web held-back because \"quota\"",
                                       "web counted 2",
                                       "web counted because \"p95\"",
                                       "scalings 1",
                                       "resizes 1",
                                       "web failures 1",
                                       "web oom 1",
                                       "web preemptions 1",
                                       "web waited 1s",
                                       "web ran 1s",
                                       "web/7 placed",
                                       "api placed",
                                       "machine m1 free 9cpu",
                                       "machine m1 holds 7",
                                       "machine m1 down",
                                       "machine m9 ready",
                                       "tenant acme uses 1cpu",
                                       "tenant nobody uses 1cpu",
                                       "no service web",
                                       "no machine m1",
                                       "no type small",
                                       "no tenant acme",
                                       "last refused",
                                       "last waits",
                                       "last duplicate",
                                       "last accepted because fits",
                                       "decisions 99",
                                       "waiting 1",
                                       "reallocated 1"}) {
    const Ran ran = RunText(std::string(kWeb) + "expect " + std::string(wrong) + "\n");
    EXPECT_FALSE(ran.result.held) << wrong;
    EXPECT_FALSE(ran.steps.back().happened.empty()) << wrong;
  }
}

TEST(ScenarioRun, TheSameSeedGivesTheSameUnseed) {
  const std::string text =
      std::string(kWeb) + "service api: acme gold 2 x small\n& service db: acme gold 3 x small\n";
  EXPECT_EQ(RunText(text, 7).result.unseed, RunText(text, 7).result.unseed);
  EXPECT_NE(RunText(text, 7).result.unseed, RunText(text, 8).result.unseed);
}

TEST(ScenarioRun, DealsMachinesOverRacksInTurn) {
  const Ran ran = RunText(std::string(kWeb) +
                          "expect web over 2 racks\nscale web: 8 x small\n"
                          "expect web at most 4 per rack\n");
  EXPECT_TRUE(ran.result.held) << ran.result.failure;
}

}  // namespace
}  // namespace berth
