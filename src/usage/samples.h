// The samples that a zone is sent: the usage of its instances and the load of its services, series
// by series, folded into windows of five minutes.
//
// Windows are gathered in memory and written to the observations now and then (Save), so a process
// that dies loses what came since. Reading sees all of it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/usage_point.h"
#include "store/observations.h"
#include "usage/window.h"

namespace berth {

struct SeriesName {
  std::string subject;  // An instance "web/3" for usage, a service "web" for load.
  std::string metric;

  friend auto operator<=>(const SeriesName&, const SeriesName&) = default;
};

class Samples {
 public:
  struct Limits {
    std::size_t windows = 1'000'000;  // In memory.
  };
  // The observations must outlive it.
  explicit Samples(Observations& observations) : Samples(observations, Limits()) {}
  Samples(Observations& observations, Limits limits)
      : observations_(observations), limits_(limits) {}

  // A series is a valid name, without more.
  static Status CheckMetric(std::string_view metric);

  // Whether it is a value, of a time that is neither too long ago nor to come.
  static Status CheckPoint(const UsagePoint& point, Time now);
  struct Taken {
    std::uint64_t taken = 0;
    std::uint64_t left_out = 0;  // Not later than what came before.
  };
  // Points of one series, all of them or none.
  Result<Taken> Take(const SeriesName& name, const std::vector<UsagePoint>& points, Time now);

  // Writes what came since the last time; the windows that have ended by now are forgotten.
  Status Save(Time now);

  // Windows that begin in [from, to), oldest first, at most so many.
  Result<std::vector<Window>> Read(const SeriesName& name, Time from, Time to,
                                   std::size_t most) const;
  // Names after that one, by subject and metric, at most so many; of one subject only, unless it
  // is empty.
  Result<std::vector<SeriesName>> Names(const SeriesName& after, std::string_view subject,
                                        std::size_t most) const;

  std::size_t in_memory() const { return windows_.size(); }

 private:
  struct Kept {
    Window window;
    bool saved = true;
  };
  Result<Kept*> Reach(const SeriesName& name, Time begin);

  Observations& observations_;
  const Limits limits_;
  std::map<std::pair<SeriesName, Time>, Kept> windows_;
};

}  // namespace berth
