#include "store/feed.h"

#include <limits>
#include <utility>

namespace berth {
namespace {

// Old revisions sent before the executor must have taken them: enough to keep it busy, little
// enough that a commit never waits long.
constexpr std::size_t kSentAtOnceMax = 256;

class Ending final : public Watch {
 public:
  explicit Ending(std::shared_ptr<Watching> watching) : watching_(std::move(watching)) {}
  ~Ending() override { watching_->alive.store(false); }
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;

 private:
  std::shared_ptr<Watching> watching_;
};

}  // namespace

std::unique_ptr<Watch> EndsWhenDestroyed(std::shared_ptr<Watching> watching) {
  return std::make_unique<Ending>(std::move(watching));
}

Feed::Feed(Revision published, ReadLog read_log, Taken taken)
    : published_(published), read_log_(std::move(read_log)), taken_(std::move(taken)) {}

void Feed::Add(const std::shared_ptr<Watching>& watching, Revision from, Revision log_start) {
  Executor& executor = watching->reply_on;
  // A watcher ahead of the store saw another history; a snapshot is the way back for it too.
  if (Next(from) < log_start || from > published_) {
    watching->ended = true;
    Deliver(executor, Event{watching, {.committed = nullptr, .compacted = published_}});
    return;
  }
  watchings_.push_back(watching);
  if (from == published_) return;
  const bool first = lanes_.find(&executor) == lanes_.end();
  lanes_[&executor].push_back(CatchUp{watching, Next(from), published_});
  if (first) Advance(executor);
}

void Feed::Publish(const std::shared_ptr<const Committed>& committed) {
  published_ = committed->revision;
  std::erase_if(watchings_, [](const auto& w) { return w->ended || !w->alive.load(); });
  for (const auto& watching : watchings_) {
    Deliver(watching->reply_on, Event{watching, {.committed = committed, .compacted = {}}});
  }
}

void Feed::Restart(Revision published) {
  published_ = published;
  for (const auto& watching : std::exchange(watchings_, {})) {
    if (watching->ended) continue;
    watching->ended = true;
    Deliver(watching->reply_on, Event{watching, {.committed = nullptr, .compacted = published_}});
  }
}

void Feed::Send(Executor& executor, Executor::Task task) { Deliver(executor, std::move(task)); }

void Feed::Deliver(Executor& executor, Item item) {
  if (const auto lane = lanes_.find(&executor); lane != lanes_.end()) {
    lane->second.push_back(std::move(item));
  } else if (auto* task = std::get_if<Executor::Task>(&item)) {
    executor.Post(std::move(*task));
  } else {
    PostEvent(std::get<Event>(item));
  }
}

void Feed::PostEvent(const Event& event) {
  event.watching->reply_on.Post([event] {
    if (event.watching->alive.load()) event.watching->on_event(event.event);
  });
}

std::size_t Feed::Step(CatchUp& catch_up, std::size_t budget) {
  std::size_t sent = 0;
  while (sent < budget && catch_up.next <= catch_up.last && catch_up.watching->alive.load() &&
         !catch_up.watching->ended) {
    Result<std::shared_ptr<const Committed>> committed = read_log_(catch_up.next);
    if (!committed.ok()) {  // Trimmed away while this watch was catching up.
      catch_up.watching->ended = true;
      PostEvent({catch_up.watching, {.committed = nullptr, .compacted = published_}});
      return 0;
    }
    PostEvent({catch_up.watching, {.committed = std::move(committed).value(), .compacted = {}}});
    catch_up.next = Next(catch_up.next);
    ++sent;
  }
  return sent;
}

void Feed::Drain(Executor& executor, Lane& lane, std::size_t budget) {
  while (!lane.empty()) {
    if (auto* catch_up = std::get_if<CatchUp>(&lane.front())) {
      const std::size_t sent = Step(*catch_up, budget);
      budget -= sent;
      if (sent > 0 && budget == 0) {
        executor.Post([taken = taken_, &executor] { taken(executor); });
        return;
      }
    } else if (auto* task = std::get_if<Executor::Task>(&lane.front())) {
      executor.Post(std::move(*task));
    } else if (const auto& event = std::get<Event>(lane.front());
               !event.watching->ended || event.event.committed == nullptr) {
      PostEvent(event);
    }
    lane.pop_front();
  }
}

void Feed::Advance(Executor& executor) {
  const auto lane = lanes_.find(&executor);
  if (lane == lanes_.end()) return;
  Drain(executor, lane->second, kSentAtOnceMax);
  if (lane->second.empty()) lanes_.erase(lane);
}

void Feed::Finish() {
  for (auto& [executor, lane] : lanes_) {
    Drain(*executor, lane, std::numeric_limits<std::size_t>::max());
  }
  lanes_.clear();
}

}  // namespace berth
