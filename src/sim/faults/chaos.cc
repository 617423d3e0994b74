#include "sim/faults/chaos.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace berth::faults {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::array kDealt = {
    Fault::kConnectionCut,      Fault::kProcessCrashed,    Fault::kStoreCrashed,
    Fault::kStoreCrashedInSync, Fault::kSyncFailed,        Fault::kClockForwards,
    Fault::kClockBackwards,     Fault::kWatcherLeftBehind,
};

// Keys are kept for a day by the clock of whoever decided: clocks further apart could forget one
// that is still in use.
constexpr Duration kApartMax = hours(6);
constexpr std::array<Duration, 4> kJumps = {milliseconds(5), seconds(3), minutes(20), hours(2)};

}  // namespace

Chaos::Chaos(World& world, StoreProcess& store,
             std::vector<std::unique_ptr<ServerProcess>>& servers,
             std::vector<std::unique_ptr<Watcher>>& watchers)
    : world_(world),
      store_(store),
      servers_(servers),
      watchers_(watchers),
      rng_(world.Stream("chaos")) {}

void Chaos::Begin() {
  world_.After(DrawBetween(rng_, milliseconds(4), milliseconds(30)), [this] {
    if (world_.healed()) return;
    Deal();
    Begin();
  });
}

void Chaos::Deal() {
  if (deck_.empty()) {
    deck_.assign(kDealt.begin(), kDealt.end());
    rng_.Shuffle(std::span(deck_));
  }
  // The first that can happen: what is down already cannot crash.
  const auto dealt = std::ranges::find_if(deck_, [this](Fault fault) { return Happens(fault); });
  if (dealt != deck_.end()) deck_.erase(dealt);
}

bool Chaos::Happens(Fault fault) {
  SyncFaults& syncs = store_.sync_faults();
  switch (fault) {
    case Fault::kConnectionCut:
      return CutConnection();
    case Fault::kProcessCrashed:
      return CrashProcess();
    case Fault::kClockForwards:
    case Fault::kClockBackwards:
      return JumpClock(fault);
    case Fault::kWatcherLeftBehind:
      return LeaveWatcherBehind();
    case Fault::kStoreCrashed:
      if (store_.store() == nullptr) return false;
      store_.Crash(fault);
      return true;
    case Fault::kStoreCrashedInSync:
      if (syncs.during_next) return false;
      syncs.during_next = [this, fault] { store_.Crash(fault); };
      return true;
    case Fault::kSyncFailed:
      if (syncs.fail_next) return false;
      syncs.fail_next = true;
      return true;
    case Fault::kDelayed:
    case Fault::kReordered:
    case Fault::kDropped:
    case Fault::kDuplicated:
    case Fault::kProcessReturned:
    case Fault::kStoreReturned:
      break;  // Happens to messages, or follows from the others.
  }
  return false;
}

bool Chaos::CutConnection() {
  std::vector<Connection*> connected;
  for (const auto& server : servers_) {
    if (server->up() && server->connection().connected()) {
      connected.push_back(&server->connection());
    }
  }
  for (const auto& watcher : watchers_) {
    if (watcher->connection().connected()) connected.push_back(&watcher->connection());
  }
  if (connected.empty()) return false;
  world_.Count(Fault::kConnectionCut);
  connected[rng_.Below(connected.size())]->Cut();
  return true;
}

bool Chaos::CrashProcess() {
  ServerProcess& server = *servers_[rng_.Below(servers_.size())];
  if (!server.up()) return false;
  server.Crash();
  return true;
}

bool Chaos::JumpClock(Fault fault) {
  const std::size_t whose = rng_.Below(servers_.size() + 1);
  JumpingClock& clock = whose == servers_.size() ? store_.clock() : servers_[whose]->clock();
  const Duration jump = kJumps[rng_.Below(kJumps.size())];
  const Duration by = fault == Fault::kClockForwards ? jump : -jump;
  if (clock.ahead() + by > kApartMax / 2 || clock.ahead() + by < -kApartMax / 2) return false;
  clock.Jump(by);
  world_.Count(fault);
  world_.Tell(fmt::format("the clock of {} jumps by {} ms",
                          whose == servers_.size() ? "the store" : servers_[whose]->name(),
                          by.count() / 1000));
  return true;
}

bool Chaos::LeaveWatcherBehind() {
  Watcher& watcher = *watchers_.back();
  if (watcher.away()) return false;
  world_.Tell(fmt::format("{} looks away", watcher.name()));
  watcher.FallBehind();
  return true;
}

}  // namespace berth::faults
