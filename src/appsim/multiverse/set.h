// An experiment of the public Multiverse simulator, as its JSON files describe it: one value for
// every file. Names are resolved to indexes; nothing is interpreted yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "appsim/multiverse/quantities.h"
#include "berth/time.h"

namespace berth::multiverse {

inline constexpr std::size_t kSetServicesMax = 1'000;
inline constexpr std::size_t kSetRequestTypesMax = 200;
inline constexpr std::size_t kSetNodeTypesMax = 1'000;
inline constexpr std::size_t kSetRegionsMax = 100;
inline constexpr std::size_t kSetAlternativesMax = 1'000;
inline constexpr std::uint32_t kSetCountMax = 100'000;  // Of instances, nodes, repetitions.
inline constexpr std::uint64_t kSetStepsMax = 20'000'000;
inline constexpr std::uint64_t kSetBucketsMax = 20'000'000;
inline constexpr double kSetRequestsMax = 5e7;  // That one run may generate.

enum class QueueOrder : std::uint8_t { kFifo, kLifo, kOldestFirst };

struct ServiceSpec {
  std::string name{};
  QueueOrder order = QueueOrder::kFifo;
  std::vector<std::uint32_t> capacity{};  // Of each buffer, by request type; 0: unbounded.
  VaryingAmounts idle{};                  // What an instance uses before any request.
  std::optional<Amounts> limits{};        // What an instance is placed with.
  std::vector<std::size_t> next{};
  std::vector<std::size_t> prev{};
  // By provider, in microseconds.
  std::map<std::string, Varying> boot{};
  std::map<std::string, Varying> termination{};
};

struct WorkTimes {
  Varying upstream{};  // Microseconds.
  Varying downstream{};
};

struct RequestSpec {
  std::string name{};
  std::size_t entry = 0;
  std::vector<WorkTimes> times{};  // By service.
  Duration timeout{};
  Varying request_bytes{};
  Varying response_bytes{};
  VaryingAmounts need{};  // While a service works on it.
};

struct ApplicationSpec {
  std::string name{};
  Duration averaging{};
  Duration sampling{};
  std::vector<ServiceSpec> services{};
  std::vector<RequestSpec> requests{};
};

struct NodeTypeSpec {
  std::string provider{};
  std::string name{};
  Amounts capacity{};
  double price_an_hour = 0;
  Duration latency{};
  Varying boot{};  // Microseconds.
  Varying termination{};
};

struct InitialGroup {
  std::size_t service = 0;
  std::size_t region = 0;
  std::size_t node_type = 0;
  std::uint32_t nodes = 0;
  std::uint32_t instances = 0;
};

struct StepLevel {
  double requests = 0;  // In a unit of time.
  double share = 0;     // Of the pattern's length.
};

struct SarimaSpec {
  Duration head_start{};
  Duration cooldown_end{};
  Duration duration{};
  Duration resolution{};
  double scale = 0;
  std::size_t period = 1;  // In points.
  std::string trend{};     // "n", "c", "t" or "ct".
  std::size_t p = 0, d = 0, q = 0;
  std::size_t seasonal_p = 0, seasonal_d = 0, seasonal_q = 0;
  std::vector<double> coefficients{};  // Trend, AR, MA, seasonal AR, seasonal MA, variance.
};

struct SeasonalDay {
  std::int32_t month = 0;  // 1 to 12; 0: all.
  bool weekdays = true;
  bool weekends = true;
  std::vector<double> values{};  // Requests in each of so many equal parts of the day.
};

struct RequestShare {
  std::size_t request = 0;
  double ratio = 0;
  double deviation = 0;  // Of a second's rate; seasonal loads only.
};

struct LoadPattern {
  enum class Kind : std::uint8_t { kSteps, kSarima, kSingleValue, kSeasonal };
  Kind kind = Kind::kSteps;
  Duration length{};  // Of steps, and of a single value.
  Duration unit{};    // That rates are per.
  std::vector<StepLevel> levels{};
  SarimaSpec sarima{};
  double value = 0;
  std::vector<SeasonalDay> days{};
  std::vector<RequestShare> shares{};
};

struct LoadSpec {
  std::uint32_t batch = 1;
  std::optional<Duration> bucket{};     // Without it the step of the simulation.
  std::vector<LoadPattern> patterns{};  // By region; none: no requests.
  std::vector<bool> has_load{};         // By region.
};

enum class MetricSource : std::uint8_t { kService, kLoad, kResponses };
enum class AggregatorKind : std::uint8_t { kMean, kMin, kMax, kMedian, kSum, kQuantile };

struct MetricSpec {
  MetricSource source = MetricSource::kService;
  std::string name{};
  std::string request_type{};  // Empty or "*": all.
  std::string filter = "defaultNA";
  double filter_default = 0;
  AggregatorKind aggregator = AggregatorKind::kMean;
  double quantile = 0.5;
  Duration window{};
  std::string forecaster = "reactive";
  Duration forecast_frequency = std::chrono::seconds(1);
  std::uint32_t horizon_steps = 60;
  bool related = false;  // Names a related service or a correlator.
};

struct MetricGroupSpec {
  std::string name{};
  std::int64_t priority = 0;
  std::uint32_t min_limit = 0;
  std::uint32_t max_limit = 0;
  std::string stabiliser = "maxStabilizer";
  Duration stabiliser_grid{};
  std::string category{};       // "rule" or "learning".
  std::string target_metric{};  // Of the rule, or of what the learning falls back to.
  double target = 0;            // A share, or microseconds.
  double factor = 1;            // Of the heuristic "rescale"; 1 without it.
  std::vector<MetricSpec> metrics{};
};

struct ServicePolicySpec {
  bool takes_max = true;  // Over metric groups, else the least.
  std::vector<MetricGroupSpec> groups{};
};

struct ScalingPolicySpec {
  Duration sync_period{};
  std::optional<Duration> warm_up{};
  std::vector<ServicePolicySpec> services{};  // By service; without groups: never scaled.
};

struct AdjustmentSpec {
  std::string goal{};
  std::string placement_hint{};
  Duration horizon{};
  Duration cooldown{};
  Duration combiner_grid{};
};

struct FaultSpec {
  bool of_nodes = false;  // Or of instances.
  double probability = 0;
  std::uint32_t count = 0;
  std::size_t region = 0;
  std::string provider{};   // "any", or one's name.
  std::string node_type{};  // As above.
  std::size_t service = 0;
};

// All that one simulation needs.
struct SimulationSet {
  ApplicationSpec application{};
  std::vector<NodeTypeSpec> node_types{};
  std::vector<std::string> regions{};
  std::vector<InitialGroup> deployment{};
  LoadSpec load{};
  ScalingPolicySpec policy{};
  AdjustmentSpec adjustment{};
  std::vector<FaultSpec> faults{};
};

struct RunSpec {
  Duration step = std::chrono::milliseconds(10);
  Duration length = std::chrono::minutes(1);
  Time start{};
  std::uint32_t repetitions = 1;
};

}  // namespace berth::multiverse
