#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "appsim/multiverse/read_parts.h"
#include "base/text.h"

namespace berth::multiverse {
namespace {

constexpr double kRequestsMax = 1e9;
constexpr std::size_t kLevelsMax = 100'000;
constexpr std::size_t kOrderMax = 50;
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

Status ReadSteps(const Node& node, LoadPattern& pattern) {
  Fields fields(node);
  pattern.kind = LoadPattern::Kind::kSteps;
  pattern.length =
      ReadFieldOr<Duration>(fields, "step_duration", ReadPositiveLength, std::chrono::minutes(1));
  pattern.unit = ReadFieldOr<Duration>(fields, "unit_of_time_for_requests_rate", ReadPositiveLength,
                                       std::chrono::seconds(1));
  const std::vector<Node> levels = fields.Items("values");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_RETURN_IF_ERROR(CheckCount(*node.Find("values"), levels.size(), kLevelsMax, "levels"));
  pattern.levels.reserve(levels.size());
  for (const Node& item : levels) {
    Fields parts(item);
    StepLevel level;
    level.requests = parts.Number("requests_count_level", {.min = 0, .max = kRequestsMax});
    level.share = parts.Number("percentage_of_interval", {.min = 0, .max = 1});
    BERTH_RETURN_IF_ERROR(parts.Finish());
    pattern.levels.push_back(level);
  }
  return {};
}

std::size_t TrendTerms(std::string_view trend) { return trend == "n" ? 0 : trend.size(); }

Status ReadOrders(const Node& node, SarimaSpec& sarima) {
  Fields fields(node);
  const Range<std::size_t> range = {.min = 0, .max = kOrderMax};
  sarima.p = fields.Integer<std::size_t>("p", range, 0);
  sarima.d = fields.Integer<std::size_t>("d", {.min = 0, .max = 2}, 0);
  sarima.q = fields.Integer<std::size_t>("q", range, 0);
  sarima.seasonal_p = fields.Integer<std::size_t>("P", range, 0);
  sarima.seasonal_d = fields.Integer<std::size_t>("D", {.min = 0, .max = 2}, 0);
  sarima.seasonal_q = fields.Integer<std::size_t>("Q", range, 0);
  return fields.Finish();
}

Status ReadSarimaModel(const Node& node, SarimaSpec& sarima) {
  Fields fields(node);
  const Duration period =
      ReadFieldOr<Duration>(fields, "period", ReadPositiveLength, sarima.resolution);
  const std::optional<Node> trend = fields.Optional("trend");
  sarima.trend = "n";
  if (trend && trend->kind() != Node::Kind::kNull) sarima.trend = fields.Text("trend");
  if (const std::optional<Node> orders = fields.Required("parameters")) {
    fields.Check(ReadOrders(*orders, sarima));
  }
  const std::vector<Node> coefficients = fields.Items("coefficients");
  fields.Optional("initialization");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (sarima.trend != "n" && sarima.trend != "c" && sarima.trend != "t" && sarima.trend != "ct") {
    return trend->Error(
        fmt::format("{} is no trend; use null, n, c, t or ct", Quoted(sarima.trend)));
  }
  sarima.period = static_cast<std::size_t>(period / sarima.resolution);
  if (sarima.period == 0 || sarima.period > kLevelsMax) {
    return node.Find("period")->Error("must be 1 to 100,000 times the resolution");
  }
  sarima.coefficients.reserve(coefficients.size());
  for (const Node& item : coefficients) {
    BERTH_TRY(const double value, item.Number({.min = -1e6, .max = 1e6}));
    sarima.coefficients.push_back(value);
  }
  const std::size_t wanted =
      TrendTerms(sarima.trend) + sarima.p + sarima.q + sarima.seasonal_p + sarima.seasonal_q + 1;
  if (sarima.coefficients.size() != wanted || sarima.coefficients.back() < 0) {
    return node.Find("coefficients")
        ->Error(fmt::format("must be {} numbers: of the trend, AR, MA, seasonal AR, seasonal MA, "
                            "and last the variance, which is not negative",
                            wanted));
  }
  return {};
}

Status ReadSarima(const Node& node, LoadPattern& pattern) {
  Fields fields(node);
  pattern.kind = LoadPattern::Kind::kSarima;
  SarimaSpec& sarima = pattern.sarima;
  sarima.head_start = ReadFieldOr<Duration>(fields, "head_start", ReadLength, Duration::zero());
  sarima.cooldown_end = ReadFieldOr<Duration>(fields, "cooldown_end", ReadLength, Duration::zero());
  sarima.duration = ReadField<Duration>(fields, "duration", ReadPositiveLength);
  sarima.resolution =
      ReadFieldOr<Duration>(fields, "resolution", ReadPositiveLength, std::chrono::seconds(1));
  sarima.scale = fields.Number("scale_per_resolution", {.min = 0, .max = kRequestsMax}, 1'000);
  const std::optional<Node> model = fields.Required("model");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  return ReadSarimaModel(*model, sarima);
}

Status ReadSingleValue(const Node& node, LoadPattern& pattern) {
  Fields fields(node);
  pattern.kind = LoadPattern::Kind::kSingleValue;
  pattern.value = fields.Number("value", {.min = 0, .max = kRequestsMax});
  pattern.length = ReadField<Duration>(fields, "interval_of_time", ReadPositiveLength);
  pattern.unit = ReadFieldOr<Duration>(fields, "unit_of_time", ReadPositiveLength, pattern.length);
  return fields.Finish();
}

Result<std::int32_t> ReadMonth(const Node& node) {
  BERTH_TRY(const std::string_view text, node.Text());
  if (text == "all") return 0;
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (kMonths[i] == text) return static_cast<std::int32_t>(i + 1);
  }
  return node.Error(fmt::format("{} is no month; use all, or Jan to Dec", Quoted(text)));
}

Result<SeasonalDay> ReadSeasonalDay(const Node& node) {
  Fields fields(node);
  SeasonalDay day;
  day.month = ReadFieldOr<std::int32_t>(fields, "month", ReadMonth, 0);
  const std::string days = fields.Text("day_of_week", "all");
  const std::vector<Node> values = fields.Items("values");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (days != "all" && days != "weekday" && days != "weekend") {
    return node.Find("day_of_week")->Error("must be weekday, weekend or all");
  }
  day.weekdays = days != "weekend";
  day.weekends = days != "weekday";
  BERTH_RETURN_IF_ERROR(CheckCount(*node.Find("values"), values.size(), 86'400, "values"));
  day.values.reserve(values.size());
  for (const Node& item : values) {
    BERTH_TRY(const double value, item.Number({.min = 0, .max = kRequestsMax}));
    day.values.push_back(value);
  }
  return day;
}

Status ReadSeasonal(const Node& node, LoadPattern& pattern) {
  pattern.kind = LoadPattern::Kind::kSeasonal;
  BERTH_TRY(const std::vector<Node> days, node.Items());
  BERTH_RETURN_IF_ERROR(CheckCount(node, days.size(), kLevelsMax, "days"));
  pattern.days.reserve(days.size());
  for (const Node& item : days) {
    BERTH_TRY(SeasonalDay day, ReadSeasonalDay(item));
    pattern.days.push_back(std::move(day));
  }
  return {};
}

Status ReadPattern(const Node& node, bool seasonal, LoadPattern& pattern) {
  Fields fields(node);
  const std::string type = fields.Text("type");
  const std::optional<Node> params = fields.Required("params");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (seasonal && type == "values") return ReadSeasonal(*params, pattern);
  if (!seasonal && type == "step") return ReadSteps(*params, pattern);
  if (!seasonal && type == "arima") return ReadSarima(*params, pattern);
  if (!seasonal && type == "single_value") return ReadSingleValue(*params, pattern);
  return node.Find("type")->Error(fmt::format("{} is no pattern of a {} load; use {}", Quoted(type),
                                              seasonal ? "seasonal" : "leveled",
                                              seasonal ? "values" : "step, arima or single_value"));
}

Result<RequestShare> ReadShare(const Node& node, const ApplicationSpec& app) {
  Fields fields(node);
  RequestShare share;
  const std::optional<Node> type = fields.Required("request_type");
  if (const std::optional<Node> config = fields.Required("load_config")) {
    Fields parts(*config);
    share.ratio = parts.Number("ratio", {.min = 0, .max = 1});
    if (const std::optional<Node> slices = parts.Optional("sliced_distribution")) {
      Fields of_slices(*slices);
      if (of_slices.Text("type") != "normal") {
        of_slices.Check(slices->Error("the type of a sliced distribution must be normal"));
      }
      if (const std::optional<Node> params = of_slices.Optional("params")) {
        Fields of_params(*params);
        share.deviation = of_params.Number("sigma", {.min = 0, .max = kRequestsMax}, 0);
        of_slices.Check(of_params.Finish());
      }
      parts.Check(of_slices.Finish());
    }
    fields.Check(parts.Finish());
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_TRY(share.request, FindRequest(*type, app));
  return share;
}

Status ReadRegionLoad(const Node& node, bool seasonal, const SimulationSet& set, LoadSpec& load) {
  Fields fields(node);
  const std::optional<Node> name = fields.Required("region_name");
  const std::optional<Node> pattern_node = fields.Required("pattern");
  const std::vector<Node> shares = fields.Items("load_configs");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_TRY(const std::size_t region, FindRegion(*name, set));
  if (load.has_load[region]) return name->Error("this region has two loads");
  LoadPattern& pattern = load.patterns[region];
  BERTH_RETURN_IF_ERROR(ReadPattern(*pattern_node, seasonal, pattern));
  double sum = 0;
  pattern.shares.reserve(shares.size());
  for (const Node& item : shares) {
    BERTH_TRY(const RequestShare share, ReadShare(item, set.application));
    sum += share.ratio;
    pattern.shares.push_back(share);
  }
  if (std::abs(sum - 1) > 1e-9) {
    return node.Find("load_configs")
        ->Error(fmt::format("the ratios of a region must sum to 1, these to {}", sum));
  }
  load.has_load[region] = true;
  return {};
}

}  // namespace

Result<LoadSpec> ReadLoad(const Node& node, const SimulationSet& set) {
  Fields fields(node);
  LoadSpec load;
  const std::string kind = fields.Text("load_kind");
  load.batch = fields.Integer<std::uint32_t>("batch_size", {.min = 1, .max = 1'000'000}, 1);
  if (const std::optional<Node> bucket = fields.Optional("generation_bucket")) {
    Result<Duration> length = ReadPositiveLength(*bucket);
    fields.Check(length.status());
    if (length.ok()) load.bucket = length.value();
  }
  const std::vector<Node> regions = fields.Items("regions_configs");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (kind != "leveled" && kind != "seasonal") {
    return node.Find("load_kind")->Error("must be leveled or seasonal");
  }
  load.patterns.resize(set.regions.size());
  load.has_load.assign(set.regions.size(), false);
  for (const Node& item : regions) {
    BERTH_RETURN_IF_ERROR(ReadRegionLoad(item, kind == "seasonal", set, load));
  }
  return load;
}

}  // namespace berth::multiverse
