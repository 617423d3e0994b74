// What came of a run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "appsim/app_metrics.h"
#include "appsim/app_model.h"
#include "appsim/time_histogram.h"

namespace berth {

enum class LossCause : std::uint8_t {
  kNoInstance,       // Nobody was ready where it was to be sent to.
  kBandwidth,        // The link to there was full.
  kBufferFull,       // Nobody had room, nor had the buffer.
  kLateOnLink,       // Timed out on its way,
  kLateWaiting,      // in a buffer,
  kLateWorkedOn,     // or while a service worked on it.
  kInstanceStopped,  // Whoever worked on it went away before it was done.
};
inline constexpr std::size_t kLossCauses = 7;
std::string_view LossCauseName(LossCause cause);

// How one request ended.
struct RequestEnd {
  std::uint32_t type = 0;
  std::uint64_t number = 0;  // Of its type, from 0.
  std::int64_t sent_us = 0;
  std::int64_t ended_us = 0;
  std::int64_t waited_us = 0;    // Of an answer: in buffers,
  std::int64_t on_links_us = 0;  // and on links, on the longest way.
  bool answered = false;
  LossCause cause{};          // Otherwise: why,
  std::uint32_t service = 0;  // and where.
};

// Who wants to know of every single request.
class RequestSink {
 public:
  virtual ~RequestSink() = default;
  virtual void Ended(const RequestEnd& end) = 0;
};

struct TypeOutcome {
  std::uint64_t sent = 0;
  std::uint64_t answered = 0;
  std::uint64_t good = 0;  // Of the answers: within the target.
  std::array<std::uint64_t, kLossCauses> lost{};
  TimeHistogram response{};  // Of the answers, as are the sums.
  double response_us = 0;
  double waited_us = 0;
  double on_links_us = 0;
  std::vector<double> waited_at_us{};  // By service, summed over all that were taken there.

  std::uint64_t Lost() const;
};

struct ServiceOutcome {
  std::array<std::uint64_t, kLossCauses> lost{};
  std::uint64_t hops = 0;
};

// The time from ordering a change to there being what was ordered.
struct ScalingInterval {
  std::int64_t from_us = 0;
  std::int64_t to_us = 0;
  bool up = false;  // More was ordered; otherwise less.
};

struct NodeTypeOutcome {
  double node_seconds = 0;
  double cost_micros = 0;
  double throttled_seconds = 0;  // Of nodes that burst: without credits and asked for more.
};

// How long orders took, and the share of that time in which the application did not keep its
// promise: fewer than kKeptShare of the requests that ended in a step were answered in time.
inline constexpr double kKeptShare = 0.95;
struct ScalingLatency {
  std::uint64_t count = 0;
  double whole_us = 0;
  double violated_us = 0;

  double MeanSeconds() const;
  double ViolatedShare() const;
};

// Over time.
struct AppMeans {
  double nodes = 0;
  std::array<double, kUsedCount> utilisation{};
  std::vector<std::array<double, kUsedCount>> services{};  // Utilisation of each.
};
AppMeans MeansOf(const AppSeries& series);

struct AppOutcome {
  std::vector<TypeOutcome> types{};
  std::vector<ServiceOutcome> services{};
  std::vector<NodeTypeOutcome> node_types{};
  std::vector<ScalingInterval> intervals{};
  ScalingLatency latency_less{};
  ScalingLatency latency_more{};
  AppMeans means{};
  AppSeries series{};
  std::vector<std::string> notes{};  // Of the policy: each once.
  std::uint64_t unfinished = 0;      // Still under way at the end.
  std::uint64_t under_way_max = 0;
  std::uint64_t hops = 0;  // A hop: a request or its response comes to a service and is worked on.
  std::uint64_t decisions = 0;
  std::uint64_t not_placed = 0;  // Instances that were ordered and had no room on any node.
};

ScalingLatency LatencyOf(const AppOutcome& outcome, bool up);

}  // namespace berth
