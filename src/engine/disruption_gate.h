// Whether Berth itself may disturb what runs: asks a ledger that follows the store's log.
//
// The log is followed from a while before now, so that what was disrupted before this process began
// counts too, as far as the log reaches.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "berth/executor.h"
#include "berth/store.h"
#include "engine/disruption_ledger.h"
#include "fleet/inventory.h"

namespace berth {

class DisruptionGate {
 public:
  // How far it looks back when it begins.
  static constexpr std::uint64_t kRevisionsBack = 20'000;

  // `view` is kept up to date on the executor. All of them outlive it.
  DisruptionGate(Store& store, Executor& executor, const Inventory& view)
      : store_(store), executor_(executor), view_(view) {}

  // The log is followed while the policy has limits.
  void SetPolicy(const DisruptionPolicy& policy);

  // If it may not be now, why and until when.
  std::optional<DisruptionLedger::Hold> MayDisrupt(const std::string& service);

  // How often it said no.
  std::uint64_t held_back() const { return held_back_; }
  // In the last hour.
  std::uint64_t disruptions() const { return ledger_.Disruptions(executor_.now()); }

 private:
  void WatchFrom(Revision from);
  void OnEvent(const WatchEvent& event);

  Store& store_;
  Executor& executor_;
  const Inventory& view_;
  DisruptionLedger ledger_;
  Revision known_{};  // The ledger has everything up to it.
  std::uint64_t held_back_ = 0;
  std::unique_ptr<Watch> watch_;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace berth
