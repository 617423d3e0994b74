// What can go wrong in a fault simulation, and the mistakes that can be planted to see them found.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace berth::faults {

enum class Fault : std::uint8_t {
  kDelayed,             // A message took many times as long as usual.
  kReordered,           // A message overtook one sent before it.
  kDropped,             // A message never arrived.
  kDuplicated,          // A message arrived twice.
  kConnectionCut,       // A process or watcher lost the store, which went on.
  kProcessCrashed,      // A server process ended with all that it knew.
  kProcessReturned,     // It came back, knowing nothing.
  kStoreCrashed,        // The store ended between two syncs.
  kStoreCrashedInSync,  // The store ended while it synced.
  kStoreReturned,       // It came back with what the disk had.
  kSyncFailed,          // A sync failed; the store took no more commits until it came back.
  kClockForwards,       // A clock jumped ahead
  kClockBackwards,      // or back.
  kWatcherLeftBehind,   // A watcher was away for longer than the log reaches back.
};
inline constexpr std::size_t kFaultCount = 14;
using FaultCounts = std::array<std::uint64_t, kFaultCount>;

// "message dropped": what a table calls it.
std::string_view ToString(Fault fault);

// A mistake in the simulated store, which the invariants must find.
enum class PlantedBug : std::uint8_t {
  kNone,
  kNoSyncBeforeAnswer,     // Commits are answered while they are being synced.
  kKeyForgottenOnRestart,  // A store that returns has lost the idempotency keys.
  kGapInWatch,             // A watch that must catch up with several revisions misses the first.
  kStaleMerge,             // A stale change that no longer holds is merged all the same.
};
inline constexpr std::array kPlantedBugs = {PlantedBug::kNone, PlantedBug::kNoSyncBeforeAnswer,
                                            PlantedBug::kKeyForgottenOnRestart,
                                            PlantedBug::kGapInWatch, PlantedBug::kStaleMerge};

// "no_sync_before_answer": what the command line calls it.
std::string_view ToString(PlantedBug bug);
std::optional<PlantedBug> ParsePlantedBug(std::string_view name);

}  // namespace berth::faults
