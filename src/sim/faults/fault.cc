#include "sim/faults/fault.h"

#include <algorithm>

namespace berth::faults {

std::string_view ToString(Fault fault) {
  switch (fault) {
    case Fault::kDelayed:
      return "message delayed";
    case Fault::kReordered:
      return "message reordered";
    case Fault::kDropped:
      return "message dropped";
    case Fault::kDuplicated:
      return "message duplicated";
    case Fault::kConnectionCut:
      return "connection cut";
    case Fault::kProcessCrashed:
      return "process crashed";
    case Fault::kProcessReturned:
      return "process returned";
    case Fault::kStoreCrashed:
      return "store crashed";
    case Fault::kStoreCrashedInSync:
      return "store crashed in a sync";
    case Fault::kStoreReturned:
      return "store returned";
    case Fault::kSyncFailed:
      return "sync failed";
    case Fault::kClockForwards:
      return "clock jumped forwards";
    case Fault::kClockBackwards:
      return "clock jumped backwards";
    case Fault::kWatcherLeftBehind:
      return "watcher left behind";
  }
  return "unknown";
}

std::string_view ToString(PlantedBug bug) {
  switch (bug) {
    case PlantedBug::kNone:
      return "none";
    case PlantedBug::kNoSyncBeforeAnswer:
      return "no_sync_before_answer";
    case PlantedBug::kKeyForgottenOnRestart:
      return "key_forgotten_on_restart";
    case PlantedBug::kGapInWatch:
      return "gap_in_watch";
    case PlantedBug::kStaleMerge:
      return "stale_merge";
  }
  return "unknown";
}

std::optional<PlantedBug> ParsePlantedBug(std::string_view name) {
  const auto* found =
      std::ranges::find_if(kPlantedBugs, [&](PlantedBug bug) { return ToString(bug) == name; });
  return found == kPlantedBugs.end() ? std::nullopt : std::optional(*found);
}

}  // namespace berth::faults
