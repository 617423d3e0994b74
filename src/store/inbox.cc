#include "store/inbox.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace berth {
namespace {

// Operations in one batch: what one write holds stays small beside memory.
constexpr std::size_t kBatchOperationsMax = 100'000;

// Those just answered are likely to ask again at once. Syncing for the first of them alone would
// make all others wait for a second sync, so the committer lets them come, for as long as they do.
constexpr int kYieldsMax = 64;

}  // namespace

bool Inbox::TryPush(CommitRequest& request) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_ || commits_ >= limits_.waiting_max) return false;
    requests_.emplace_back(std::move(request));
    ++commits_;
  }
  filled_.notify_one();
  return true;
}

void Inbox::Push(StoreRequest request) {
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(std::move(request));
  }
  filled_.notify_one();
}

void Inbox::Close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  filled_.notify_one();
}

void Inbox::AwaitCompany(std::unique_lock<std::mutex>& lock) {
  const std::size_t expected = std::min(last_batch_, limits_.batch_max);
  for (int i = 0; i < kYieldsMax && commits_ < expected && !closed_; ++i) {
    const std::size_t before = commits_;
    lock.unlock();
    std::this_thread::yield();
    lock.lock();
    if (commits_ == before) return;
  }
}

std::vector<StoreRequest> Inbox::Take() {
  std::unique_lock lock(mutex_);
  filled_.wait(lock, [&] { return closed_ || !requests_.empty(); });
  AwaitCompany(lock);
  return HandOut();
}

std::vector<StoreRequest> Inbox::TakeWaiting() {
  const std::lock_guard lock(mutex_);
  return HandOut();
}

std::vector<StoreRequest> Inbox::HandOut() {
  std::vector<StoreRequest> taken;
  std::size_t commits = 0;
  std::size_t operations = 0;
  while (!requests_.empty()) {
    if (const auto* commit = std::get_if<CommitRequest>(&requests_.front())) {
      operations += commit->change.operations.size();
      const bool full = commits == limits_.batch_max || operations > kBatchOperationsMax;
      if (full && commits > 0) break;
      ++commits;
    }
    taken.push_back(std::move(requests_.front()));
    requests_.pop_front();
  }
  commits_ -= commits;
  if (commits > 0) last_batch_ = commits;
  return taken;
}

}  // namespace berth
