// What instances were last seen to take, and the most: a small record of each, kept with the
// samples, so that after a restart the same is known of them as before.
//
// Samples would not do: their windows hold means, end after 35 days, may hold what was taken of
// another instance that had the name before, and are many.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "berth/ids.h"
#include "berth/resources.h"
#include "berth/status.h"
#include "berth/time.h"
#include "store/observations.h"

namespace berth {

struct SeenUsage {
  struct Amount {
    std::int64_t last = 0;
    std::int64_t peak = 0;
    Time at;  // Of the last.

    friend bool operator==(const Amount&, const Amount&) = default;
  };

  Time created;  // The instance: it is told by this from others of its name.
  std::array<std::optional<Amount>, kResourceCount> of = {};  // Nothing of what was not seen.

  // Of a resource with a negative amount nothing was seen: it is as before.
  void Note(const Resources& usage, const Resources& peak, Time at);
  // Calls f(usage, peak, at) for each time that something is of, the rest less than nothing.
  void ForEachTime(
      const std::function<void(const Resources& usage, const Resources& peak, Time at)>& f) const;

  friend bool operator==(const SeenUsage&, const SeenUsage&) = default;
};

std::string Encode(const SeenUsage& seen);
Result<SeenUsage> DecodeSeenUsage(std::string_view bytes);

// What was noted since the last Save is in memory, and reading sees it.
class UsageRecords {
 public:
  // The observations must outlive it.
  explicit UsageRecords(Observations& observations) : observations_(observations) {}

  // Of an instance created at another time than the one on record, it is the first.
  Status Note(const InstanceId& id, Time created, const Resources& usage, const Resources& peak,
              Time at);
  // Writes what was noted since the last time.
  Status Save();
  // Unless it is of an instance created then or later: of another.
  Status Drop(const InstanceId& id, Time then = Time::max());
  // The same of all its instances.
  Status DropService(const std::string& service, Time then);

  using Visit = std::function<void(const InstanceId& id, const SeenUsage& seen)>;
  Status ForEach(const Visit& visit) const { return ForEachOf({}, visit); }

 private:
  Result<std::optional<SeenUsage>> Find(const InstanceId& id) const;
  // All, if no service is named.
  Status ForEachOf(const std::string& service, const Visit& visit) const;

  Observations& observations_;
  std::map<InstanceId, SeenUsage> unsaved_;
};

}  // namespace berth
