#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "appsim/multiverse/read_parts.h"
#include "base/text.h"

namespace berth::multiverse {
namespace {

constexpr double kTargetMax = 1e12;
constexpr std::size_t kMetricGroupsMax = 100;
constexpr std::array<std::string_view, 9> kServiceMetrics = {"vCPU",
                                                             "memory",
                                                             "disk",
                                                             "network_bandwidth",
                                                             "waiting_time",
                                                             "upstream_waiting_time",
                                                             "downstream_waiting_time",
                                                             "waiting_requests_count",
                                                             "upstream_waiting_requests_count"};
constexpr std::array<std::string_view, 3> kResponseMetrics = {"response_time", "network_time",
                                                              "buffer_time"};
constexpr std::array<std::string_view, 8> kFilters = {
    "defaultNA",    "outliers_remover", "simple_exponential_smoother", "holt",
    "holt_winters", "butterworth",      "christiano_fitzgerald",       "hodrick_prescott"};

template <std::size_t N>
bool IsOneOf(const std::array<std::string_view, N>& known, std::string_view text) {
  return std::find(known.begin(), known.end(), text) != known.end();
}

template <std::size_t N>
std::string Listed(const std::array<std::string_view, N>& known) {
  return fmt::format("{}", fmt::join(known, ", "));
}

Result<AggregatorKind> AggregatorOf(const Node& node, std::string_view name) {
  if (name == "avgAggregator") return AggregatorKind::kMean;
  if (name == "minAggregator") return AggregatorKind::kMin;
  if (name == "maxAggregator") return AggregatorKind::kMax;
  if (name == "medianAggregator") return AggregatorKind::kMedian;
  if (name == "sumAggregator") return AggregatorKind::kSum;
  if (name == "quantileAggregator") return AggregatorKind::kQuantile;
  return node.Error(fmt::format(
      "{} is no aggregator; use avg, min, max, median, sum or quantile before Aggregator",
      Quoted(name)));
}

Status ReadAggregator(const Node& node, MetricSpec& metric) {
  Fields fields(node);
  const std::string name = fields.Text("name");
  if (const std::optional<Node> config = fields.Required("config")) {
    Fields parts(*config);
    metric.window = ReadField<Duration>(parts, "resolution", ReadPositiveLength);
    metric.quantile = parts.Number("quantile", {.min = 0, .max = 1}, 0.5);
    fields.Check(parts.Finish());
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_TRY(metric.aggregator, AggregatorOf(node, name));
  return {};
}

Status ReadFilter(const Node& node, MetricSpec& metric) {
  Fields fields(node);
  metric.filter = fields.Text("name");
  const std::optional<Node> config = fields.Optional("config");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (!IsOneOf(kFilters, metric.filter)) {
    return node.Find("name")->Error(
        fmt::format("{} is no filter; use {}", Quoted(metric.filter), Listed(kFilters)));
  }
  if (!config || metric.filter != "defaultNA") return {};
  Fields parts(*config);
  metric.filter_default = parts.Number("default_value", {.min = -kTargetMax, .max = kTargetMax}, 0);
  return parts.Finish();
}

Status ReadForecaster(const Node& node, MetricSpec& metric) {
  Fields fields(node);
  metric.forecaster = fields.Text("name");
  metric.forecast_frequency = ReadFieldOr<Duration>(fields, "forecast_frequency",
                                                    ReadPositiveLength, std::chrono::seconds(1));
  metric.horizon_steps =
      fields.Integer<std::uint32_t>("horizon_in_steps", {.min = 1, .max = 1'000'000}, 60);
  // Of forecasters that learn.
  for (const std::string_view key :
       {"history_data_buffer_size", "fit_model_when_history_amount_reached", "config",
        "dir_with_pretrained_models", "dir_to_store_models", "do_not_adjust_model", "models",
        "combination"}) {
    fields.Optional(key);
  }
  return fields.Finish();
}

// The parts that a metric may have of its own, or share by default.
Status ReadMetricParts(Fields& fields, MetricSpec& metric) {
  if (const std::optional<Node> part = fields.Optional("values_filter_conf")) {
    BERTH_RETURN_IF_ERROR(ReadFilter(*part, metric));
  }
  if (const std::optional<Node> part = fields.Optional("values_aggregator_conf")) {
    BERTH_RETURN_IF_ERROR(ReadAggregator(*part, metric));
  }
  if (const std::optional<Node> part = fields.Optional("forecaster_conf")) {
    BERTH_RETURN_IF_ERROR(ReadForecaster(*part, metric));
  }
  if (fields.Optional("correlator_conf")) metric.related = true;
  return {};
}

Status CheckMetricName(const Node& node, const MetricSpec& metric) {
  const std::optional<Node> name = node.Find("metric_name");
  switch (metric.source) {
    case MetricSource::kService:
      if (IsOneOf(kServiceMetrics, metric.name) ||
          metric.name == "downstream_waiting_requests_count") {
        return {};
      }
      return name->Error(fmt::format("{} is no metric of a service; use {}", Quoted(metric.name),
                                     Listed(kServiceMetrics)));
    case MetricSource::kResponses:
      if (IsOneOf(kResponseMetrics, metric.name)) return {};
      return name->Error(fmt::format("{} is no metric of responses; use {}", Quoted(metric.name),
                                     Listed(kResponseMetrics)));
    case MetricSource::kLoad:
      if (metric.name == "load") return {};
      return name->Error(fmt::format("{} is no metric of the load; use load", Quoted(metric.name)));
  }
  return {};
}

Result<MetricSource> ReadSource(const Node& node) {
  BERTH_TRY(const std::string_view text, node.Text());
  if (text == "Service") return MetricSource::kService;
  if (text == "Load") return MetricSource::kLoad;
  if (text == "response_stats") return MetricSource::kResponses;
  return node.Error(
      fmt::format("{} is no source; use Service, Load or response_stats", Quoted(text)));
}

Result<MetricSpec> ReadMetric(const Node& node, MetricSpec metric) {
  Fields fields(node);
  metric.source = ReadField<MetricSource>(fields, "metric_source_name", ReadSource);
  metric.name = fields.Text("metric_name");
  metric.request_type = fields.Text("submetric_name", "");
  fields.Check(ReadMetricParts(fields, metric));
  if (fields.Optional("related_service_to_consider")) metric.related = true;
  fields.Optional("metric_params");
  fields.Optional("metric_type");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_RETURN_IF_ERROR(CheckMetricName(node, metric));
  if (metric.window == Duration::zero()) {
    return node.Error("has no values_aggregator_conf, nor has default_metric_config");
  }
  return metric;
}

bool IsTime(std::string_view metric) {
  return metric.ends_with("_time") && metric != "waiting_requests_count";
}

Status ReadTarget(const Node& node, MetricGroupSpec& group) {
  Fields fields(node);
  group.target_metric = fields.Text("metric_name");
  group.target = fields.Number("value", {.min = 0, .max = kTargetMax});
  const std::optional<Node> unit = fields.Optional("unit");
  fields.Optional("resolution");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (group.target <= 0) return node.Find("value")->Error("must be above zero");
  if (!IsTime(group.target_metric)) return {};
  BERTH_TRY(const Varying time,
            ReadVaryingTime(*node.Find("value"), unit ? unit->Text().value() : "ms"));
  group.target = time.mean;
  return {};
}

Status ReadRule(const Node& node, MetricGroupSpec& group) {
  Fields fields(node);
  const std::string name = fields.Text("name");
  const std::optional<Node> target = fields.Required("target");
  if (const std::optional<Node> heuristic = fields.Optional("adjustment_heuristic_conf")) {
    Fields parts(*heuristic);
    const std::string kind = parts.Text("name");
    const double factor = parts.Number("scaling_factor", {.min = 0, .max = 1'000}, 1);
    if (kind == "rescale") group.factor = factor;
    if (kind != "rescale" && kind != "none") {
      parts.Check(heuristic->Error("the name of a heuristic must be none or rescale"));
    }
    fields.Check(parts.Finish());
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (name != "ratio") {
    return node.Find("name")->Error(fmt::format("{} is no rule; use ratio", Quoted(name)));
  }
  return ReadTarget(*target, group);
}

Status ReadLearning(const Node& node, MetricGroupSpec& group) {
  Fields fields(node);
  if (const std::optional<Node> fallback = fields.Required("fallback_calculator")) {
    Fields parts(*fallback);
    if (parts.Text("category") != "rule") {
      parts.Check(fallback->Error("the category of a fallback must be rule"));
    }
    if (const std::optional<Node> config = parts.Required("config")) {
      parts.Check(ReadRule(*config, group));
    }
    fields.Check(parts.Finish());
  }
  for (const std::string_view key :
       {"model", "performance_metric", "model_quality_metric", "minibatch_size", "optimizer_config",
        "adjustment_heuristic_conf"}) {
    fields.Optional(key);
  }
  return fields.Finish();
}

Status ReadCalculator(const Node& node, MetricGroupSpec& group) {
  Fields fields(node);
  group.category = fields.Text("category");
  const std::optional<Node> config = fields.Required("config");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (group.category == "rule") return ReadRule(*config, group);
  if (group.category == "learning") return ReadLearning(*config, group);
  return node.Find("category")->Error("must be rule or learning");
}

Status ReadStabiliser(const Node& node, MetricGroupSpec& group) {
  Fields fields(node);
  group.stabiliser = fields.Text("name");
  if (const std::optional<Node> config = fields.Required("config")) {
    Fields parts(*config);
    group.stabiliser_grid = ReadField<Duration>(parts, "resolution", ReadPositiveLength);
    fields.Check(parts.Finish());
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (group.stabiliser != "maxStabilizer") {
    return node.Find("name")->Error(
        fmt::format("{} is no stabiliser; use maxStabilizer", Quoted(group.stabiliser)));
  }
  return {};
}

Result<MetricGroupSpec> ReadMetricGroup(const Node& node) {
  Fields fields(node);
  MetricGroupSpec group{.name = fields.Text("name")};
  group.priority = fields.Integer("priority");
  const Range<std::uint32_t> range = {.min = 0, .max = 1'000'000'000};
  group.min_limit = fields.Integer<std::uint32_t>("initial_min_limit", range);
  group.max_limit = fields.Integer<std::uint32_t>("initial_max_limit", range);
  MetricSpec defaults;
  if (const std::optional<Node> part = fields.Optional("default_metric_config")) {
    Fields parts(*part);
    fields.Check(ReadMetricParts(parts, defaults));
    fields.Check(parts.Finish());
  }
  if (const std::optional<Node> part = fields.Required("desired_aspect_value_calculator_conf")) {
    fields.Check(ReadCalculator(*part, group));
  }
  if (const std::optional<Node> part = fields.Required("stabilizer_conf")) {
    fields.Check(ReadStabiliser(*part, group));
  }
  const std::vector<Node> metrics = fields.Items("metrics");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (group.min_limit > group.max_limit) {
    return node.Find("initial_min_limit")->Error("is above initial_max_limit");
  }
  BERTH_RETURN_IF_ERROR(
      CheckCount(*node.Find("metrics"), metrics.size(), kMetricGroupsMax, "metrics"));
  group.metrics.reserve(metrics.size());
  for (const Node& item : metrics) {
    BERTH_TRY(MetricSpec metric, ReadMetric(item, defaults));
    group.metrics.push_back(std::move(metric));
  }
  const bool measured =
      std::any_of(group.metrics.begin(), group.metrics.end(),
                  [&](const MetricSpec& metric) { return metric.name == group.target_metric; });
  if (!measured) {
    return node.Find("metrics")->Error(
        fmt::format("has not {}, which the target is of", Quoted(group.target_metric)));
  }
  return group;
}

Result<ServicePolicySpec> ReadServicePolicy(const Node& node) {
  Fields fields(node);
  ServicePolicySpec policy;
  fields.Text("service_name");
  const std::string rule = fields.Text("scaling_effect_aggregation_rule_name");
  const std::string aspect = fields.Text("scaled_aspect_name");
  const std::vector<Node> groups = fields.Items("metrics_groups");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (rule != "maxScale" && rule != "minScale") {
    return node.Find("scaling_effect_aggregation_rule_name")
        ->Error(fmt::format("{} is no rule; use maxScale or minScale", Quoted(rule)));
  }
  if (aspect != "count") return node.Find("scaled_aspect_name")->Error("must be count");
  policy.takes_max = rule == "maxScale";
  BERTH_RETURN_IF_ERROR(
      CheckCount(*node.Find("metrics_groups"), groups.size(), kMetricGroupsMax, "metric groups"));
  policy.groups.reserve(groups.size());
  for (const Node& item : groups) {
    BERTH_TRY(MetricGroupSpec group, ReadMetricGroup(item));
    policy.groups.push_back(std::move(group));
  }
  return policy;
}

Status ReadServicePolicies(const std::vector<Node>& items, const ApplicationSpec& app,
                           ScalingPolicySpec& policy) {
  std::optional<ServicePolicySpec> otherwise;
  std::vector<std::optional<ServicePolicySpec>> own(app.services.size());
  for (const Node& item : items) {
    BERTH_TRY(ServicePolicySpec read, ReadServicePolicy(item));
    const Node name = *item.Find("service_name");
    BERTH_TRY(const std::string_view text, name.Text());
    if (text == "default") {
      otherwise = std::move(read);
      continue;
    }
    BERTH_TRY(const std::size_t service, FindService(name, app));
    own[service] = std::move(read);
  }
  policy.services.resize(app.services.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i]) policy.services[i] = std::move(*own[i]);
    if (!own[i] && otherwise) policy.services[i] = *otherwise;
  }
  return {};
}

}  // namespace

Result<ScalingPolicySpec> ReadScalingPolicy(const Node& node, const ApplicationSpec& app) {
  Fields fields(node);
  ScalingPolicySpec policy;
  if (const std::optional<Node> when = fields.Required("policy")) {
    Fields parts(*when);
    policy.sync_period = ReadField<Duration>(parts, "sync_period", ReadPositiveLength);
    if (const std::optional<Node> warm_up = parts.Optional("warm_up")) {
      Result<Duration> length = ReadLength(*warm_up);
      parts.Check(length.status());
      if (length.ok()) policy.warm_up = length.value();
    }
    fields.Check(parts.Finish());
  }
  std::vector<Node> services;
  if (const std::optional<Node> application = fields.Required("application")) {
    Fields parts(*application);
    services = parts.Items("services");
    fields.Check(parts.Finish());
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_RETURN_IF_ERROR(ReadServicePolicies(services, app, policy));
  return policy;
}

}  // namespace berth::multiverse
