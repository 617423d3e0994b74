// How an application is scaled: which metrics are looked at, how far ahead, how many instances they
// ask for, and on which nodes those are put. The format of the file is in
// docs/predictive-scaling.md; the names of parts are those of `berth list scaling-parts`,
// `berth list operations` and `berth list forecasters`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/document.h"
#include "berth/status.h"
#include "berth/time.h"
#include "forecast/aggregator.h"
#include "forecast/correlator.h"
#include "forecast/filter.h"
#include "forecast/forecaster.h"
#include "scale/space/count_calculator.h"
#include "scale/space/count_path.h"
#include "scale/space/group_rule.h"
#include "scale/space/placing.h"
#include "scale/space/stabiliser.h"

namespace berth {

inline constexpr std::size_t kPolicyServicesMax = 200;
inline constexpr std::size_t kPolicyGroupsMax = 50;   // Of a service.
inline constexpr std::size_t kPolicyMetricsMax = 20;  // Of a group.
inline constexpr std::size_t kPlanStatesMax = 1'000;  // Steps within the horizon.

enum class RelatedServices : std::uint8_t { kPrevious, kNext };

// What a service next to this one tells of what is to come.
struct RelatedMetric {
  RelatedServices which = RelatedServices::kPrevious;
  const CorrelatorEntry* correlator = nullptr;
  std::size_t lag_max = 10;  // In points.
  double least = 0.7;        // A correlation below it tells nothing.
};

struct MetricFilter {
  const FilterEntry* filter = nullptr;
  FilterSettings settings{};
};

struct MetricAggregation {
  const AggregatorEntry* aggregator = nullptr;
  Duration every{};
  AggregatorSettings settings{};
};

struct MetricForecast {
  const ForecasterEntry* method = nullptr;
  std::vector<std::size_t> seasons{};        // In points, after aggregation.
  Duration history = std::chrono::hours(1);  // So much is looked at.
  double level = 0.95;                       // Of the interval that is told.
};

// One metric of a group, of the service itself unless `of` says otherwise.
struct GroupMetric {
  std::string name{};
  bool of_application = false;
  std::string of_service{};    // Another one's; empty: not.
  std::string request_type{};  // Empty: of all.
  std::optional<MetricFilter> filter{};
  std::optional<RelatedMetric> related{};
  std::optional<MetricAggregation> aggregation{};
  MetricForecast forecast{};
};

struct GroupStabiliser {
  const StabiliserEntry* stabiliser = nullptr;
  Duration every{};
};

struct MetricGroup {
  std::string name{};
  std::int64_t priority = 0;
  const CalculatorEntry* calculator = nullptr;
  CalculatorSettings settings{};
  bool performance_of_application = true;  // Else of the service.
  double factor = 1;                       // The adjustment heuristic, before rounding up.
  std::optional<GroupStabiliser> stabiliser{};
  std::optional<CountLimits> limits{};
  std::vector<GroupMetric> metrics{};

  std::vector<std::string> MetricNames() const;
};

// What becomes of a service's max where more is foreseen.
enum class MaxBehaviour : std::uint8_t {
  kEnforce,   // It stays.
  kForecast,  // It is raised to what is foreseen,
  kBuffer,    // and above that by a share, which is left to what reacts.
};
Result<MaxBehaviour> ParseMaxBehaviour(std::string_view name);

// Load that goes up and down in bursts, as an attack on the bill does. The first burst is served at
// once. One that returns within `memory` is believed only when it has lasted for `hold`, twice as
// long with each return, at most `hold_max`; until then there are as many as on average.
struct BurstSettings {
  Duration hold{};  // Zero: off.
  Duration hold_max = std::chrono::minutes(30);
  Duration memory = std::chrono::hours(1);
};

struct ServicePolicy {
  std::string service{};  // "default": every service that has none of its own.
  CountLimits limits{};
  MaxBehaviour behaviour = MaxBehaviour::kEnforce;
  double buffer = 0.1;
  const GroupRuleEntry* rule = nullptr;
  std::vector<MetricGroup> groups{};    // What is planned: the floor.
  std::vector<MetricGroup> reactive{};  // What is measured now may only add to it; the most counts.
  BurstSettings bursts{};
};

// Never exceeded, whatever is foreseen.
struct NodeBounds {
  std::optional<std::uint64_t> nodes{};
  std::optional<std::int64_t> hour_micros{};  // What all may cost an hour.
};

struct NodePolicy {
  const PlacingEntry* strategy = nullptr;  // The first that is tried.
  const PlacingScorerEntry* scorer = nullptr;
  const PlacingChooserEntry* chooser = nullptr;
  Duration lifetime = std::chrono::hours(1);  // That a placement is expected to last.
  Duration cooldown{};                        // After nodes were added none goes for so long.
  NodeBounds bounds{};
  // By service: the full names of types that are meant for it; for the strategy `specialised`.
  std::map<std::string, std::vector<std::string>> special{};
};

struct SpacePolicy {
  Duration sync = std::chrono::seconds(30);
  Duration warm_up{};
  Duration step = std::chrono::minutes(1);
  Duration horizon = std::chrono::minutes(10);
  std::vector<ServicePolicy> services{};
  NodePolicy nodes{};

  std::size_t steps() const { return static_cast<std::size_t>(horizon / step); }
};

// A map of these, in any file.
Result<SpacePolicy> ReadSpacePolicy(const Node& node);
Result<SpacePolicy> ParseSpacePolicy(std::string_view text, const std::string& file_name);

}  // namespace berth
