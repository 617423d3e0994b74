#include "sim/faults/watcher.h"

#include <fmt/format.h>

#include <utility>

namespace berth::faults {
namespace {

constexpr Duration kBetweenLooks = std::chrono::milliseconds(10);

}  // namespace

Watcher::Watcher(World& world, StoreProcess& store, const History& history,
                 Connection::Options options)
    : world_(world),
      store_(store),
      history_(history),
      name_(options.name),
      connection_(world, store, world.executor(), std::move(options)) {
  Follow();
}

void Watcher::Follow() {
  watch_ = connection_.WatchFrom(last_, world_.executor(),
                                 [this](const WatchEvent& event) { OnEvent(event); });
}

void Watcher::OnEvent(const WatchEvent& event) {
  if (event.committed != nullptr) {
    last_ = event.committed->revision;
    seen_.push_back(event.committed);
    return;
  }
  watch_.reset();
  if (const LoggedStore* store = store_.store();
      store != nullptr && Next(last_) >= store->log_start() && last_ <= history_.revision()) {
    return world_.Break(fmt::format("{} was told that revision {} is compacted, but it is not",
                                    name_, ToNumber(Next(last_))));
  }
  connection_.Read(world_.executor(), [this](const Result<std::shared_ptr<const Inventory>>& read) {
    if (read.ok()) OnSnapshot(*read.value());
  });
}

void Watcher::OnSnapshot(const Inventory& snapshot) {
  if (snapshot.revision() < last_) {
    return world_.Break(fmt::format("{} saw revision {}, but the store is at {}", name_,
                                    ToNumber(last_), ToNumber(snapshot.revision())));
  }
  last_ = snapshot.revision();
  if (!away_) Follow();
}

void Watcher::FallBehind() {
  away_ = true;
  watch_.reset();
  LookAgainSoon();
}

void Watcher::LookAgainSoon() {
  world_.After(kBetweenLooks, [this] {
    const bool left_behind = ToNumber(history_.revision()) > ToNumber(last_) + kLogKept;
    if (!left_behind && !world_.healed()) return LookAgainSoon();
    if (left_behind) world_.Count(Fault::kWatcherLeftBehind);
    world_.Tell(fmt::format("{} looks again, {} revisions behind", name_,
                            ToNumber(history_.revision()) - ToNumber(last_)));
    away_ = false;
    Follow();
  });
}

void Watcher::CheckSeen() {
  for (const Disk::Entry& entry : std::exchange(seen_, {})) {
    const Revision revision = entry->revision;
    if (revision > history_.revision() || history_.entries()[ToNumber(revision) - 1] != entry) {
      return world_.Break(
          fmt::format("{} saw revision {}, which is lost", name_, ToNumber(revision)));
    }
  }
}

}  // namespace berth::faults
