// One memory store, many threads: for the thread sanitizer.
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "base/thread_executor.h"
#include "store/memory_store.h"

namespace berth {
namespace {

constexpr std::size_t kThreads = 4;
constexpr std::uint64_t kCommitsEach = 1000;

// Counts down to the end of all work; the test waits for it.
class Finish {
 public:
  explicit Finish(std::size_t expected) : left_(expected) {}
  void Done() {
    const std::lock_guard lock(mutex_);
    if (--left_ == 0) all_.notify_all();
  }
  void Wait() {
    std::unique_lock lock(mutex_);
    all_.wait(lock, [&] { return left_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_;
  std::size_t left_;
};

// An agent on its own thread: commits one after the other, and follows the store meanwhile. All its
// members are its executor's thread's.
class Agent {
 public:
  Agent(MemoryStore& store, std::string name, Finish& finish)
      : store_(store), name_(std::move(name)), finish_(finish) {}

  void Start() {
    executor_.Post([this] {
      watch_ = store_.WatchFrom(Revision{}, executor_, [this](const WatchEvent& event) {
        in_order_ =
            in_order_ && event.committed != nullptr && event.committed->revision == Next(last_);
        last_ = event.committed->revision;
      });
      CommitNext();
    });
  }
  void Stop() { executor_.Stop(); }

  // After Stop.
  bool in_order() const { return in_order_; }
  std::uint64_t committed() const { return committed_; }

 private:
  void CommitNext() {
    if (++sequence_ > kCommitsEach) {
      store_.Read(executor_, [this](const Result<std::shared_ptr<const Inventory>>& snapshot) {
        in_order_ = in_order_ && last_ >= snapshot.value()->revision();
        watch_.reset();
        finish_.Done();
      });
      return;
    }
    Decision decision;
    decision.id = {name_, sequence_};
    ChangeSet change;
    change.operations = {Put{Tenant{.name = TenantId(name_), .quota = {}}}, Put{decision}};
    change.seen = last_;
    store_.Commit(std::move(change), executor_, [this](const CommitReply& reply) {
      if (reply.outcome == CommitReply::Outcome::kCommitted) ++committed_;
      in_order_ = in_order_ && last_ == reply.revision;
      store_.ReadDecision({name_, sequence_}, executor_, [this](const Result<Decision>& found) {
        in_order_ = in_order_ && found.ok();
        CommitNext();
      });
    });
  }

  MemoryStore& store_;
  const std::string name_;
  Finish& finish_;
  Revision last_{};
  bool in_order_ = true;
  std::uint64_t sequence_ = 0;
  std::uint64_t committed_ = 0;
  std::unique_ptr<Watch> watch_;
  ThreadExecutor executor_;
};

TEST(MemoryStoreThreads, ServesManyAgentsAtOnce) {
  MemoryStore store({.revisions = 2 * kThreads * kCommitsEach});
  Finish finish(kThreads);
  std::vector<std::unique_ptr<Agent>> agents;
  agents.reserve(kThreads);
  for (std::size_t i = 0; i < kThreads; ++i) {
    agents.push_back(std::make_unique<Agent>(store, "a" + std::to_string(i), finish));
  }
  for (const auto& agent : agents) agent->Start();
  finish.Wait();
  for (const auto& agent : agents) {
    agent->Stop();
    EXPECT_TRUE(agent->in_order());
    EXPECT_EQ(agent->committed(), kCommitsEach);
  }
}

}  // namespace
}  // namespace berth
