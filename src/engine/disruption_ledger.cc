#include "engine/disruption_ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/fields.h"

namespace berth {
namespace {

constexpr std::uint32_t kLimitMax = 1'000'000;
// More than any limit lets through are of no use.
constexpr std::size_t kEntriesMax = kLimitMax;

std::optional<std::uint32_t> ReadLimit(Fields& fields, std::string_view key) {
  const std::optional<Node> node = fields.Optional(key);
  if (!node) return std::nullopt;
  const Result<std::uint32_t> limit = node->Integer<std::uint32_t>({.min = 0, .max = kLimitMax});
  fields.Check(limit.status());
  return limit.ok() ? std::optional(limit.value()) : std::nullopt;
}

bool Disrupts(const Decision& decision) {
  switch (decision.kind) {
    case DecisionKind::kResize:
      return !decision.refusal;
    case DecisionKind::kScale:  // Of its own accord, and some go.
      return !decision.refusal && !decision.why.empty() && decision.placed.empty();
    case DecisionKind::kMove:
      return decision.reason != MoveReason::kWaited &&
             decision.reason != MoveReason::kMachineFailed;
    case DecisionKind::kCreate:
    case DecisionKind::kDelete:
    case DecisionKind::kFleet:
    case DecisionKind::kPolicy:
    case DecisionKind::kWait:
      return false;
  }
  return false;
}

}  // namespace

Result<DisruptionPolicy> ParseDisruptionPolicy(const Node& policy) {
  DisruptionPolicy disruption;
  const std::optional<Node> section = policy.Find("disruption");
  if (!section) return disruption;
  Fields fields(*section);
  disruption.per_service = ReadLimit(fields, "per_service");
  disruption.per_zone = ReadLimit(fields, "per_zone");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  return disruption;
}

void DisruptionLedger::Note(const Decision& decision, Revision committed) {
  if (committed <= noted_) return;
  noted_ = committed;
  for (const InstanceId& evicted : decision.evicted) Add(evicted.service, decision.at);
  if (!Disrupts(decision)) return;
  if (decision.kind != DecisionKind::kMove) return Add(decision.subject, decision.at);
  for (std::size_t i = 0; i < decision.placed.size(); ++i) Add(decision.subject, decision.at);
}

void DisruptionLedger::Add(std::string service, Time at) {
  entries_.push_back({at, std::move(service)});
  while (entries_.size() > kEntriesMax || entries_.front().at + kDisruptionWindow <= at) {
    entries_.pop_front();
  }
}

void DisruptionLedger::Clear() {
  entries_.clear();
  noted_ = Revision{};
}

std::optional<DisruptionLedger::Hold> DisruptionLedger::MayDisrupt(const std::string& service,
                                                                   Time now) const {
  return MayDisruptAll({&service, 1}, now);
}

std::optional<DisruptionLedger::Hold> DisruptionLedger::MayDisruptAll(
    std::span<const std::string> services, Time now) const {
  const auto check = [&](std::string_view what, std::optional<std::uint32_t> limit,
                         std::size_t more, const auto& counts) -> std::optional<Hold> {
    if (!limit) return std::nullopt;
    std::uint32_t count = 0;
    Time until = now + kDisruptionWindow;
    // From the latest back: when the limit's last one is over, there is room for one more.
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
      if (entry->at + kDisruptionWindow <= now) break;
      if (!counts(*entry)) continue;
      ++count;
      if (count + more == *limit + std::size_t{1}) until = entry->at + kDisruptionWindow;
    }
    if (count + more <= *limit) return std::nullopt;
    return Hold{until,
                fmt::format("{} was disrupted {} times in the last hour, and {} are the most", what,
                            count, *limit)};
  };
  for (const std::string& service : services) {
    const auto more = static_cast<std::size_t>(std::ranges::count(services, service));
    if (auto hold = check(fmt::format("service {}", service), policy_.per_service, more,
                          [&](const Entry& entry) { return entry.service == service; })) {
      return hold;
    }
  }
  return check("the zone", policy_.per_zone, services.size(), [](const Entry&) { return true; });
}

std::uint64_t DisruptionLedger::Disruptions(Time now) const {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      entries_, [&](const Entry& entry) { return entry.at + kDisruptionWindow > now; }));
}

}  // namespace berth
