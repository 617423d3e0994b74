#include "scale/space/policy_metrics.h"

#include <fmt/format.h>

#include <optional>

#include "base/fields.h"
#include "base/text.h"
#include "fleet/file_parts.h"
#include "forecast/series_forecaster.h"

namespace berth {
namespace {

constexpr Duration kHistoryMax = std::chrono::hours(24) * 400;

// The entry that a map's `name` names.
template <typename Entry, typename Finder>
const Entry* NamedPart(Fields& fields, const Node& node, Finder finder) {
  const std::string name = fields.Text("name");
  if (name.empty()) return nullptr;
  const Result<const Entry*> found = finder(name);
  if (found.ok()) return found.value();
  fields.Check(node.Error(found.status().message()));
  return nullptr;
}

std::optional<std::size_t> ReadFilterSeason(Fields& fields, const Node& node) {
  const auto text = node.Text();
  if (text.ok() && text.value() == "none") return std::nullopt;
  const auto points = node.Integer<std::size_t>({.min = 2, .max = kSeasonMax});
  fields.Check(points.status());
  return points.ok() ? std::optional(points.value()) : std::nullopt;
}

Result<MetricFilter> ReadMetricFilter(const Node& node) {
  Fields fields(node);
  MetricFilter filter{.filter = NamedPart<FilterEntry>(fields, node, FindFilter)};
  filter.settings.value = fields.Number("value", {.min = -1e12, .max = 1e12}, 0);
  if (const auto season = fields.Optional("season")) {
    filter.settings.season = ReadFilterSeason(fields, *season);
  }
  filter.settings.period =
      fields.Number("period", {.min = 2.001, .max = kFilterPeriodMax}, filter.settings.period);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  return filter;
}

Result<RelatedMetric> ReadRelated(const Node& node) {
  Fields fields(node);
  RelatedMetric related;
  const std::string which = fields.Text("services");
  if (which != "previous" && which != "next") {
    fields.Check(node.Error(fmt::format("is of {}; write previous or next", Quoted(which))));
  }
  related.which = which == "next" ? RelatedServices::kNext : RelatedServices::kPrevious;
  const std::string name = fields.Text("correlator", "pearson");
  const auto found = FindCorrelator(name);
  if (found.ok()) related.correlator = found.value();
  if (!found.ok()) fields.Check(node.Error(found.status().message()));
  related.lag_max =
      fields.Integer<std::size_t>("lag_max", {.min = 1, .max = kLagMax}, related.lag_max);
  related.least = fields.Number("least", {.min = 0, .max = 1}, related.least);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  return related;
}

Result<MetricAggregation> ReadAggregation(const Node& node) {
  Fields fields(node);
  MetricAggregation aggregation{.aggregator =
                                    NamedPart<AggregatorEntry>(fields, node, FindAggregator)};
  aggregation.every = fields.Length("every");
  if (const auto share = fields.Optional("quantile")) {
    const auto percent = ReadShare(*share, {.whole = 100, .min = 1, .max = 100});
    fields.Check(percent.status());
    if (percent.ok()) {
      aggregation.settings.quantile = static_cast<double>(percent.value()) / 100;
    }
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (aggregation.every.count() == 0) return node.Error("has windows of no time; raise every");
  return aggregation;
}

Result<MetricForecast> ReadForecaster(const Node& node) {
  Fields fields(node);
  MetricForecast forecast{.method = NamedPart<ForecasterEntry>(fields, node, FindForecaster)};
  for (const Node& season : fields.OptionalItems("seasons")) {
    const auto points = season.Integer<std::size_t>({.min = 2, .max = kSeasonMax});
    fields.Check(points.status());
    if (points.ok()) forecast.seasons.push_back(points.value());
  }
  forecast.history = fields.Length("history", forecast.history);
  forecast.level = fields.Number("level", {.min = 0.01, .max = 0.9999}, forecast.level);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  const Status seasons = CheckSeasons(forecast.seasons);
  if (!seasons.ok()) return node.Error(seasons.message());
  if (forecast.history.count() == 0 || forecast.history > kHistoryMax) {
    return node.Error(fmt::format("looks at a history of {}; write more than 0 and at most {}",
                                  FormatDuration(forecast.history), FormatDuration(kHistoryMax)));
  }
  return forecast;
}

Result<GroupMetric> ReadGroupMetric(const Node& node) {
  Fields fields(node);
  GroupMetric metric{.name = fields.Name("name")};
  const std::string of = fields.Text("of", "");
  metric.of_application = of == "application";
  if (!metric.of_application) metric.of_service = of;
  metric.request_type = fields.Text("request_type", "");
  const auto filter = fields.Optional("filter");
  const auto related = fields.Optional("related");
  const auto aggregator = fields.Optional("aggregator");
  const auto forecaster = fields.Optional("forecaster");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (filter) {
    BERTH_TRY(metric.filter, ReadMetricFilter(*filter));
  }
  if (related) {
    BERTH_TRY(metric.related, ReadRelated(*related));
    if (metric.of_application) return related->Error("is of the application; leave it out");
  }
  if (aggregator) {
    BERTH_TRY(metric.aggregation, ReadAggregation(*aggregator));
  }
  metric.forecast.method = FindForecaster(kReactiveForecaster).value();
  if (forecaster) {
    BERTH_TRY(metric.forecast, ReadForecaster(*forecaster));
  }
  return metric;
}

}  // namespace

Result<std::vector<GroupMetric>> ReadGroupMetrics(const Node& group, std::span<const Node> items) {
  if (items.empty()) return group.Error("has no metrics; write at least one");
  if (items.size() > kPolicyMetricsMax) {
    return group.Error(
        fmt::format("has too many metrics; a group has at most {}", kPolicyMetricsMax));
  }
  std::vector<GroupMetric> metrics;
  metrics.reserve(items.size());
  FirstUses names;
  for (const Node& item : items) {
    BERTH_TRY(GroupMetric metric, ReadGroupMetric(item));
    BERTH_RETURN_IF_ERROR(names.Add(item, "metric", metric.name));
    metrics.push_back(std::move(metric));
  }
  return metrics;
}

}  // namespace berth
