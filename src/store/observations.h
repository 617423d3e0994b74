// Observations: what was measured of the fleet, and what was learned from it. A keyspace apart from
// the fleet's records: no revisions, no validator, no sync a write, since losing the last minute of
// it costs nothing that anybody was promised.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "berth/status.h"
#include "berth/time.h"

namespace berth {

// Entries that nobody wrote again for so long are dropped sooner or later.
inline constexpr Duration kObservationsKept = std::chrono::hours(24 * 35);

struct Observation {
  std::string key;
  std::string value;
};

// Used by one thread.
class Observations {
 public:
  virtual ~Observations() = default;

  // All of them or none; of a key that is there, the value is replaced.
  virtual Status Write(std::span<const Observation> entries) = 0;
  // All of them or none; keys that are not there may be named.
  virtual Status Erase(std::span<const std::string> keys) = 0;
  // What was written before survives a power failure from here on.
  virtual Status Sync() = 0;
  virtual Result<std::optional<std::string>> Get(std::string_view key) const = 0;
  // In the order of the keys, from the first that is not less than `from`, until `visit` answers
  // false or the keys reach `to`.
  using Visit = std::function<bool(std::string_view key, std::string_view value)>;
  virtual Status Scan(std::string_view from, std::string_view to, const Visit& visit) const = 0;
};

// Beyond so many entries those go that were not written for longest.
std::unique_ptr<Observations> NewMemoryObservations(std::size_t entries_max = 1'000'000);
// In a directory of its own, which is made if it is not there. One process at a time.
Result<std::unique_ptr<Observations>> OpenRocksDbObservations(const std::string& directory);

}  // namespace berth
