// A process killed at a random moment under load: nothing acknowledged is lost, nothing is
// half-applied, and the next process carries on.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>

#include "audit.h"
#include "berth/check.h"
#include "berth/rng.h"
#include "store/rocksdb_store.h"
#include "support.h"
#include "support/paths.h"

namespace berth {
namespace {

// How many rounds share a directory: its log grows, and with it what each audit reads.
constexpr int kRoundsPerDirectory = 10;

class Torture {
 public:
  Torture(const std::string& directory, std::uint64_t seed, int run) {
    std::array<int, 2> ends{};
    BERTH_CHECK(pipe(ends.data()) == 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    std::array<std::string, 4> words = {(testing::BinaryDir() / "store_torture").string(),
                                        directory, std::to_string(seed), std::to_string(run)};
    std::array<char*, 5> arguments = {words[0].data(), words[1].data(), words[2].data(),
                                      words[3].data(), nullptr};
    BERTH_CHECK(
        posix_spawn(&pid_, words[0].c_str(), &actions, nullptr, arguments.data(), environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    from_ = ends[0];
  }
  ~Torture() { close(from_); }
  Torture(const Torture&) = delete;
  Torture& operator=(const Torture&) = delete;

  // Reads acknowledgements until there are so many lines, then kills; reads what else was said.
  // False when it ended by itself.
  bool KillAfter(std::uint64_t lines) {
    std::uint64_t seen = 0;
    while (seen < lines && ReadSome(seen)) {
    }
    kill(pid_, SIGKILL);
    while (ReadSome(seen)) {
    }
    int status = 0;
    BERTH_CHECK(waitpid(pid_, &status, 0) == pid_);
    return WIFSIGNALED(status);
  }

  void AwaitLine() {
    std::uint64_t seen = 0;
    while (seen == 0 && ReadSome(seen)) {
    }
  }

  // What it said, without a line that the kill cut short.
  void NoteAcknowledged(Acknowledged& acknowledged) const {
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = said_.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      const std::string line = said_.substr(begin, end - begin);
      const std::size_t first = line.find(' ');
      const std::size_t second = line.find(' ', first + 1);
      BERTH_CHECK(second != std::string::npos);
      const std::string agent = line.substr(0, first);
      acknowledged[{agent, std::stoull(line.substr(first + 1))}] =
          Revision{std::stoull(line.substr(second + 1))};
    }
  }

 private:
  bool ReadSome(std::uint64_t& lines) {
    std::array<char, 4096> buffer{};
    const ssize_t got = read(from_, buffer.data(), buffer.size());
    if (got <= 0) return false;
    const std::string_view text(buffer.data(), static_cast<std::size_t>(got));
    said_.append(text);
    lines += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    return true;
  }

  pid_t pid_ = 0;
  int from_ = -1;
  std::string said_;
};

TEST(KilledUnderLoad, LosesNothingAcknowledged) {
  Rng rng(20);
  std::optional<testing::TempFolder> dir;
  Acknowledged acknowledged;
  std::size_t total = 0;
  for (int round = 0; round < BERTH_KILL_ROUNDS; ++round) {
    if (round % kRoundsPerDirectory == 0) {
      dir.emplace(testing::BinaryDir());
      acknowledged.clear();
    }
    const std::size_t before = acknowledged.size();
    Torture torture(dir->path(), rng.Next() % 1'000'000, round);
    // Sometimes at once, while it opens the store.
    const bool killed = torture.KillAfter(rng.Below(5) == 0 ? 0 : rng.Below(600));
    torture.NoteAcknowledged(acknowledged);
    ASSERT_TRUE(killed) << "round " << round;
    ASSERT_EQ(FindProblems(dir->path(), acknowledged), std::vector<std::string>())
        << "round " << round;
    total += acknowledged.size() - before;
  }
  EXPECT_GT(total, 50U * BERTH_KILL_ROUNDS);
}

TEST(AnotherProcess, KeepsItsDirectoryForItself) {
  const testing::TempFolder dir(testing::BinaryDir());
  Torture torture(dir.path(), 1, 1);
  torture.AwaitLine();
  RocksDbOptions options;
  options.directory = dir.path();
  const auto second = RocksDbStore::Open(options);
  EXPECT_TRUE(torture.KillAfter(0));
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.status().message(),
            fmt::format("another berth uses {}; stop it or choose another directory",
                        dir.path().string()));
}

}  // namespace
}  // namespace berth
