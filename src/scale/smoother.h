// What keeps a count from changing too fast, too soon or for nothing: Autopilot's four (section
// 3.3). Each takes the count that comes out of the one before it in smoothers.def.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "berth/status.h"
#include "berth/time.h"

namespace berth {

// Which of them a service has. What is zero is off.
struct SmoothingSettings {
  Duration defer_down{};    // Never fewer than were wanted at any time so long ago,
  Duration halve_in{};      // nor half of what there are sooner than that.
  double ignore_below = 0;  // Changes by no more than this share of the replicas are none.
  double starting_max = 0;  // At most this share of the replicas do not answer yet.
};

struct CountAsk {
  Time at;
  std::uint32_t wanted = 0;
  std::uint32_t replicas = 0;  // That there are,
  std::uint32_t starting = 0;  // of them do not answer yet.
};

class Smoother {
 public:
  virtual ~Smoother() = default;
  // In order of time, whatever is wanted: it may have to remember.
  virtual std::uint32_t Smooth(const CountAsk& ask) = 0;
  // Why the last answer was not what was wanted: "kept: ...".
  virtual std::string Note() const = 0;
  // As of a Scaler.
  virtual std::string Save() const = 0;
  virtual Status Restore(std::string_view bytes) = 0;
};

struct SmootherEntry {
  std::string_view name;
  std::string_view summary;
  // None where the settings leave it off.
  std::unique_ptr<Smoother> (*make)(const SmoothingSettings& settings);
};
// In the order of smoothers.def, which is that in which they work.
std::span<const SmootherEntry> Smoothers();

}  // namespace berth
