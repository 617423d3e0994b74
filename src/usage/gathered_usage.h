// The samples of all instances of a service, of one resource, gathered into windows of five minutes
// as they come: of cpu every sample counts, of memory the peak of each instance.
//
// Instances tell at different times, so a window is closed by whoever has a clock, some time after
// its end. What is gathered so far can be saved, and going on from there is going on as if nothing
// had happened.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "berth/resources.h"
#include "usage/window.h"
#include "usage/window_histogram.h"

namespace berth {

class GatheredUsage {
 public:
  // Of the samples themselves no more are kept of a window, the highest among them. All of them are
  // counted in its histogram.
  static constexpr std::size_t kSamplesKept = 256;

  explicit GatheredUsage(Resource resource) : resource_(resource) {}

  // False: an instance's samples come in order, and this is not later than its last.
  bool Add(std::uint32_t instance, Time at, double value);

  struct Closed {
    Time end;
    std::vector<float> samples;
    WindowHistogram histogram;
    std::uint32_t instances = 0;
  };
  // The windows that begin before that, oldest first.
  std::vector<Closed> Close(Time upto);
  bool empty() const { return open_.empty(); }

  // Instances are numbered anew: theirs are others from here on.
  void ForgetInstances() { last_.clear(); }
  template <typename IsGone>
  void ForgetInstances(IsGone is_gone) {
    std::erase_if(last_, [&](const auto& entry) { return is_gone(entry.first); });
  }

  std::string Save() const;
  Status Restore(std::string_view bytes);

 private:
  struct Open {
    std::vector<float> samples;            // Of cpu.
    WindowHistogram histogram;             // Of cpu.
    std::map<std::uint32_t, float> peaks;  // By instance; of cpu too, to count them.
  };

  Resource resource_;
  std::map<Time, Open> open_;           // By their begin.
  std::map<std::uint32_t, Time> last_;  // When an instance's last sample was taken.
};

}  // namespace berth
