// What must hold of each record alone.
#include <fmt/format.h>

#include <algorithm>

#include "fleet/invariants.h"
#include "fleet/settings.h"

namespace berth {
namespace {

bool AmountsHold(const Resources& amounts, std::int64_t most) {
  return std::ranges::all_of(kAllResources,
                             [&](Resource r) { return amounts[r] >= 0 && amounts[r] <= most; });
}

bool IsToken(std::string_view text) {
  return !text.empty() && text.size() <= 256 &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

Check Named(const RecordMap& records) {
  Check check("names");
  for (const auto& [key, update] : records) {
    if (key.kind == RecordKind::kPolicy || key.kind == RecordKind::kIdempotency) continue;
    ++check.looked_at;
    if (!IsValidName(key.name)) check.Break(key, "has a name that is none", update.revision);
  }
  return check;
}

Check Amounts(const RecordMap& records) {
  Check check("amounts");
  const auto expect = [&](bool holds, const RecordKey& key, std::string_view what, Revision at) {
    ++check.looked_at;
    if (!holds) check.Break(key, fmt::format("has a {} that is negative or too large", what), at);
  };
  for (const auto& [key, update] : records) {
    if (!update.record) continue;
    if (const auto* machine = std::get_if<Machine>(&*update.record)) {
      expect(AmountsHold(machine->capacity, kAmountMax), key, "capacity", update.revision);
    } else if (const auto* type = std::get_if<InstanceType>(&*update.record)) {
      expect(AmountsHold(type->size, kAmountMax), key, "size", update.revision);
    } else if (const auto* instance = std::get_if<Instance>(&*update.record)) {
      expect(AmountsHold(instance->limit, kAmountMax), key, "limit", update.revision);
    } else if (const auto* tenant = std::get_if<Tenant>(&*update.record)) {
      expect(!tenant->quota || AmountsHold(*tenant->quota, kUnlimited), key, "quota",
             update.revision);
    }
  }
  return check;
}

Check Leases(const RecordMap& records) {
  Check check("leases");
  ForEachRecord<Lease>(records, [&](const Lease& lease, Revision revision) {
    ++check.looked_at;
    const RecordKey key = KeyOf(RecordKind::kLease, lease.name);
    if (!IsToken(lease.holder)) check.Break(key, "has no holder", revision);
    if (lease.epoch == 0) check.Break(key, "has no epoch", revision);
  });
  return check;
}

Check Answers(const RecordMap& records) {
  Check check("idempotency keys");
  ForEachRecord<Idempotency>(records, [&](const Idempotency& answer, Revision revision) {
    ++check.looked_at;
    const RecordKey key = KeyOf(RecordKind::kIdempotency, answer.key);
    if (!IsToken(answer.key)) check.Break(key, "is not printable", revision);
    if (!IsValidName(answer.decision.agent) || answer.decision.sequence == 0) {
      check.Break(key, "names no decision", revision);
    }
  });
  return check;
}

Check Policy(const RecordMap& records) {
  Check check("policy");
  ForEachRecord<PolicyText>(records, [&](const PolicyText& policy, Revision revision) {
    ++check.looked_at;
    const Result<FleetSettings> settings = ParseFleetSettings(policy.text);
    if (settings.ok()) return;
    check.Break(KeyOf(RecordKind::kPolicy, ""),
                fmt::format("cannot be read ({})", settings.status().message()), revision);
  });
  return check;
}

}  // namespace

std::vector<Check> CheckRecords(const RecordMap& records) {
  return {Named(records), Amounts(records), Leases(records), Answers(records), Policy(records)};
}

}  // namespace berth
