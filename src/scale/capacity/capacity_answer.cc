#include "scale/capacity/capacity_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "scale/capacity/vm_count.h"
#include "scale/cluster_autoscaler/replay.h"

namespace berth {
namespace {

constexpr double kQuantilesShown[] = {0.5, 0.75, 0.9, 0.95, 0.975, 0.99};

// A replay looks at every pair of nodes in every step: beyond this it would take minutes.
constexpr double kReplayPairsMax = 2e8;

std::vector<std::string> ProvidersOf(const PriceList& prices) {
  std::vector<std::string> names;
  for (const VmType& type : prices.types) {
    if (std::ranges::find(names, type.provider) == names.end()) names.push_back(type.provider);
  }
  return names;
}

Result<std::vector<VmType>> TypesOfProvider(const PriceList& prices, const std::string& provider) {
  if (provider.empty()) return prices.types;
  std::vector<VmType> types;
  for (const VmType& type : prices.types) {
    if (type.provider == provider) types.push_back(type);
  }
  if (types.empty()) {
    return Status(Code::kInvalidArgument,
                  fmt::format("there is no provider {}; the prices are of {}", Quoted(provider),
                              fmt::join(ProvidersOf(prices), ", ")));
  }
  return types;
}

std::optional<double> CostOfPlan(const Result<CapacityPlan>& plan) {
  return plan.ok() ? std::optional(plan.value().cost_micros) : std::nullopt;
}

std::vector<QuantileCost> CostsOfQuantiles(CapacityPlanner& planner,
                                           const CapacityQuestion& question) {
  std::vector<double> quantiles(std::begin(kQuantilesShown), std::end(kQuantilesShown));
  if (std::ranges::find(quantiles, question.quantile) == quantiles.end()) {
    quantiles.push_back(question.quantile);
    std::ranges::sort(quantiles);
  }
  std::vector<QuantileCost> costs;
  costs.reserve(quantiles.size());
  for (const double quantile : quantiles) {
    costs.push_back({quantile, CostOfPlan(planner.Plan(question.load, quantile))});
  }
  return costs;
}

std::vector<ProviderCost> CostsOfProviders(const CapacityQuestion& question) {
  const std::vector<std::string> providers = ProvidersOf(question.prices);
  std::vector<ProviderCost> costs;
  if (providers.size() < 2) return costs;
  for (const std::string& provider : providers) {
    Result<std::vector<VmType>> types = TypesOfProvider(question.prices, provider);
    CapacityPlanner planner(question.services, std::move(types).value());
    costs.push_back({provider, CostOfPlan(planner.Plan(question.load, question.quantile))});
  }
  return costs;
}

// Each service on its own VMs of its cheapest type, chosen anew for every step (Eq. 7.10).
double CostOfOneTypeEach(const CapacityPlanner& planner, const CapacityPlan& plan) {
  const double hours = static_cast<double>(plan.step.count()) / 3.6e9;
  double sum = 0;
  for (const PlanStep& step : plan.steps) {
    for (std::size_t s = 0; s < step.instances.size(); ++s) {
      const auto choice =
          CheapestVmType(step.instances[s], planner.services()[s].need, planner.types());
      sum += hours * static_cast<double>(choice->hour_micros);
    }
  }
  return sum;
}

ScaleDownSettings ScaleDownOf(const CapacityQuestion& question) {
  ScaleDownSettings settings = question.prices.scale_down;
  for (const ServiceModel& service : question.services) {
    settings.blocking.push_back(service.blocks_scale_down);
  }
  return settings;
}

void AddBaselines(const CapacityPlanner& planner, const CapacityQuestion& question,
                  CapacityAnswer& answer) {
  const CapacityPlan& plan = answer.plan;
  answer.baselines.push_back({"cheapest type for each service", CostOfOneTypeEach(planner, plan)});
  std::vector<InstanceCounts> wanted;
  wanted.reserve(plan.steps.size());
  double pairs = 0;
  for (const PlanStep& step : plan.steps) {
    wanted.push_back(step.instances);
    const auto vms =
        static_cast<double>(std::accumulate(step.vms.begin(), step.vms.end(), std::uint64_t{0}));
    pairs += vms * vms;
  }
  if (pairs > kReplayPairsMax) {
    answer.notes.emplace_back("the Cluster Autoscaler is left out: too many VMs to replay it");
    return;
  }
  const std::vector<InstanceDemand> demands = planner.Demands();
  const ScaleDownSettings scale_down = ScaleDownOf(question);
  for (const ExpanderEntry& expander : BuiltinExpanders()) {
    const AutoscalerRun run = ReplayClusterAutoscaler(expander, demands, planner.types(), wanted,
                                                      plan.step, scale_down, Rng(question.seed));
    answer.baselines.push_back(
        {fmt::format("Cluster Autoscaler, {}", expander.name), run.cost_micros});
  }
}

}  // namespace

Result<CapacityAnswer> AnswerCapacity(const CapacityQuestion& question) {
  CapacityAnswer answer{.currency = question.prices.currency};
  BERTH_TRY(answer.types, TypesOfProvider(question.prices, question.provider));
  CapacityPlanner planner(question.services, answer.types);
  BERTH_TRY(answer.plan, planner.Plan(question.load, question.quantile));
  for (const ServiceModel& service : question.services) answer.services.push_back(service.name);
  answer.quantiles = CostsOfQuantiles(planner, question);
  answer.providers = CostsOfProviders(question);
  AddBaselines(planner, question, answer);
  return answer;
}

}  // namespace berth
