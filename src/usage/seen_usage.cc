#include "usage/seen_usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/wire.h"
#include "usage/window.h"

namespace berth {
namespace {

constexpr std::string_view kUsagePrefix = "usage/";
constexpr std::string_view kPastUsage = "usage0";

std::string UsageKeyOf(const InstanceId& id) {
  return fmt::format("{}{}", kUsagePrefix, ToString(id));
}

Status DecodeAmount(WireReader reader, SeenUsage& seen) {
  std::uint64_t resource = 0;
  SeenUsage::Amount amount;
  Duration since{};
  while (reader.Next()) {
    switch (reader.field()) {
      case 1:
        resource = reader.Uint();
        break;
      case 2:
        amount.last = reader.Int();
        break;
      case 3:
        amount.peak = reader.Int();
        break;
      case 4:
        since = Duration(reader.Int());
        break;
      default:
        break;
    }
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  if (resource >= kResourceCount || amount.last < 0 || amount.peak < amount.last ||
      amount.peak > kAmountMax || !IsReckonable(Time(since))) {
    return {Code::kInternal, "an amount that cannot be"};
  }
  amount.at = Time(since);
  seen.of[resource] = amount;
  return {};
}

Result<SeenUsage> DecodeAt(std::string_view key, std::string_view bytes) {
  Result<SeenUsage> seen = DecodeSeenUsage(bytes);
  if (seen.ok()) return seen;
  return Status(seen.status().code(),
                fmt::format("the observations hold no usage under {}: {}; delete them while nobody "
                            "serves the store, and what was observed is learnt anew",
                            key, seen.status().message()));
}

}  // namespace

void SeenUsage::Note(const Resources& usage, const Resources& peak, Time at) {
  for (const Resource r : kAllResources) {
    if (usage[r] < 0) continue;
    std::optional<Amount>& amount = of[static_cast<std::size_t>(r)];
    if (!amount) amount = {.last = usage[r], .peak = usage[r], .at = at};
    amount->peak = std::max({amount->peak, usage[r], peak[r]});
    if (at < amount->at) continue;
    amount->last = usage[r];
    amount->at = at;
  }
}

void SeenUsage::ForEachTime(
    const std::function<void(const Resources& usage, const Resources& peak, Time at)>& f) const {
  struct Told {
    Resources usage;
    Resources peak;
  };
  std::map<Time, Told> told;
  Told nothing;
  for (const Resource r : kAllResources) nothing.usage[r] = nothing.peak[r] = -1;
  for (const Resource r : kAllResources) {
    const std::optional<Amount>& amount = of[static_cast<std::size_t>(r)];
    if (!amount) continue;
    Told& then = told.try_emplace(amount->at, nothing).first->second;
    then.usage[r] = amount->last;
    then.peak[r] = amount->peak;
  }
  for (const auto& [at, then] : told) f(then.usage, then.peak, at);
}

std::string Encode(const SeenUsage& seen) {
  std::string bytes;
  WireWriter writer(bytes);
  writer.PutInt(1, seen.created.time_since_epoch().count());
  for (std::size_t r = 0; r < kResourceCount; ++r) {
    if (!seen.of[r]) continue;
    writer.PutMessage(2, [&, amount = *seen.of[r]](WireWriter& inner) {
      inner.PutUint(1, r);
      inner.PutInt(2, amount.last);
      inner.PutInt(3, amount.peak);
      inner.PutInt(4, (amount.at - seen.created).count());
    });
  }
  return bytes;
}

Result<SeenUsage> DecodeSeenUsage(std::string_view bytes) {
  SeenUsage seen;
  WireReader reader(bytes);
  while (reader.Next()) {
    switch (reader.field()) {
      case 1:
        seen.created = Time(Duration(reader.Int()));
        break;
      case 2:
        BERTH_RETURN_IF_ERROR(DecodeAmount(reader.Message(), seen));
        break;
      default:
        break;
    }
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  if (!IsReckonable(seen.created)) return Status(Code::kInternal, "a time that cannot be");
  for (auto& amount : seen.of) {
    if (amount) amount->at = seen.created + amount->at.time_since_epoch();
  }
  return seen;
}

Result<std::optional<SeenUsage>> UsageRecords::Find(const InstanceId& id) const {
  const auto found = unsaved_.find(id);
  if (found != unsaved_.end()) return std::optional(found->second);
  const std::string key = UsageKeyOf(id);
  BERTH_TRY(const std::optional<std::string> stored, observations_.Get(key));
  if (!stored) return std::optional<SeenUsage>();
  BERTH_TRY(const SeenUsage seen, DecodeAt(key, *stored));
  return std::optional(seen);
}

Status UsageRecords::Note(const InstanceId& id, Time created, const Resources& usage,
                          const Resources& peak, Time at) {
  BERTH_TRY(const std::optional<SeenUsage> before, Find(id));
  const bool known = before && before->created == created;
  SeenUsage& seen = unsaved_[id];
  seen = known ? *before : SeenUsage{.created = created};
  seen.Note(usage, peak, at);
  return {};
}

Status UsageRecords::Save() {
  if (unsaved_.empty()) return {};
  std::vector<Observation> entries;
  entries.reserve(unsaved_.size());
  for (const auto& [id, seen] : unsaved_) entries.push_back({UsageKeyOf(id), Encode(seen)});
  BERTH_RETURN_IF_ERROR(observations_.Write(entries));
  BERTH_RETURN_IF_ERROR(observations_.Sync());
  unsaved_.clear();
  return {};
}

Status UsageRecords::Drop(const InstanceId& id, Time then) {
  BERTH_TRY(const std::optional<SeenUsage> seen, Find(id));
  if (!seen || seen->created >= then) return {};
  unsaved_.erase(id);
  const std::string key = UsageKeyOf(id);
  return observations_.Erase(std::span(&key, 1));
}

Status UsageRecords::DropService(const std::string& service, Time then) {
  std::vector<std::string> keys;
  BERTH_RETURN_IF_ERROR(ForEachOf(service, [&](const InstanceId& id, const SeenUsage& seen) {
    if (seen.created < then) keys.push_back(UsageKeyOf(id));
  }));
  std::erase_if(unsaved_, [&](const auto& entry) {
    return entry.first.service == service && entry.second.created < then;
  });
  return keys.empty() ? Status() : observations_.Erase(keys);
}

Status UsageRecords::ForEachOf(const std::string& service, const Visit& visit) const {
  const std::string from =
      service.empty() ? std::string(kUsagePrefix) : fmt::format("{}{}/", kUsagePrefix, service);
  const std::string to =
      service.empty() ? std::string(kPastUsage) : fmt::format("{}{}0", kUsagePrefix, service);
  Status sound;
  BERTH_RETURN_IF_ERROR(
      observations_.Scan(from, to, [&](std::string_view key, std::string_view value) {
        const std::optional<InstanceId> id = ParseInstanceId(key.substr(kUsagePrefix.size()));
        if (!id || unsaved_.contains(*id)) return true;
        const Result<SeenUsage> seen = DecodeAt(key, value);
        sound = seen.status();
        if (seen.ok()) visit(*id, seen.value());
        return seen.ok();
      }));
  BERTH_RETURN_IF_ERROR(sound);
  for (const auto& [id, seen] : unsaved_) {
    if (service.empty() || id.service == service) visit(id, seen);
  }
  return {};
}

}  // namespace berth
