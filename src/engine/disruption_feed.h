// Keeps a ledger of disruption up to date with a store's log, from a while before now: so that what
// was disrupted before this process began counts too, as far as the log reaches.
#pragma once

#include <cstdint>
#include <memory>

#include "berth/executor.h"
#include "berth/store.h"
#include "engine/disruption_ledger.h"

namespace berth {

class DisruptionFeed {
 public:
  // How far it looks back when it begins.
  static constexpr std::uint64_t kRevisionsBack = 20'000;

  // All of them outlive it.
  DisruptionFeed(Store& store, Executor& executor, DisruptionLedger& ledger)
      : store_(store), executor_(executor), ledger_(ledger) {}

  // Follows the log while the ledger's policy has limits. `now` is the newest revision known.
  void Follow(Revision now);
  // Whether the ledger knows everything up to this revision.
  bool Knows(Revision revision) const { return revision <= known_; }

 private:
  void WatchFrom(Revision from);
  void OnEvent(const WatchEvent& event);

  Store& store_;
  Executor& executor_;
  DisruptionLedger& ledger_;
  Revision known_{};
  std::unique_ptr<Watch> watch_;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace berth
