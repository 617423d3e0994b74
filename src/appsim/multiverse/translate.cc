#include "appsim/multiverse/translate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "appsim/multiverse/sarima.h"
#include "base/text.h"
#include "scale/space/autoscaler_file.h"

namespace berth::multiverse {
namespace {

constexpr double kMicrosASecond = 1e6;
constexpr double kBytesAMegabit = 1e6 / 8;
constexpr std::int64_t kMetricStepsMax = 50'000;

double SecondsOf(Duration duration) {
  return static_cast<double>(duration.count()) / kMicrosASecond;
}

// From cores and bytes to the units of Resources.
constexpr std::array<double, kAmountCount> kToUnits = {1'000, 1, 1, 1 / kBytesAMegabit};

Spread SpreadOf(const Varying& varying, double factor = 1) {
  if (varying.deviation == 0) return {.mean = varying.mean * factor};
  return {.kind = Spread::Kind::kNormal,
          .mean = varying.mean * factor,
          .deviation = varying.deviation * factor};
}

SpreadUse UseOf(const VaryingAmounts& amounts) {
  SpreadUse use{};
  for (std::size_t i = 0; i < kAmountCount; ++i) use[i] = SpreadOf(amounts[i], kToUnits[i]);
  return use;
}

// Needs are rounded up, what there is down.
Resources ResourcesFrom(const Amounts& amounts, bool up) {
  Resources resources;
  for (std::size_t i = 0; i < kAmountCount; ++i) {
    const double value = amounts[i] * kToUnits[i];
    resources[kAllResources[i]] =
        static_cast<std::int64_t>(up ? std::ceil(value - 1e-9) : std::floor(value + 1e-9));
  }
  return resources;
}

BufferOrder OrderOf(QueueOrder order) {
  switch (order) {
    case QueueOrder::kFifo:
      return BufferOrder::kFifo;
    case QueueOrder::kLifo:
      return BufferOrder::kLifo;
    case QueueOrder::kOldestFirst:
      return BufferOrder::kOldestFirst;
  }
  return BufferOrder::kFifo;
}

// Of all providers the first: the exact simulator knows one start-up time a service.
Spread FirstDelay(const std::map<std::string, Varying>& delays,
                  const std::vector<NodeTypeSpec>& node_types) {
  for (const NodeTypeSpec& type : node_types) {
    const auto found = delays.find(type.provider);
    if (found != delays.end()) return SpreadOf(found->second);
  }
  return {};
}

AppService TranslateService(const ServiceSpec& spec, const SimulationSet& set) {
  AppService service{.name = spec.name, .next = spec.next, .idle = UseOf(spec.idle)};
  Amounts size{};
  for (std::size_t i = 0; i < kAmountCount; ++i) size[i] = spec.idle[i].mean;
  service.need = ResourcesFrom(spec.limits.value_or(size), true);
  service.upstream = {.order = OrderOf(spec.order), .capacity = spec.capacity};
  service.downstream = service.upstream;
  service.boot = FirstDelay(spec.boot, set.node_types);
  service.termination = FirstDelay(spec.termination, set.node_types);
  return service;
}

AppRequestType TranslateRequest(const RequestSpec& spec) {
  AppRequestType type{.name = spec.name,
                      .entry = spec.entry,
                      .need = UseOf(spec.need),
                      .request_bytes = SpreadOf(spec.request_bytes),
                      .response_bytes = SpreadOf(spec.response_bytes),
                      .timeout = spec.timeout};
  type.times.reserve(spec.times.size());
  for (const WorkTimes& times : spec.times) {
    type.times.push_back(
        {.upstream = SpreadOf(times.upstream), .downstream = SpreadOf(times.downstream)});
  }
  return type;
}

AppNodeType TranslateNodeType(const NodeTypeSpec& spec) {
  return {.vm = {.provider = spec.provider,
                 .name = spec.name,
                 .capacity = ResourcesFrom(spec.capacity, false),
                 .hour_micros = std::llround(spec.price_an_hour * static_cast<double>(kMicros)),
                 .boot = Duration(std::llround(spec.boot.mean))},
          .boot = SpreadOf(spec.boot),
          .termination = SpreadOf(spec.termination),
          .latency = spec.latency};
}

// Instances are spread over a group's nodes as evenly as can be.
void AddGroups(const InitialGroup& group, std::size_t services, AppRegion& region) {
  if (group.nodes == 0) return;
  const std::uint32_t each = group.instances / group.nodes;
  const std::uint32_t more = group.instances % group.nodes;
  const auto add = [&](std::uint32_t nodes, std::uint32_t instances) {
    if (nodes == 0) return;
    VmGroup added{.type = group.node_type, .count = nodes};
    added.instances.assign(services, 0);
    added.instances[group.service] = instances;
    region.deployment.push_back(std::move(added));
  };
  add(more, each + 1);
  add(group.nodes - more, each);
}

struct RatesOfRun {
  Duration step{};
  std::vector<double> rates{};  // Requests a second.
  bool even = false;
};

RatesOfRun StepRates(const LoadPattern& pattern, Duration length) {
  RatesOfRun run{.step = pattern.unit, .even = true};
  std::vector<double> once;
  for (const StepLevel& level : pattern.levels) {
    const auto units = static_cast<std::size_t>(
        SecondsOf(pattern.length) * level.share / SecondsOf(pattern.unit) + 1e-9);
    once.insert(once.end(), units, level.requests / SecondsOf(pattern.unit));
  }
  const auto steps = static_cast<std::size_t>(length / run.step + 1);
  run.rates.reserve(steps);
  for (std::size_t i = 0; i < steps && !once.empty(); ++i) {
    run.rates.push_back(once[i % once.size()]);
  }
  return run;
}

RatesOfRun SarimaRates(const SarimaSpec& spec, Rng& rng) {
  RatesOfRun run{.step = spec.resolution};
  run.rates.assign(static_cast<std::size_t>(spec.head_start / spec.resolution), 0.0);
  const std::vector<double> path =
      DrawSarimaPath(spec, static_cast<std::size_t>(spec.duration / spec.resolution), rng);
  if (path.empty()) return run;
  const double lift = -std::min(0.0, *std::min_element(path.begin(), path.end()));
  run.rates.reserve(run.rates.size() + path.size());
  for (const double value : path) {
    run.rates.push_back(std::ceil((value + lift) * spec.scale) / SecondsOf(spec.resolution));
  }
  return run;
}

Result<RatesOfRun> RatesOf(const LoadPattern& pattern, const RunSpec& run, Rng& rng) {
  switch (pattern.kind) {
    case LoadPattern::Kind::kSteps:
      return StepRates(pattern, run.length);
    case LoadPattern::Kind::kSarima:
      return SarimaRates(pattern.sarima, rng);
    case LoadPattern::Kind::kSingleValue:
      return RatesOfRun{.step = pattern.length,
                        .rates = {pattern.value / SecondsOf(pattern.length)},
                        .even = true};
    case LoadPattern::Kind::kSeasonal:
      break;
  }
  return Status(Code::kInvalidArgument,
                "a seasonal load is not translated; simulate it without --exact");
}

Status AddLoads(const SimulationSet& set, const RunSpec& run, std::size_t region, Rng rng,
                AppRegion& into) {
  if (!set.load.has_load[region]) return {};
  const LoadPattern& pattern = set.load.patterns[region];
  BERTH_TRY(const RatesOfRun rates, RatesOf(pattern, run, rng));
  for (const RequestShare& share : pattern.shares) {
    AppLoad load{.request_type = share.request, .step = rates.step};
    load.rates.reserve(rates.rates.size());
    for (const double rate : rates.rates) load.rates.push_back(rate * share.ratio);
    load.arrivals = rates.even ? AppLoad::Arrivals::kEven : AppLoad::Arrivals::kPoisson;
    into.loads.push_back(std::move(load));
  }
  return {};
}

std::string MetricNameOf(const std::string& name) {
  if (name == "vCPU") return "cpu";
  if (name == "network_bandwidth") return "network";
  if (name.ends_with("waiting_requests_count")) {
    return name.substr(0, name.size() - std::string_view("requests_count").size()) + "count";
  }
  return name;
}

std::string_view AggregatorName(AggregatorKind kind) {
  switch (kind) {
    case AggregatorKind::kMean:
      return "mean";
    case AggregatorKind::kMin:
      return "min";
    case AggregatorKind::kMax:
      return "max";
    case AggregatorKind::kMedian:
      return "median";
    case AggregatorKind::kSum:
      return "sum";
    case AggregatorKind::kQuantile:
      return "quantile";
  }
  return "mean";
}

std::string Micros(Duration duration) { return fmt::format("{}us", duration.count()); }

Status CheckTranslatable(const MetricGroupSpec& group, const MetricSpec& metric) {
  const auto refuse = [](std::string_view what) {
    return Status(
        Code::kInvalidArgument,
        fmt::format("{} is not translated; choose another alternative with --policy", what));
  };
  if (group.category == "learning") return refuse("a policy that learns by a trained model");
  if (metric.forecaster != "reactive") return refuse("a policy with a forecaster");
  if (metric.filter != "defaultNA") return refuse("a filter other than defaultNA");
  if (metric.source == MetricSource::kLoad) return refuse("a target for the load");
  return {};
}

Result<std::string> TranslateGroup(const MetricGroupSpec& group) {
  const auto target =
      std::find_if(group.metrics.begin(), group.metrics.end(),
                   [&](const MetricSpec& metric) { return metric.name == group.target_metric; });
  BERTH_RETURN_IF_ERROR(CheckTranslatable(group, *target));
  const bool time = group.target_metric.ends_with("_time");
  const std::string name = MetricNameOf(group.target_metric);
  const std::string quantile = target->aggregator == AggregatorKind::kQuantile
                                   ? fmt::format(", quantile: {:.0f}%", 100 * target->quantile)
                                   : "";
  return fmt::format(
      "      - name: {}\n"
      "        priority: {}\n"
      "        calculator: {{name: ratio, metric: {}, target: {}}}\n"
      "        factor: {}\n"
      "        limits: {{min: {}, max: {}}}\n"
      "        metrics:\n"
      "          - name: {}\n"
      "{}"
      "            aggregator: {{name: {}, every: {}{}}}\n",
      group.name, group.priority, name, time ? group.target / kMicrosASecond : group.target,
      group.factor, group.min_limit, std::max(group.max_limit, 1U), name,
      target->source == MetricSource::kResponses ? "            of: application\n" : "",
      AggregatorName(target->aggregator), Micros(target->window), quantile);
}

}  // namespace

Result<AppModel> TranslateApplication(const SimulationSet& set, const RunSpec& run,
                                      std::uint64_t seed) {
  AppModel model{.duration = run.length, .deployed_before = false};
  model.metric_step = std::max(set.application.averaging, run.length / kMetricStepsMax);
  model.services.reserve(set.application.services.size());
  for (const ServiceSpec& spec : set.application.services) {
    model.services.push_back(TranslateService(spec, set));
  }
  model.request_types.reserve(set.application.requests.size());
  for (const RequestSpec& spec : set.application.requests) {
    model.request_types.push_back(TranslateRequest(spec));
  }
  model.node_types.reserve(set.node_types.size());
  for (const NodeTypeSpec& spec : set.node_types) {
    model.node_types.push_back(TranslateNodeType(spec));
  }
  const Rng rng(seed);
  model.regions.reserve(set.regions.size());
  for (std::size_t i = 0; i < set.regions.size(); ++i) {
    AppRegion region{.name = set.regions[i]};
    for (const InitialGroup& group : set.deployment) {
      if (group.region == i) AddGroups(group, model.services.size(), region);
    }
    BERTH_RETURN_IF_ERROR(AddLoads(set, run, i, rng.Fork(set.regions[i]), region));
    model.regions.push_back(std::move(region));
  }
  BERTH_RETURN_IF_ERROR(CheckAppModel(model));
  return model;
}

Result<std::string> TranslatePolicy(const SimulationSet& set) {
  std::string services;
  Duration step = set.policy.sync_period;
  for (std::size_t s = 0; s < set.application.services.size(); ++s) {
    const ServicePolicySpec& policy = set.policy.services[s];
    if (policy.groups.empty()) continue;
    std::uint32_t least = policy.groups[0].min_limit;
    std::uint32_t most = policy.groups[0].max_limit;
    std::string groups;
    for (const MetricGroupSpec& group : policy.groups) {
      BERTH_TRY(const std::string text, TranslateGroup(group));
      groups += text;
      least = std::min(least, group.min_limit);
      most = std::max(most, group.max_limit);
    }
    services += fmt::format("  {}:\n    min: {}\n    max: {}\n    rule: {}\n    groups:\n{}",
                            set.application.services[s].name, least, std::max(most, 1U),
                            policy.takes_max ? "parallel_max" : "parallel_min", groups);
  }
  const std::string& hint = set.adjustment.placement_hint;
  return fmt::format(
      "autoscaler: space\nsync: {0}\nwarm_up: {1}\nstep: {2}\nhorizon: {2}\nservices:{3}\n{4}"
      "nodes: {{placing: {5}, scorer: cost, chooser: best_score, lifetime: {6}, cooldown: {7}}}\n",
      Micros(set.policy.sync_period), Micros(set.policy.warm_up.value_or(Duration::zero())),
      Micros(step), services.empty() ? " {}" : "", services,
      hint == "specialized" ? "specialised" : hint, Micros(set.adjustment.horizon),
      Micros(set.adjustment.cooldown));
}

Result<AppPolicy> MakeTranslatedPolicy(const SimulationSet& set, const AppModel& model,
                                       const std::string& name) {
  BERTH_TRY(const std::string text, TranslatePolicy(set));
  BERTH_TRY(Document read, ParseDocument(text, name));
  const auto document = std::make_shared<const Document>(std::move(read));
  AppPolicy policy{.name = name, .make = [document, application = ScaledFrom(model)] {
                     return ReadAutoscaler(document->root(), application);
                   }};
  BERTH_RETURN_IF_ERROR(policy.make().status());
  return policy;
}

}  // namespace berth::multiverse
