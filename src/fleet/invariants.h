// What must hold of a fleet, worked out anew from its records alone.
//
// Slow and obvious on purpose: it shares neither sums nor predicates with the validator, so that it
// can catch the two out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "berth/change.h"
#include "berth/records.h"

namespace berth {

// Every record as it stands. A removed policy is there without a record.
using RecordMap = std::map<RecordKey, Update>;

struct Breach {
  std::string record;    // "machine m-17"
  std::string sentence;  // What is wrong with it, and what to do.
};

// One thing that must hold, and where it does not.
struct Check {
  static constexpr std::size_t kKept = 1000;  // Sentences; more are only counted.

  explicit Check(std::string asked) : what(std::move(asked)) {}

  std::string what;             // "machines within capacity"
  std::uint64_t looked_at = 0;  // Of the records that it is asked of.
  std::uint64_t broken = 0;
  std::vector<Breach> breaches;
  // Over a bound that was lowered after they were placed, which is allowed.
  std::vector<Breach> allowed;

  // `since`: a revision at which it was wrong already.
  void Break(const RecordKey& record, std::string_view wrong, Revision since);
  void Break(std::string record, std::string sentence);
  void Allow(const RecordKey& record, std::string_view why);
};

// When a machine, or a tenant, last got another instance or a larger one, as far as is known. What
// has not grown since the policy, or the quota, was lowered may be over it.
struct Growth {
  std::map<MachineId, Revision> machines;
  std::map<TenantId, Revision> tenants;
};

std::vector<Check> CheckFleet(const RecordMap& records, const Growth& growth);

// The record of that key and kind; null if there is none.
template <typename T>
const T* FindRecord(const RecordMap& records, const RecordKey& key) {
  const auto at = records.find(key);
  return at == records.end() || !at->second.record ? nullptr : std::get_if<T>(&*at->second.record);
}

// visit(record, revision), in the order of keys.
template <typename T, typename Visit>
void ForEachRecord(const RecordMap& records, Visit visit) {
  for (const auto& [key, update] : records) {
    const T* record = update.record ? std::get_if<T>(&*update.record) : nullptr;
    if (record != nullptr) visit(*record, update.revision);
  }
}

// Of records alone, without what they refer to: names, amounts, leases, answers, the policy.
std::vector<Check> CheckRecords(const RecordMap& records);

}  // namespace berth
