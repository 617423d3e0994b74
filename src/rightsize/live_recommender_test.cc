// Recommenders that are programs which nobody waits for. The first suite runs the program's side
// when it is told to, so that it is known what has arrived; the other has threads.
#include "rightsize/live_recommender.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/run_on.h"
#include "base/thread_executor.h"
#include "base/virtual_executor.h"
#include "support/paths.h"

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

constexpr Duration kPatience = std::chrono::seconds(20);

// Greets and answers starts; other lines as told. $id is that of the line, $n counts them, $state
// is what the last start told.
constexpr std::string_view kPolite =
    "read line; echo '{\"berth\": 1}'; n=0\n"
    "while read line; do\n"
    "id=${line#*:}; id=${id%%,*}\n"
    "case \"$line\" in *start*) state=${line##*state\\\":\\\"}; state=${state%%\\\"*}\n"
    "echo \"{\\\"id\\\": $id}\"; continue;; esac\n"
    "n=$((n + 1))\n";

// Says how many lines it was told, and the last of them.
constexpr std::string_view kCounts =
    "end=${line#*end_ms\\\":}; end=${end%%,*}\n"
    "echo \"{\\\"id\\\": $id, \\\"target\\\": $n, \\\"why\\\": \\\"up to $end\\\"}\"";

std::shared_ptr<ExternalProgram> Script(std::string_view answering, Duration wait = kPatience) {
  Result<std::shared_ptr<ExternalProgram>> opened =
      ExternalProgram::Open({"sh", "-c", fmt::format("{}{}\ndone\n", kPolite, answering)}, wait);
  EXPECT_TRUE(opened.ok()) << opened.status().message();
  return std::move(opened).value();
}

void Tell(Recommender& recommender, float used, Time end) {
  WindowHistogram histogram;
  histogram.Add(Buckets::Of(Resource::kCpu).Find(used));
  recommender.Observe({.end = end, .samples = std::span(&used, 1), .histogram = histogram});
}

class LiveRecommenderTest : public ::testing::Test {
 protected:
  void Open(std::string_view answering, Duration wait = kPatience) {
    auto asks = std::make_unique<VirtualExecutor>(Time(hours(1)));
    asks_ = asks.get();
    programs_.Add("p", std::make_unique<LiveProgram>(
                           Script(answering, wait), std::move(asks),
                           [this](const std::string& what) { said_.push_back(what); }));
    recommender_ = Make();
  }
  std::unique_ptr<Recommender> Make(std::string_view name = "external:p") {
    return NewLiveRecommender(desk_, name, {.service = "web"});
  }
  void Add(int windows = 1) {
    for (int i = 0; i < windows; ++i) Tell(*recommender_, 100, now_ += minutes(5));
  }
  // The program is asked until nothing waits, and what it said arrives.
  void Answer() {
    while (asks_->RunUntilIdle() + home_.RunUntilIdle() > 0) {
    }
  }
  const LiveProgram::Counts& counts() { return programs_.Find("p")->counts(); }

  Time now_{hours(1)};
  VirtualExecutor home_;
  VirtualExecutor* asks_ = nullptr;
  std::vector<std::string> said_;
  std::vector<std::string> heard_;
  LivePrograms programs_;
  ProgramDesk desk_{.programs = &programs_,
                    .home = &home_,
                    .heard = [this](const std::string& service) { heard_.push_back(service); }};
  std::unique_ptr<Recommender> recommender_;
};

TEST_F(LiveRecommenderTest, SaysWhatHasArrived) {
  Open(kCounts);
  Add();
  EXPECT_EQ(home_.RunUntilIdle(), 0U);
  EXPECT_EQ(recommender_->Recommend(), std::nullopt) << "nobody waits";
  EXPECT_EQ(recommender_->Why(), "");
  EXPECT_EQ(counts().waiting, 1U);
  asks_->RunUntilIdle();
  EXPECT_EQ(recommender_->Recommend(), std::nullopt) << "it is not home yet";
  home_.RunUntilIdle();
  EXPECT_EQ(recommender_->Recommend()->target, 1);
  EXPECT_EQ(recommender_->Why(), "1m: up to 3900000");
  EXPECT_EQ(heard_, std::vector<std::string>{"web"});
  Add();
  EXPECT_EQ(recommender_->Recommend()->target, 1) << "the last stays meanwhile";
  Answer();
  EXPECT_EQ(recommender_->Recommend()->target, 2);
  EXPECT_EQ(counts().answers, 2U);
  EXPECT_EQ(counts().waiting, 0U);
}

TEST_F(LiveRecommenderTest, SaysSinceWhenAProgramThatEndedIsSilent) {
  Open("if [ $n = 2 ]; then exit 3; fi\n" + std::string(kCounts));
  Add();
  Answer();
  EXPECT_EQ(recommender_->Why(), "1m: up to 3900000");
  Add();
  Answer();
  EXPECT_EQ(recommender_->Recommend()->target, 1);
  const std::string silent =
      fmt::format("1m: up to 3900000; the program has not answered since {}", "1h 10m");
  EXPECT_EQ(recommender_->Why(), silent);
  EXPECT_EQ(said_, std::vector<std::string>{"it ended with status 3; the last advice stays"});
  Add();  // Left out.
  Answer();
  EXPECT_EQ(recommender_->Why(), silent);
  EXPECT_EQ(counts().failures, 1U);
  EXPECT_EQ(counts().left_out, 1U);
  Add();  // It is started again.
  Answer();
  EXPECT_EQ(recommender_->Why(), "1m: up to 4800000");
  ASSERT_EQ(said_.size(), 2U);
  EXPECT_EQ(said_.back(), "it answers again");
}

TEST_F(LiveRecommenderTest, NonsenseChangesNothing) {
  Open("if [ $n -gt 1 ]; then echo hello; else " + std::string(kCounts) + "; fi");
  Add();
  Answer();
  Add();
  Answer();
  EXPECT_EQ(recommender_->Recommend()->target, 1);
  EXPECT_NE(recommender_->Why().find("; the program has not answered since"), std::string::npos);
  EXPECT_EQ(counts().failures, 1U);
}

TEST_F(LiveRecommenderTest, WhoHangsIsTriedAgainAfterAnHour) {
  Open("sleep 1000", std::chrono::milliseconds(20));
  Add();
  Answer();
  EXPECT_EQ(said_,
            std::vector<std::string>{"it gave no answer within 20ms; the last advice stays"});
  for (int i = 0; i < 600; ++i) {
    Add();
    Answer();
  }
  EXPECT_EQ(counts().failures, ExternalProgram::kFailuresMax) << "it is left alone";
  asks_->RunUntil(asks_->now() + LiveProgram::kTryAgainAfter);
  Add();
  Answer();
  EXPECT_EQ(counts().failures, ExternalProgram::kFailuresMax + 1);
  Add();
  Answer();
  EXPECT_EQ(counts().failures, ExternalProgram::kFailuresMax + 1) << "once";
  EXPECT_EQ(recommender_->Recommend(), std::nullopt);
}

TEST_F(LiveRecommenderTest, OfTooManyLinesTheOldestAreDropped) {
  Open(kCounts);
  constexpr int kMore = 5;
  constexpr int kMost = 1 + static_cast<int>(LiveProgram::kWaitingLinesMax);  // One is with it.
  Add(kMost + kMore);
  EXPECT_EQ(counts().waiting, static_cast<std::uint64_t>(kMost));
  EXPECT_EQ(counts().dropped, static_cast<std::uint64_t>(kMore));
  Answer();
  EXPECT_EQ(recommender_->Recommend()->target, kMost);
  EXPECT_EQ(recommender_->Why(), fmt::format("{}m: up to {}", kMost, ToMicros(now_) / 1000));
  EXPECT_EQ(counts().waiting, 0U);
}

TEST_F(LiveRecommenderTest, AllServicesTogetherHaveABound) {
  Open(kCounts);
  ASSERT_TRUE(programs_.Find("p")->Admit(LiveProgram::kWaitingBytesMax));
  Add();
  EXPECT_EQ(counts().dropped, 1U);
  programs_.Find("p")->Leave(LiveProgram::kWaitingBytesMax);
  Add();
  Answer();
  EXPECT_EQ(recommender_->Recommend()->target, 1);
}

TEST_F(LiveRecommenderTest, RestoredItGoesOnWithTheLastAdviceAndTheState) {
  // The state is an x for each window.
  Open(
      "state=${state}x\n"
      "echo \"{\\\"id\\\": $id, \\\"target\\\": ${#state}, \\\"state\\\": \\\"$state\\\"}\"");
  Add(3);
  Answer();
  const std::string saved = recommender_->Save();
  EXPECT_NE(saved.find("xxx"), std::string::npos);
  Add();  // Under way when it is restored: what comes of it is of another life.
  ASSERT_TRUE(recommender_->Restore(saved).ok());
  EXPECT_EQ(counts().waiting, 0U);
  Answer();
  EXPECT_EQ(recommender_->Recommend()->target, 3);
  EXPECT_EQ(recommender_->Why(), "3m: as a program of its owner says");
  EXPECT_EQ(recommender_->Save(), saved);
  EXPECT_FALSE(recommender_->Restore("!").ok());
  EXPECT_EQ(recommender_->Save(), saved);
  Add();
  Answer();
  EXPECT_EQ(recommender_->Recommend()->target, 4) << "it was told the state";
}

TEST_F(LiveRecommenderTest, WhoIsGoneIsNotToldAndItsIdIsGivenAgain) {
  Open("echo \"{\\\"id\\\": $id, \\\"target\\\": $id}\"");
  Add();
  Answer();
  EXPECT_EQ(recommender_->Recommend()->target, 1);
  Add(3);
  recommender_.reset();
  EXPECT_EQ(counts().waiting, 0U);
  Answer();
  EXPECT_EQ(heard_.size(), 1U);
  recommender_ = Make();
  Add();
  Answer();
  EXPECT_EQ(recommender_->Recommend()->target, 1);
}

TEST_F(LiveRecommenderTest, AProgramThatIsNotThereSaysNothing) {
  Open(kCounts);
  recommender_ = Make("external:other");
  Add(100);
  Answer();
  EXPECT_EQ(recommender_->Recommend(), std::nullopt);
  EXPECT_EQ(counts().waiting, 0U);
  desk_.programs = nullptr;
  recommender_ = Make();
  Add(100);
  EXPECT_EQ(recommender_->Recommend(), std::nullopt);
}

TEST(LivePrograms, AreRefusedByNameWhenTheyCannotBeStarted) {
  const auto error = [](std::vector<ProgramCommand> commands) {
    return LivePrograms::Open(commands, {}).status().message();
  };
  const std::string median = (testing::SourceDir() / "testdata/external/median.py").string();
  EXPECT_EQ(error({{"p", "/no/such"}}),
            "--program p=/no/such: external:/no/such: cannot start '/no/such': No such file or "
            "directory; it must be a program, and executable");
  EXPECT_NE(error({{"p", "true"}}).find("--program p=true: external:true: it ended with status 0"),
            std::string::npos);
  EXPECT_EQ(error({{"a b", median}}),
            fmt::format("--program a b={}: a name has 1 to 128 letters, digits, '.', '_' and '-'",
                        median));
  EXPECT_EQ(error({{"p", median}, {"p", median}}),
            fmt::format("--program p={}: 'p' is there twice; give each a name of its own", median));
  EXPECT_EQ(error(std::vector<ProgramCommand>(17, {"p", median})),
            "there are 17 programs, and 16 are the most; leave some out");
}

TEST(ProgramNames, AreNeverPaths) {
  const ProgramNames names({"median"});
  EXPECT_TRUE(names.Check("external:median").ok());
  EXPECT_EQ(names.Check("external:mean").message(),
            "there is no program 'mean' here; start the server with --program mean=PATH");
  EXPECT_EQ(names.Check("external:./median.py").message(),
            "'./median.py' is no name of a program; a policy says external:NAME, and the server is "
            "started with --program NAME=PATH");
  EXPECT_TRUE(ProgramNames().Check("external:mean").ok());
  EXPECT_FALSE(ProgramNames().Check("external:/bin/mean").ok());
}

// Many services are told, asked, saved and made anew on one thread while programs answer on others,
// one of them well and one that ends over and over.
TEST(LiveProgramThreads, NobodyWaitsForAnybody) {
  ThreadExecutor home;
  const auto path = [](std::string_view name) {
    return (testing::SourceDir() / "testdata/external" / name).string();
  };
  const std::vector<ProgramCommand> commands = {{"median", path("median.py")},
                                                {"dies", path("dies.sh")}};
  std::unique_ptr<LivePrograms> programs =
      LivePrograms::Open(commands, [](const std::string& /*what*/) {}).value();
  const ProgramDesk desk{.programs = programs.get(), .home = &home};
  constexpr int kServices = 5;
  constexpr int kWindows = 30;
  std::vector<std::unique_ptr<Recommender>> all;
  RunOn(home, [&] {
    for (int i = 0; i < 2 * kServices; ++i) {
      const Sized sized{.service = fmt::format("s{}", i)};
      all.push_back(
          NewLiveRecommender(desk, i % 2 == 0 ? "external:median" : "external:dies", sized));
    }
  });
  for (int window = 1; window <= kWindows; ++window) {
    RunOn(home, [&] {
      for (const auto& one : all) {
        Tell(*one, 200, Time(minutes(5 * window)));
        EXPECT_EQ(one->Recommend().has_value(), !one->Why().empty());
      }
      auto& again = all[static_cast<std::size_t>(window) % all.size()];
      EXPECT_TRUE(again->Restore(again->Save()).ok());
    });
  }
  RunOn(home, [&] {
    for (const auto& one : all) Tell(*one, 200, Time(hours(8)));
  });
  std::uint64_t waiting = 1;
  while (waiting > 0) RunOn(home, [&] { waiting = programs->Waiting(); });
  RunOn(home, [&] {
    for (std::size_t i = 0; i < all.size(); i += 2) {
      EXPECT_EQ(all[i]->Why(), "300m: the median of the last day's windows, and a half");
    }
    EXPECT_GT(programs->Find("dies")->counts().failures, 0U);
    EXPECT_EQ(programs->Find("median")->counts().failures, 0U);
    for (const auto& one : all) Tell(*one, 200, Time(hours(9)));
    all.clear();
  });
  programs.reset();  // While something may still be asked, and before the thread that it is told.
}

}  // namespace
}  // namespace berth
