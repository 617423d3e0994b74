#include "store/watchers.h"

#include <utility>

namespace berth {
namespace {

class AliveUntilDestroyed final : public Watch {
 public:
  explicit AliveUntilDestroyed(std::shared_ptr<std::atomic<bool>> alive)
      : alive_(std::move(alive)) {}
  ~AliveUntilDestroyed() override { alive_->store(false); }
  AliveUntilDestroyed(const AliveUntilDestroyed&) = delete;
  AliveUntilDestroyed& operator=(const AliveUntilDestroyed&) = delete;

 private:
  std::shared_ptr<std::atomic<bool>> alive_;
};

}  // namespace

std::unique_ptr<Watch> Watchers::Add(Executor& reply_on, Store::OnEvent on_event,
                                     std::span<const std::shared_ptr<const Committed>> backlog) {
  Watcher watcher{.alive = std::make_shared<std::atomic<bool>>(true),
                  .reply_on = &reply_on,
                  .on_event = std::make_shared<const Store::OnEvent>(std::move(on_event))};
  for (const auto& committed : backlog) Send(watcher, {.committed = committed, .compacted = {}});
  watchers_.push_back(watcher);
  return std::make_unique<AliveUntilDestroyed>(watcher.alive);
}

std::unique_ptr<Watch> Watchers::Compacted(Executor& reply_on, Store::OnEvent on_event,
                                           Revision snapshot) {
  const Watcher watcher{.alive = std::make_shared<std::atomic<bool>>(true),
                        .reply_on = &reply_on,
                        .on_event = std::make_shared<const Store::OnEvent>(std::move(on_event))};
  Send(watcher, {.committed = nullptr, .compacted = snapshot});
  return std::make_unique<AliveUntilDestroyed>(watcher.alive);
}

void Watchers::Publish(const std::shared_ptr<const Committed>& committed) {
  std::erase_if(watchers_, [](const Watcher& watcher) { return !watcher.alive->load(); });
  for (const Watcher& watcher : watchers_) Send(watcher, {.committed = committed, .compacted = {}});
}

void Watchers::Send(const Watcher& watcher, WatchEvent event) {
  watcher.reply_on->Post(
      [alive = watcher.alive, on_event = watcher.on_event, event = std::move(event)] {
        if (alive->load()) (*on_event)(event);
      });
}

}  // namespace berth
