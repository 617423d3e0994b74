// One region of a simulation, step by step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "appsim/multiverse/adjusting.h"
#include "appsim/multiverse/arrivals.h"
#include "appsim/multiverse/buffer.h"
#include "appsim/multiverse/metric_window.h"

namespace berth::multiverse {

// What came of a region, summed over its steps.
struct RegionTotals {
  std::uint64_t generated = 0;
  std::uint64_t fulfilled = 0;
  std::uint64_t steps = 0;
  double cost = 0;
  std::vector<double> ordered_nodes{};  // Sums over steps, by node type: wanted, up or not yet.
  std::vector<double> nodes{};          // As above, of those up.
  std::vector<std::int64_t> response_times{};  // Microseconds, of what was fulfilled.
  std::uint64_t decisions = 0;
  std::uint64_t items_most = 0;  // In flight at once.
};

class RegionRun {
 public:
  RegionRun(const SimulationSet& set, std::size_t region, const RunSpec& run, const Quirks& quirks,
            ArrivalBuckets arrivals, Rng rng);

  void Step(Time now);
  const RegionTotals& totals() const { return totals_; }

 private:
  struct ServiceState {
    ServiceBuffer upstream;
    ServiceBuffer downstream;
    std::vector<std::size_t> groups{};              // That it is or was on, and that are not gone.
    std::map<std::string, MetricWindow> windows{};  // By metric.
  };
  struct Change {
    enum class Kind : std::uint8_t { kNodesUp, kInstances, kNodesGone, kGroupLeaves };
    Kind kind = Kind::kInstances;
    std::size_t group = 0;
    std::uint32_t nodes = 0;
    std::vector<std::int64_t> instances{};  // By service.
    bool initial = false;
  };

  // region_run.cc: requests.
  void Generate(Time now);
  void SendTo(std::size_t service, ItemIndex index);
  void StepService(std::size_t service, Time now);
  void Admit(NodeGroup& group, ServiceState& state);
  void MoveOn();
  void MoveOn(ItemIndex index);
  void Answer(ItemIndex index);
  void CountCost();

  // region_scaling.cc: instances and nodes.
  void TrackMetrics();
  void OrderInitialGroups(Time start);
  void OrderBatch(const NodeBatch& batch, Time at, bool initial);
  void DropPending();
  void Sample(std::size_t service, Time now);
  void SampleUse(std::size_t service, Time now);
  void DecideIfDue(Time now);
  void Decide(Time now);
  std::optional<double> MetricValue(std::size_t service, const MetricSpec& metric) const;
  std::optional<std::uint32_t> Desired(std::size_t service, Time now, Time& effect) const;
  void Execute(const Orders& orders, Time at);
  void ApplyDue(Time now);
  void Apply(const Change& change);
  void Register(std::size_t group);
  void Remove(std::size_t group);
  Time CooledDown(Time at);
  std::uint32_t Instances(std::size_t service) const;
  std::uint32_t SeenInstances(std::size_t service) const;
  std::vector<NodeGroup> PlannedGroups() const;
  std::int64_t DrawMicros(const Varying& varying);

  const SimulationSet& set_;
  std::size_t region_;
  RunSpec run_;
  const Quirks& quirks_;
  ArrivalBuckets arrivals_;
  Duration bucket_;
  std::int64_t next_bucket_ = 0;
  std::int64_t step_;
  Rng work_rng_;
  Rng use_rng_;
  Rng delay_rng_;
  NodePlacer placer_;
  ItemPool pool_;
  std::uint64_t next_id_ = 0;
  std::vector<ServiceState> services_;
  std::vector<NodeGroup> groups_;
  std::vector<GroupLink> links_;  // Two a group.
  std::map<std::string, MetricWindow> response_windows_;
  std::multimap<Time, Change> changes_;
  Time last_decision_;
  std::optional<Time> last_growth_;
  bool any_load_ = false;
  std::vector<ItemIndex> moving_;
  RegionTotals totals_;
};

}  // namespace berth::multiverse
