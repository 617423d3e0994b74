// Recommenders that are programs, with real ones: shell scripts and the example of the documents.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "rightsize/choose_recommender.h"
#include "rightsize/external_recommender.h"
#include "support/paths.h"

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

bool NobodyIsLeft() { return waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

// A program that greets, answers starts, and answers windows as told. $n counts its lines.
constexpr std::string_view kGreeting =
    "read line; echo '{\"berth\": 1}'; n=0\n"
    "while read line; do n=$((n + 1))\n"
    "case \"$line\" in *start*) echo '{\"id\": 1}'; continue;; esac\n";

class External : public ::testing::Test {
 protected:
  void Open(std::string_view answering, Duration wait = std::chrono::seconds(20)) {
    const std::string script = std::string(kGreeting) + std::string(answering) + "\ndone\n";
    Result<std::shared_ptr<ExternalProgram>> opened =
        ExternalProgram::Open({"sh", "-c", script}, wait);
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    program_ = std::move(opened).value();
    recommender_ = NewExternalRecommender(program_, {.request = 500, .service = "we\"b"});
  }
  void Add(float used) {
    WindowHistogram histogram;
    histogram.Add(Buckets::Of(Resource::kCpu).Find(used));
    now_ += minutes(5);
    recommender_->Observe({.end = now_, .samples = std::span(&used, 1), .histogram = histogram});
  }
  void TearDown() override {
    recommender_.reset();
    program_.reset();
    EXPECT_TRUE(NobodyIsLeft());
  }

  Time now_{hours(1)};
  std::shared_ptr<ExternalProgram> program_;
  std::unique_ptr<Recommender> recommender_;
};

TEST_F(External, ItsAdviceIsTaken) {
  Open("echo '{\"id\": 1, \"target\": 120.2, \"lower\": 90, \"upper\": 150, \"why\": \"so\"}'");
  EXPECT_EQ(recommender_->Recommend(), std::nullopt);
  EXPECT_EQ(recommender_->Why(), "");
  Add(100);
  EXPECT_EQ(recommender_->Recommend(), (SizeAdvice{.target = 121, .lower = 90, .upper = 150}));
  EXPECT_EQ(recommender_->Why(), "121m: so");
  EXPECT_EQ(program_->Trouble(), "");
}

TEST_F(External, MayHaveNothingToSay) {
  Open("echo '{\"id\": 1}'");
  Add(100);
  EXPECT_EQ(recommender_->Recommend(), std::nullopt);
  EXPECT_EQ(program_->Trouble(), "");
}

// It answers a window and ends. The next is lost, and so is one more: then it is started again.
TEST_F(External, WhoEndsIsStartedAgainAndTheLastAdviceStays) {
  Open("echo \"{\\\"id\\\": 1, \\\"target\\\": 7}\"; exit 3");
  Add(1);
  EXPECT_EQ(recommender_->Recommend()->target, 7);
  Add(1);  // Finds that it ended.
  EXPECT_EQ(program_->session(), 0U);
  Add(1);  // Left out.
  EXPECT_EQ(program_->session(), 0U);
  Add(1);
  EXPECT_EQ(program_->session(), 2U);
  EXPECT_EQ(recommender_->Recommend()->target, 7);
  EXPECT_EQ(program_->Trouble(),
            "external:sh: it ended with status 3; it was started 2 times, and the last advice "
            "stayed 1 time");
}

struct Nonsense {
  std::string_view answer;
  std::string_view trouble;
};

TEST_F(External, NonsenseIsNamedAndChangesNothing) {
  for (const Nonsense& nonsense :
       {Nonsense{"hello", "its answer 'hello' does not name the id 1"},
        Nonsense{"{\"id\": 2, \"target\": 5}", "does not name the id 1"},
        Nonsense{"{\"id\": 1, \"target\": -5}", "its answer:1:21: target:"},
        Nonsense{"{\"id\": 1, \"target\": 1e300}", "its answer:1:21: target:"},
        Nonsense{"{\"id\": 1, \"target\": \"much\"}", "its answer:1:21: target:"},
        Nonsense{"{\"id\": 1, \"target\": 5, \"lower\": 6}", "are not in this order"},
        Nonsense{"{\"id\": 1, \"target\": 5, \"lim\": 6}", "unknown field 'lim'"},
        Nonsense{"{\"id\": 1, \"target\": [[[[", "its answer:1:"}, Nonsense{"", "does not name"}}) {
    Open("if [ $n = 2 ]; then echo '{\"id\": 1, \"target\": 9}'; else echo '" +
         std::string(nonsense.answer) + "'; fi");
    Add(1);
    Add(1);
    EXPECT_EQ(recommender_->Recommend()->target, 9) << nonsense.answer;
    EXPECT_NE(program_->Trouble().find(nonsense.trouble), std::string::npos)
        << nonsense.answer << ": " << program_->Trouble();
    EXPECT_EQ(program_->session(), 0U) << nonsense.answer;
  }
}

TEST_F(External, WhoDoesNotAnswerIsLeftAloneInTheEnd) {
  Open("sleep 1000", std::chrono::milliseconds(20));
  for (int i = 0; i < 3000; ++i) Add(1);
  EXPECT_EQ(recommender_->Recommend(), std::nullopt);
  const std::string trouble = program_->Trouble();
  EXPECT_NE(trouble.find("it gave no answer within 20ms; it was started "), std::string::npos)
      << trouble;
  EXPECT_NE(trouble.find("is left alone after ten failures in a row"), std::string::npos)
      << trouble;
}

TEST_F(External, ItsStateIsGivenBackWhenItIsStartedAgain) {
  // It says back what state it was started with, and ends.
  Result<std::shared_ptr<ExternalProgram>> opened = ExternalProgram::Open(
      {"sh", "-c",
       "read line; echo '{\"berth\": 1}'; read line; echo '{\"id\": 1}'\n"
       "state=${line##*state\\\":\\\"}; state=${state%%\\\"*}; read line\n"
       "echo \"{\\\"id\\\": 1, \\\"target\\\": 1, \\\"state\\\": \\\"${state}x\\\"}\"\n"},
      std::chrono::seconds(20));
  ASSERT_TRUE(opened.ok()) << opened.status().message();
  program_ = std::move(opened).value();
  recommender_ = NewExternalRecommender(program_, {});
  for (int i = 0; i < 7; ++i) Add(1);
  // Windows 1, 4 and 7 reached it: two are lost each time.
  const auto restored = NewExternalRecommender(program_, {});
  ASSERT_TRUE(restored->Restore(recommender_->Save()).ok());
  EXPECT_EQ(restored->Save(), recommender_->Save());
  EXPECT_NE(recommender_->Save().find("xxx"), std::string::npos);
  EXPECT_EQ(restored->Recommend(), recommender_->Recommend());
  EXPECT_FALSE(restored->Restore("!").ok());
  EXPECT_EQ(restored->Recommend(), recommender_->Recommend());
}

TEST_F(External, WhoCannotBeStartedOrSpeaksOtherwiseIsRefused) {
  const auto error = [](std::vector<std::string> command) {
    return ExternalProgram::Open(std::move(command)).status().message();
  };
  EXPECT_EQ(error({"/no/such/program"}),
            "external:/no/such/program: cannot start '/no/such/program': No such file or "
            "directory; it must be a program, and executable");
  EXPECT_NE(error({"sh", "-c", "read line; echo '{\"berth\": 2}'"}).find("berth"),
            std::string::npos);
  EXPECT_EQ(error({"sh", "-c", "exit 1"}), "external:sh: it ended with status 1");
  EXPECT_NE(error({"sh", "-c", "echo hello; sleep 1000"}).find("its greeting:1:1"),
            std::string::npos);
}

TEST_F(External, TheExampleOfTheDocumentsRecommends) {
  RecommenderChoice choice;
  const std::string name =
      "external:" + (testing::SourceDir() / "testdata/external/median.py").string();
  {
    const Result<ChosenRecommender> chosen = choice.Find(name);
    ASSERT_TRUE(chosen.ok()) << chosen.status().message();
    recommender_ = chosen.value().make({.resource = Resource::kCpu});
    for (const float used : {100.0F, 300.0F, 200.0F}) Add(used);
    // The median is 200, and a half.
    EXPECT_EQ(recommender_->Recommend()->target, 300);
    EXPECT_EQ(recommender_->Why(), "300m: the median of the last day's windows, and a half");
    recommender_->ObserveOom(1, now_);
    EXPECT_EQ(recommender_->Recommend()->target, 300);
    EXPECT_TRUE(choice.Troubles().empty());
    recommender_.reset();
  }
  choice = RecommenderChoice();
}

TEST(CheckRecommenderName, KnowsProgramsAndWeeklyOnes) {
  EXPECT_TRUE(CheckRecommenderName("window").ok());
  EXPECT_TRUE(CheckRecommenderName("weekly:window").ok());
  EXPECT_TRUE(CheckRecommenderName("weekly:external:x").ok());
  EXPECT_EQ(CheckRecommenderName("external:").message(),
            "external: needs a program, as external:./my_recommender.py");
  EXPECT_NE(CheckRecommenderName("weekly:oracle").message().find("oracle"), std::string::npos);
}

}  // namespace
}  // namespace berth
