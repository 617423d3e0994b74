#include "engine/disruption_gate.h"

#include <algorithm>

namespace berth {
namespace {

// When the log was not yet read to its end.
constexpr Duration kAskAgainAfter = std::chrono::seconds(1);

}  // namespace

void DisruptionGate::SetPolicy(const DisruptionPolicy& policy) {
  ledger_.SetPolicy(policy);
  if (!policy.limits()) {
    watch_.reset();
    ledger_.Clear();
    holds_.clear();
    return;
  }
  if (watch_ != nullptr) return;
  const std::uint64_t newest = ToNumber(view_.revision());
  WatchFrom(Revision{newest - std::min(newest, kRevisionsBack)});
}

std::optional<DisruptionLedger::Hold> DisruptionGate::MayDisrupt(const std::string& service) {
  return MayDisruptAll({&service, 1});
}

std::optional<DisruptionLedger::Hold> DisruptionGate::MayDisruptAll(
    std::span<const std::string> services) {
  if (!ledger_.policy().limits()) return std::nullopt;
  std::optional<DisruptionLedger::Hold> hold = ledger_.MayDisruptAll(services, executor_.now());
  if (known_ < view_.revision()) {
    hold = {executor_.now() + kAskAgainAfter, "what was disrupted of late is not known yet"};
  }
  if (!hold) return hold;
  ++held_back_;
  for (const std::string& service : services) NoteHold(service, *hold);
  return hold;
}

void DisruptionGate::NoteHold(const std::string& service, const DisruptionLedger::Hold& hold) {
  std::erase_if(holds_, [&](const auto& held) { return held.second.until <= executor_.now(); });
  holds_[service] = {hold.until, hold.because};
}

std::map<std::string, HeldBack> DisruptionGate::holds() const {
  std::map<std::string, HeldBack> holds = holds_;
  std::erase_if(holds, [&](const auto& held) { return held.second.until <= executor_.now(); });
  return holds;
}

void DisruptionGate::WatchFrom(Revision from) {
  known_ = from;
  watch_ = store_.WatchFrom(from, executor_, [this](const WatchEvent& event) { OnEvent(event); });
}

void DisruptionGate::OnEvent(const WatchEvent& event) {
  if (event.committed == nullptr) {
    // The log begins later than that; what is in it counts.
    executor_.Post([this, from = event.compacted, alive = std::weak_ptr<bool>(alive_)] {
      if (!alive.expired()) WatchFrom(from);
    });
    return;
  }
  const Committed& committed = *event.committed;
  known_ = committed.revision;
  for (const Update& update : committed.updates) {
    if (update.key.kind != RecordKind::kDecision || !update.record) continue;
    ledger_.Note(std::get<Decision>(*update.record), committed.revision);
  }
}

}  // namespace berth
