#include "base/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <limits>
#include <vector>

namespace berth {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(FormatProgress, ShowsShareRateAndTimeLeft) {
  EXPECT_EQ(FormatProgress("importing", 0, 100, seconds(0)), "importing   0%  0/s");
  EXPECT_EQ(FormatProgress("importing", 420, 1000, seconds(4)), "importing  42%  105/s  6s left");
  EXPECT_EQ(FormatProgress("importing", 12'345, 1'000'000, seconds(1)),
            "importing   1%  12,345/s  1m 21s left");
  EXPECT_EQ(FormatProgress("importing", 1000, 1000, seconds(4)), "importing 100%  250/s");
}

TEST(FormatProgress, CountsWithoutATotal) {
  EXPECT_EQ(FormatProgress("reading", 12'345, 0, seconds(10)), "reading  12,345  1,234/s");
}

TEST(FormatProgress, SurvivesOddNumbers) {
  EXPECT_EQ(FormatProgress("x", 2000, 1000, seconds(4)), "x 100%  500/s");
  const std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(FormatProgress("x", 1, huge, seconds(10)), "x   0%  0/s");
}

struct Screen {
  Time now;
  int asked = 0;
  std::vector<std::string> drawn;

  std::function<Time()> Clock() {
    return [this] {
      ++asked;
      return now;
    };
  }
  ProgressSink Sink() {
    return [this](std::string_view text) { drawn.emplace_back(text); };
  }
};

TEST(Progress, IsQuietAtFirstThenDrawsNowAndThenAndWipesItsLine) {
  Screen screen;
  {
    Progress progress("importing", 100, screen.Clock(), screen.Sink());
    screen.now += milliseconds(1999);
    progress.Update(10);
    EXPECT_TRUE(screen.drawn.empty());
    screen.now += milliseconds(1);
    progress.Update(20);
    screen.now += milliseconds(99);
    progress.Update(21);
    ASSERT_EQ(screen.drawn.size(), 1U);
    EXPECT_EQ(screen.drawn[0], "\r\x1b[Kimporting  20%  10/s  9s left");
    screen.now += milliseconds(1);
    progress.Update(22);
    EXPECT_EQ(screen.drawn.size(), 2U);
  }
  ASSERT_EQ(screen.drawn.size(), 3U);
  EXPECT_EQ(screen.drawn.back(), "\r\x1b[K");
}

TEST(Progress, WhoeverDrewNothingWipesNothing) {
  Screen screen;
  { const Progress progress("importing", 100, screen.Clock(), screen.Sink()); }
  EXPECT_TRUE(screen.drawn.empty());
}

TEST(Progress, WithoutATerminalItDoesNotEvenAskForTheTime) {
  Screen screen;
  Progress progress("importing", 100, screen.Clock(), nullptr);
  progress.Update(10);
  EXPECT_EQ(screen.asked, 0);
}

// Standard error is another file while this lives.
class StderrAs {
 public:
  explicit StderrAs(int file) : saved_(dup(STDERR_FILENO)) { dup2(file, STDERR_FILENO); }
  StderrAs(const StderrAs&) = delete;
  StderrAs& operator=(const StderrAs&) = delete;
  ~StderrAs() {
    dup2(saved_, STDERR_FILENO);
    close(saved_);
  }

 private:
  int saved_;
};

TEST(TerminalSink, IsNoneWhereStandardErrorIsAFile) {
  const int file = open("/dev/null", O_WRONLY);
  ProgressSink sink;
  {
    const StderrAs redirected(file);
    sink = TerminalSink();
  }
  close(file);
  EXPECT_FALSE(sink);
}

TEST(TerminalSink, WritesToATerminalAtOnce) {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_GE(master, 0);
  ASSERT_EQ(grantpt(master), 0);
  ASSERT_EQ(unlockpt(master), 0);
  std::array<char, 128> name{};
  ASSERT_EQ(ptsname_r(master, name.data(), name.size()), 0);
  const int terminal = open(name.data(), O_RDWR | O_NOCTTY);
  ASSERT_GE(terminal, 0);
  {
    const StderrAs redirected(terminal);
    const ProgressSink sink = TerminalSink();
    if (sink) sink("42%");
  }
  std::array<char, 16> shown{};
  const ssize_t size = read(master, shown.data(), shown.size());
  close(terminal);
  close(master);
  ASSERT_EQ(size, 3);
  EXPECT_EQ(std::string_view(shown.data(), 3), "42%");
}

}  // namespace
}  // namespace berth
