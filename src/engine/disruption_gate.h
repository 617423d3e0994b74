// Whether Berth itself may disturb what runs: asks a ledger that follows the store's log.
//
// The log is followed from a while before now, so that what was disrupted before this process began
// counts too, as far as the log reaches.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "berth/engine.h"
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
  // The same of several disruptions at once, each of the service that it names.
  std::optional<DisruptionLedger::Hold> MayDisruptAll(std::span<const std::string> services);

  // Something else is put off with it, for the service.
  void NoteHold(const std::string& service, const DisruptionLedger::Hold& hold);

  // How often it said no,
  std::uint64_t held_back() const { return held_back_; }
  // and of what it did that still holds, by service.
  std::map<std::string, HeldBack> holds() const;
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
  std::map<std::string, HeldBack> holds_;  // Some may be over.
  std::unique_ptr<Watch> watch_;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace berth
