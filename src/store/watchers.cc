#include "store/watchers.h"

#include <utility>

namespace berth {

std::unique_ptr<Watch> Watchers::Add(Executor& reply_on, Store::OnEvent on_event,
                                     std::span<const std::shared_ptr<const Committed>> backlog) {
  auto watching = std::make_shared<Watching>(reply_on, std::move(on_event));
  for (const auto& committed : backlog) Send(watching, {.committed = committed, .compacted = {}});
  watchings_.push_back(watching);
  return EndsWhenDestroyed(std::move(watching));
}

std::unique_ptr<Watch> Watchers::Compacted(Executor& reply_on, Store::OnEvent on_event,
                                           Revision snapshot) {
  auto watching = std::make_shared<Watching>(reply_on, std::move(on_event));
  Send(watching, {.committed = nullptr, .compacted = snapshot});
  return EndsWhenDestroyed(std::move(watching));
}

void Watchers::Publish(const std::shared_ptr<const Committed>& committed) {
  std::erase_if(watchings_, [](const auto& watching) { return !watching->alive.load(); });
  for (const auto& watching : watchings_) {
    Send(watching, {.committed = committed, .compacted = {}});
  }
}

void Watchers::Send(const std::shared_ptr<Watching>& watching, WatchEvent event) {
  watching->reply_on.Post([watching, event = std::move(event)] {
    if (watching->alive.load()) watching->on_event(event);
  });
}

}  // namespace berth
