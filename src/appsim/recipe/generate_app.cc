#include "appsim/recipe/generate_app.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "berth/rng.h"
#include "scale/capacity/vm_mix.h"

namespace berth {
namespace {

constexpr std::int64_t kMetricValuesMax = 4'000'000;

// Files have whole units.
double DrawWhole(const NumberChoice& choice, Rng& rng) { return std::round(choice.Draw(rng)); }

Spread DrawSpread(const SpreadChoice& choice, Rng& rng) {
  Spread spread{.mean = DrawWhole(choice.mean, rng)};
  spread.deviation = DrawWhole(choice.deviation, rng);
  if (spread.deviation > 0) spread.kind = Spread::Kind::kNormal;
  return spread;
}

std::vector<AppService> DrawServices(const AppRecipe& recipe, const Rng& rng) {
  Rng form = rng.Fork("form");
  const auto count = static_cast<std::size_t>(
      std::clamp(DrawWhole(recipe.services, form), 1.0, static_cast<double>(kRecipeServicesMax)));
  const AttachmentSet& set = recipe.topologies[form.Below(recipe.topologies.size())];
  const ServiceGraph graph =
      AttachServices(set, count, CallDirection::kToYounger, rng.Fork("calls"));
  const auto callees = graph.Callees();
  Rng sizes = rng.Fork("sizes");
  std::vector<AppService> services;
  services.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    AppService service{.name = graph.names()[i]};
    for (const ServiceVertex next : callees[i]) service.next.push_back(ToIndex(next));
    service.need[Resource::kCpu] =
        static_cast<std::int64_t>(DrawWhole(recipe.limit_cpu_milli, sizes));
    service.need[Resource::kMemory] =
        static_cast<std::int64_t>(DrawWhole(recipe.limit_memory_bytes, sizes));
    service.idle[0] = DrawSpread(recipe.idle_cpu_milli, sizes);
    service.idle[1] = DrawSpread(recipe.idle_memory_bytes, sizes);
    const auto idle = static_cast<std::int64_t>(service.idle[0].mean);
    service.work_milli = std::max<std::int64_t>(1, service.need[Resource::kCpu] - idle);
    service.boot = DrawSpread(recipe.boot_us, sizes);
    service.termination = DrawSpread(recipe.termination_us, sizes);
    services.push_back(std::move(service));
  }
  return services;
}

// Who calls others works one half of the time on the way there, one half on the way back.
AppTimes DrawTimes(const SpreadChoice& processing, bool calls, Rng& rng) {
  const Spread whole = DrawSpread(processing, rng);
  if (!calls) return {.upstream = whole};
  Spread half = whole;
  half.mean = std::round(whole.mean / 2);
  half.deviation = std::round(whole.deviation / std::sqrt(2));
  if (half.deviation == 0) half.kind = Spread::Kind::kConstant;
  return {.upstream = half, .downstream = half};
}

AppRequestType DrawRequests(const AppRecipe& recipe, const std::vector<AppService>& services,
                            Rng rng) {
  AppRequestType type{.name = "request"};
  type.times.reserve(services.size());
  for (const AppService& service : services) {
    type.times.push_back(DrawTimes(recipe.processing_us, !service.next.empty(), rng));
  }
  type.need[0] = DrawSpread(recipe.request_cpu_milli, rng);
  type.need[1] = DrawSpread(recipe.request_memory_bytes, rng);
  type.request_bytes.mean = DrawWhole(recipe.request_bytes, rng);
  type.response_bytes.mean = DrawWhole(recipe.response_bytes, rng);
  type.timeout = Duration(
      std::max<std::int64_t>(1, static_cast<std::int64_t>(DrawWhole(recipe.timeout_us, rng))));
  return type;
}

// Names are those of the file alone: where providers have types of one name, with the provider.
std::vector<AppNodeType> NodeTypesOf(const AppRecipe& recipe) {
  std::vector<AppNodeType> types;
  types.reserve(recipe.node_types.size());
  for (const VmType& vm : recipe.node_types) {
    AppNodeType type{.vm = vm};
    type.boot.mean = static_cast<double>(vm.boot.count());
    if (std::ranges::count(recipe.node_types, vm.name, &VmType::name) > 1) {
      type.vm.name = fmt::format("{}-{}", vm.provider, vm.name);
    }
    types.push_back(std::move(type));
  }
  return types;
}

std::vector<double> DrawRates(const AppRecipe& recipe, Rng rng) {
  const std::int64_t hours =
      (recipe.duration + std::chrono::hours(1) - Duration(1)) / std::chrono::hours(1);
  std::vector<double> drawn;
  drawn.reserve(recipe.hourly_rates.size());
  for (const NumberChoice& rate : recipe.hourly_rates) {
    drawn.push_back(std::min(kRecipeRateMax, recipe.rate_scale * rate.Draw(rng)));
  }
  std::vector<double> rates;
  rates.reserve(static_cast<std::size_t>(hours));
  for (std::int64_t hour = 0; hour < hours; ++hour) {
    rates.push_back(drawn[static_cast<std::size_t>(hour) % drawn.size()]);
  }
  return rates;
}

// The cheapest VMs of one provider for what it is given, by service.
Status DeployOnProvider(const AppModel& model, const std::string& provider,
                        const std::vector<std::uint32_t>& instances, AppRegion& region) {
  std::vector<std::size_t> type_of;
  std::vector<VmType> types;
  for (std::size_t t = 0; t < model.node_types.size(); ++t) {
    if (model.node_types[t].vm.provider != provider) continue;
    type_of.push_back(t);
    types.push_back(model.node_types[t].vm);
  }
  std::vector<std::size_t> service_of;
  std::vector<InstanceDemand> demands;
  for (std::size_t s = 0; s < instances.size(); ++s) {
    if (instances[s] == 0) continue;
    service_of.push_back(s);
    demands.push_back({.service = model.services[s].name,
                       .need = model.services[s].need,
                       .instances = instances[s]});
  }
  if (demands.empty()) return {};
  BERTH_TRY(const VmMix mix, CheapestVmMix(demands, types));
  for (const VmGroup& group : mix.groups) {
    VmGroup placed{.type = type_of[group.type], .count = group.count};
    placed.instances.resize(model.services.size(), 0);
    for (std::size_t i = 0; i < service_of.size(); ++i) {
      placed.instances[service_of[i]] = group.instances[i];
    }
    region.deployment.push_back(std::move(placed));
  }
  return {};
}

struct RegionShares {
  std::string name{};
  double share = 0;
  std::vector<std::size_t> parts{};  // Of the recipe's deployment.
};

std::vector<RegionShares> RegionsOf(const AppRecipe& recipe) {
  std::vector<RegionShares> regions;
  for (std::size_t i = 0; i < recipe.deployment.size(); ++i) {
    const DeploymentShare& part = recipe.deployment[i];
    if (part.share == 0) continue;
    auto found = std::ranges::find(regions, part.region, &RegionShares::name);
    if (found == regions.end()) {
      regions.push_back({.name = part.region});
      found = regions.end() - 1;
    }
    found->share += part.share;
    found->parts.push_back(i);
  }
  return regions;
}

// Of a region without an instance of a service no request would come back: there is at least one.
Result<AppRegion> DrawRegion(const AppRecipe& recipe, const AppModel& model,
                             const RegionShares& shares,
                             const std::vector<std::uint32_t>& instances,
                             const std::vector<double>& rates) {
  AppRegion region{.name = shares.name};
  std::vector<double> of_providers;
  of_providers.reserve(shares.parts.size());
  for (const std::size_t part : shares.parts) {
    of_providers.push_back(recipe.deployment[part].share / shares.share);
  }
  std::vector<std::vector<std::uint32_t>> placed(shares.parts.size());
  for (std::uint32_t count : instances) {
    const auto split = SplitByShares(count, of_providers);
    for (std::size_t p = 0; p < placed.size(); ++p) placed[p].push_back(split[p]);
  }
  for (std::size_t p = 0; p < placed.size(); ++p) {
    const std::string& provider = recipe.deployment[shares.parts[p]].provider;
    BERTH_RETURN_IF_ERROR(DeployOnProvider(model, provider, placed[p], region));
  }
  AppLoad load{.step = std::chrono::hours(1), .rates = rates};
  for (double& rate : load.rates) rate = std::round(rate * shares.share * 1e6) / 1e6;
  region.loads.push_back(std::move(load));
  return region;
}

}  // namespace

std::vector<std::uint32_t> SplitByShares(std::uint32_t count, const std::vector<double>& shares) {
  std::vector<std::uint32_t> split;
  std::vector<double> cut_off;
  split.reserve(shares.size());
  cut_off.reserve(shares.size());
  std::uint32_t given = 0;
  for (const double share : shares) {
    const double exact = count * share;
    split.push_back(static_cast<std::uint32_t>(exact));
    cut_off.push_back(exact - static_cast<double>(split.back()));
    given += split.back();
  }
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return cut_off[i]; });
  for (std::size_t i = 0; given < count; ++i, ++given) ++split[order[i % order.size()]];
  return split;
}

Result<AppModel> GenerateApp(const AppRecipe& recipe, std::uint64_t seed) {
  const Rng rng(seed);
  AppModel model{.duration = recipe.duration};
  model.services = DrawServices(recipe, rng.Fork("services"));
  // A value a service and step is kept: of long runs the steps are longer.
  const auto values = static_cast<std::int64_t>(model.services.size() + 1);
  model.metric_step =
      std::chrono::seconds(1 + recipe.duration * values / std::chrono::seconds(kMetricValuesMax));
  model.request_types = {DrawRequests(recipe, model.services, rng.Fork("requests"))};
  model.node_types = NodeTypesOf(recipe);
  const std::vector<double> rates = DrawRates(recipe, rng.Fork("load"));
  const std::vector<RegionShares> regions = RegionsOf(recipe);
  std::vector<double> of_regions;
  of_regions.reserve(regions.size());
  for (const RegionShares& region : regions) of_regions.push_back(region.share);
  std::vector<std::vector<std::uint32_t>> instances(regions.size());
  Rng counts = rng.Fork("instances");
  for (std::size_t s = 0; s < model.services.size(); ++s) {
    const auto all = static_cast<std::uint32_t>(DrawWhole(recipe.instances, counts));
    const auto split = SplitByShares(all, of_regions);
    for (std::size_t r = 0; r < regions.size(); ++r) {
      instances[r].push_back(std::max<std::uint32_t>(1, split[r]));
    }
  }
  for (std::size_t r = 0; r < regions.size(); ++r) {
    BERTH_TRY(AppRegion region, DrawRegion(recipe, model, regions[r], instances[r], rates));
    model.regions.push_back(std::move(region));
  }
  BERTH_RETURN_IF_ERROR(CheckAppModel(model));
  return model;
}

}  // namespace berth
