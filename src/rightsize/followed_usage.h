// One resource of the instances of one type of a service, followed: its samples are gathered into
// windows, and several recommenders are told of each. The first of them is the one in force, the
// others stand beside it. All of it can be saved, and going on from there is going on as if nothing
// had happened.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rightsize/live_program.h"
#include "rightsize/recommender.h"
#include "usage/gathered_usage.h"

namespace berth {

class FollowedUsage {
 public:
  explicit FollowedUsage(Resource resource) : resource_(resource), gathered_(resource) {}

  // Names of recommenders that there are, each once, the one in force first. Who was among them
  // before, for a service of that kind, goes on with what it knows; others begin with nothing. The
  // desk, which outlives this, has the programs among them.
  void Use(std::span<const std::string> names, const Sized& sized, const ProgramDesk& desk);

  // False: it was told before.
  bool Add(std::uint32_t instance, Time at, double value) {
    return gathered_.Add(instance, at, value);
  }
  struct Passed {
    std::uint32_t windows = 0;
    std::uint64_t instance_windows = 0;
  };
  // Tells the recommenders of the windows that begin before that.
  Passed Close(Time upto);
  void ObserveOom(std::int64_t used, Time at);
  bool gathers() const { return !gathered_.empty(); }
  GatheredUsage& gathered() { return gathered_; }

  struct Advisor {
    std::string name;
    Sized sized;
    std::unique_ptr<Recommender> recommender;
  };
  std::span<const Advisor> advisors() const { return advisors_; }
  // Of the one in force; null before anything is known.
  const Recommender* InForce() const;

  // The end of the first window; none before it.
  std::optional<Time> since() const { return since_; }
  // Of the last window that had samples: their mean, of memory that of the instances' peaks.
  double used() const { return used_; }

  std::string Save() const;
  // Of recommenders that are not used any more, or know a service of another kind, nothing is
  // taken over. Bytes that are no such state are an error, and change nothing.
  Status Restore(std::string_view bytes);

 private:
  Resource resource_;
  GatheredUsage gathered_;
  std::vector<Advisor> advisors_;
  const ProgramDesk* desk_ = nullptr;  // Of those.
  std::optional<Time> since_;
  double used_ = 0;
};

}  // namespace berth
