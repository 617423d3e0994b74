#include "base/line_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace berth {
namespace {

constexpr Duration kWait = std::chrono::seconds(20);

std::unique_ptr<LineProcess> Shell(const std::string& script) {
  Result<std::unique_ptr<LineProcess>> started = LineProcess::Start({"sh", "-c", script});
  EXPECT_TRUE(started.ok()) << started.status().message();
  return std::move(started).value();
}

// No child is left, not even a dead one.
bool NobodyIsLeft() { return waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

TEST(LineProcess, AnswersLineByLine) {
  {
    const auto process = Shell("while read line; do echo \"[$line]\"; done");
    for (int i = 0; i < 100; ++i) {
      const std::string asked = "line " + std::to_string(i);
      const Result<std::string> answer = process->Ask(asked, kWait);
      ASSERT_TRUE(answer.ok()) << answer.status().message();
      EXPECT_EQ(answer.value(), "[" + asked + "]");
    }
  }
  EXPECT_TRUE(NobodyIsLeft());
}

TEST(LineProcess, LongLinesGoThrough) {
  const auto process = Shell("exec cat");
  const std::string longest(LineProcess::kAnswerBytesMax, 'x');
  EXPECT_EQ(process->Ask(longest, kWait).value(), longest);
  EXPECT_EQ(process->Ask(longest + "y", kWait).status().message(),
            "it answered with more than 65536 bytes in a line");
}

TEST(LineProcess, NeitherOpenFilesNorBlockedSignalsAreHandedOn) {
  const int open_file = open("/dev/null", O_RDONLY);  // As a connection that is not close-on-exec.
  sigset_t terminate;
  sigset_t before;
  sigemptyset(&terminate);
  sigaddset(&terminate, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &terminate, &before);
  const auto process =
      Shell("read fd; [ -e /proc/self/fd/$fd ] && echo open || echo closed; kill $$; echo alive");
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(process->Ask(std::to_string(open_file), kWait).value(), "closed");
  EXPECT_EQ(process->Ask("?", kWait).status().message(), "it was ended by signal 15");
  close(open_file);
}

TEST(LineProcess, WhatIsNoProgramCannotBeStarted) {
  EXPECT_EQ(LineProcess::Start({"/nowhere/at/all"}).status().message(),
            "cannot start '/nowhere/at/all': No such file or directory; it must be a program, and "
            "executable");
}

TEST(LineProcess, SaysHowItEnded) {
  EXPECT_EQ(Shell("read line; exit 3")->Ask("x", kWait).status().message(),
            "it ended with status 3");
  EXPECT_EQ(Shell("read line; kill -9 $$")->Ask("x", kWait).status().message(),
            "it was ended by signal 9");
  const auto process = Shell("exit 4");
  EXPECT_FALSE(process->Ask("x", kWait).ok());
  EXPECT_EQ(process->Ask("x", kWait).status().message(), "it ended with status 4");
}

TEST(LineProcess, DoesNotWaitForEver) {
  {
    // It has a child of its own, which would hold the output open.
    const auto process = Shell("sleep 1000 & read line; sleep 1000");
    EXPECT_EQ(process->Ask("x", std::chrono::milliseconds(50)).status().message(),
              "it gave no answer within 50ms");
  }
  EXPECT_TRUE(NobodyIsLeft());
}

// One that does not read, either.
TEST(LineProcess, DoesNotWaitForEverToWrite) {
  const auto process = Shell("sleep 1000");
  EXPECT_EQ(
      process->Ask(std::string(10 << 20, 'x'), std::chrono::milliseconds(50)).status().message(),
      "it gave no answer within 50ms");
}

TEST(LineProcess, AnswersThatNobodyAskedForAreRefused) {
  const auto process = Shell("read line; printf 'a\\nb\\n'; read line; echo c");
  EXPECT_EQ(process->Ask("x", kWait).value(), "a");
  // Both lines may come in two parts: the second is then the answer to the next.
  const Result<std::string> next = process->Ask("y", kWait);
  EXPECT_TRUE(!next.ok() || next.value() == "b");
}

}  // namespace
}  // namespace berth
