#include "traces/generate_workload.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>

#include "base/text.h"
#include "berth/rng.h"
#include "traces/arrival_times.h"
#include "traces/lifetimes.h"
#include "traces/request_shapes.h"

namespace berth {
namespace {

constexpr std::uint32_t kFillPercentMax = 200;
constexpr int kTenantsIfNone = 50;
constexpr std::int64_t kFleetMillicoresMax = 1'000'000'000'000;

struct Plan {
  std::vector<OfferedType> types;
  std::vector<TenantId> tenants;
  std::int64_t fleet_millicores = 0;
  std::int64_t wanted_millicores = 0;
};

class GeneratedTrace final : public Trace {
 public:
  GeneratedTrace(const Plan& plan, const WorkloadOptions& options)
      : types_(plan.types),
        options_(options),
        rng_(Rng(options.seed).Fork("workload")),
        running_(plan.types, plan.tenants, plan.fleet_millicores, rng_.Fork("running")),
        arriving_(plan.types, plan.tenants, plan.fleet_millicores, rng_.Fork("arriving")),
        lifetimes_(rng_.Fork("lifetimes")),
        remaining_lifetimes_(rng_.Fork("remaining lifetimes")),
        // Little's law: what runs is what arrives times how long it stays.
        mean_per_second_(static_cast<double>(plan.wanted_millicores) /
                         (arriving_.MeanMillicores() * MeanLifetimeSeconds())),
        times_(mean_per_second_, rng_.Fork("times")),
        millicores_left_(options.start_full ? plan.wanted_millicores : 0) {
    for (const OfferedType& offered : types_) {
      millicores_of_.emplace(offered.type.name, offered.type.size[Resource::kCpu]);
    }
  }

  Result<std::optional<Arrival>> Next() override {
    Arrival arrival;
    if (millicores_left_ > 0) {
      arrival.service = running_.Next();
      arrival.service.name = fmt::format("r{}", ++running_count_);
      arrival.lifetime = DrawRemainingLifetime(remaining_lifetimes_);
      for (const InstanceGroup& group : arrival.service.groups) {
        millicores_left_ -= group.count * millicores_of_.at(group.type);
      }
      return std::optional(std::move(arrival));
    }
    arrival.at = Time(times_.Next());
    if (arrival.at >= Time(options_.length)) return std::optional<Arrival>();
    arrival.service = arriving_.Next();
    arrival.service.name = fmt::format("s{}", ++arriving_count_);
    arrival.lifetime = DrawLifetime(lifetimes_);
    return std::optional(std::move(arrival));
  }

  std::vector<InstanceType> Types() const override {
    std::vector<InstanceType> types;
    for (const OfferedType& offered : types_) types.push_back(offered.type);
    return types;
  }

  TraceNotes Notes() const override {
    TraceNotes notes;
    notes.lines.push_back(fmt::format(
        "generated from seed {}, like zone {} of Protean, to fill "
        "{}% of the cores",
        options_.seed, options_.like == ProteanZone::kZone1 ? 1 : 2, options_.fill_percent));
    notes.lines.push_back(
        fmt::format("{:.4g} requests per second on average over a week; time starts on a Monday",
                    mean_per_second_));
    notes.lines.push_back(options_.start_full ? "what runs in the steady state arrives at time zero"
                                              : "the fleet begins empty");
    return notes;
  }

 private:
  std::vector<OfferedType> types_;
  std::map<TypeId, std::int64_t> millicores_of_;
  WorkloadOptions options_;
  Rng rng_;
  RequestShapes running_;
  RequestShapes arriving_;
  Rng lifetimes_;
  Rng remaining_lifetimes_;
  double mean_per_second_;
  ArrivalTimes times_;
  std::int64_t millicores_left_;
  std::uint64_t running_count_ = 0;
  std::uint64_t arriving_count_ = 0;
};

Status WrongOption(std::string message) { return {Code::kInvalidArgument, std::move(message)}; }

}  // namespace

Result<std::unique_ptr<Trace>> GenerateWorkload(const FleetFile& fleet,
                                                const WorkloadOptions& options) {
  if (options.fill_percent == 0 || options.fill_percent > kFillPercentMax) {
    return WrongOption(
        fmt::format("{}% of the cores; ask for 1 to {}%", options.fill_percent, kFillPercentMax));
  }
  if (options.length <= Duration(0) || options.length > kDurationMax) {
    return WrongOption(
        fmt::format("a workload of {}; ask for more than nothing and up to 100 years",
                    FormatDuration(options.length)));
  }
  ResourceTotals capacity;
  for (const Machine& machine : fleet.machines) capacity += machine.capacity;
  const ResourceTotals::Wide millicores = capacity[Resource::kCpu];
  if (millicores > kFleetMillicoresMax) {
    return WrongOption(fmt::format("the fleet has over {} cores; make it smaller",
                                   FormatCount(kFleetMillicoresMax / 1000)));
  }
  Plan plan;
  plan.fleet_millicores = static_cast<std::int64_t>(millicores);
  plan.types = OfferTypes(options.like, fleet.machines);
  if (plan.fleet_millicores == 0 || plan.types.empty()) {
    return WrongOption(
        "the fleet has no machine that a VM fits on; add machines of a core and 1Gi");
  }
  plan.wanted_millicores = plan.fleet_millicores * options.fill_percent / 100;
  for (const Tenant& tenant : fleet.tenants) plan.tenants.push_back(tenant.name);
  if (plan.tenants.empty()) {
    for (int i = 1; i <= kTenantsIfNone; ++i) {
      plan.tenants.emplace_back(fmt::format("tenant-{}", i));
    }
  }
  return std::unique_ptr<Trace>(std::make_unique<GeneratedTrace>(plan, options));
}

}  // namespace berth
