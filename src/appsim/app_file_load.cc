// How load is written in an application file.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "appsim/app_file_parts.h"
#include "appsim/load_pattern.h"
#include "base/lines.h"
#include "base/text.h"
#include "base/timestamp.h"
#include "forecast/read_series.h"

namespace berth {
namespace {

constexpr Range<double> kRates = {.min = 0, .max = kAppRateMax};

Result<RateSteps> ReadLevels(const Node& node, Duration duration) {
  BERTH_TRY(const std::vector<Node> items, node.Items());
  std::vector<LoadLevel> levels;
  levels.reserve(items.size());
  for (const Node& item : items) {
    Fields fields(item);
    levels.push_back({.length = fields.Length("for"), .rate = fields.Number("rate", kRates)});
    BERTH_RETURN_IF_ERROR(fields.Finish());
    if (levels.back().length.count() == 0) return item.Error("holds for no time; write for: 1m");
  }
  if (levels.empty()) return node.Error("has no levels; write at least one");
  return LevelRates(levels, duration);
}

Result<RateSteps> ReadSine(const Node& node, Duration duration) {
  Fields fields(node);
  const LoadSine sine{.period = fields.Length("period"),
                      .low = fields.Number("low", kRates),
                      .high = fields.Number("high", kRates)};
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (sine.period.count() == 0 || sine.high < sine.low) {
    return node.Error("has no period, or low above high; write them the other way round");
  }
  return SineRates(sine, duration);
}

// "all", one name or a list of them; as marks in the order of `names`.
template <std::size_t kSize>
Result<std::vector<bool>> ReadMarks(const std::optional<Node>& node,
                                    const std::array<std::string_view, kSize>& names) {
  std::vector<bool> marks(kSize, true);
  if (!node) return marks;
  std::vector<Node> items = {*node};
  if (node->kind() == Node::Kind::kList) {
    BERTH_TRY(items, node->Items());
  }
  marks.assign(kSize, false);
  for (const Node& item : items) {
    BERTH_TRY(const std::string_view name, item.Text());
    const auto found = std::ranges::find(names, name);
    if (found != names.end()) {
      marks[static_cast<std::size_t>(found - names.begin())] = true;
    } else if (name == "all") {
      marks.assign(kSize, true);
    } else if (kSize == 7 && (name == "weekday" || name == "weekend")) {
      for (std::size_t i = 0; i < kSize; ++i) {
        const bool weekend = i == 0 || i == 6;
        if (weekend == (name == "weekend")) marks[i] = true;
      }
    } else {
      return item.Error(
          fmt::format("{} is neither all nor one of {}", Quoted(name), fmt::join(names, ", ")));
    }
  }
  return marks;
}

Result<RateSteps> ReadSeasons(const Node& node, Duration duration) {
  constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                        "jul", "aug", "sep", "oct", "nov", "dec"};
  constexpr std::array<std::string_view, 7> kDays = {"sun", "mon", "tue", "wed",
                                                     "thu", "fri", "sat"};
  Fields fields(node);
  const std::string start = fields.Text("start");
  const std::vector<Node> items = fields.Items("days");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  const std::optional<std::int64_t> start_s = ParseTimestamp(start);
  if (!start_s || *start_s < 0) {
    return node.Error(fmt::format("start is {}; write a date as 2026-11-16 08:00:00, from 1970 on",
                                  Quoted(start)));
  }
  std::vector<LoadDay> days;
  days.reserve(items.size());
  for (const Node& item : items) {
    Fields parts(item);
    LoadDay day;
    auto months = ReadMarks(parts.Optional("months"), kMonths);
    auto weekdays = ReadMarks(parts.Optional("on"), kDays);
    parts.Check(months.status());
    parts.Check(weekdays.status());
    for (const Node& value : parts.Items("values")) {
      const Result<double> rate = value.Number(kRates);
      parts.Check(rate.status());
      day.values.push_back(rate.ok() ? rate.value() : 0);
    }
    BERTH_RETURN_IF_ERROR(parts.Finish());
    if (day.values.empty()) return item.Error("has no values; write at least one");
    day.months = std::move(months).value();
    day.weekdays = std::move(weekdays).value();
    days.push_back(std::move(day));
  }
  if (days.empty()) return node.Error("has no days; write at least one");
  auto steps = SeasonRates(days, *start_s, duration);
  if (!steps.ok()) return node.Error(steps.status().message());
  return steps;
}

Result<RateSteps> ReadTrace(const Node& node, Duration duration, const std::string& folder) {
  Fields fields(node);
  const std::string file = fields.Text("file");
  const double scale = fields.Number("scale", {.min = 0, .max = 1e9}, 1);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_TRY(LineReader lines, LineReader::Open(file.starts_with('/') ? file : folder + file));
  BERTH_TRY(const TimeSeries series, ReadSeries(std::move(lines)));
  return SeriesRates(series, scale, duration);
}

std::vector<double> ReadCoefficients(Fields& fields, std::string_view key) {
  std::vector<double> values;
  for (const Node& item : fields.OptionalItems(key)) {
    const Result<double> value = item.Number({.min = -1e6, .max = 1e6});
    fields.Check(value.status());
    values.push_back(value.ok() ? value.value() : 0);
  }
  return values;
}

Result<RateSteps> ReadSampled(const Node& node, Duration duration) {
  constexpr std::size_t kPeriodMax = 10'000;
  constexpr std::size_t kCoefficientsMax = 20;
  Fields fields(node);
  SampledLoad sampled{.step = fields.Length("step", std::chrono::seconds(1))};
  sampled.scale = fields.Number("scale", {.min = 0, .max = 1e9}, 1);
  sampled.seed = fields.Integer<std::uint64_t>("seed", {}, 1);
  SarimaModel& model = sampled.model;
  model.mean = fields.Number("mean", {.min = -1e9, .max = 1e9}, 0);
  model.variance = fields.Number("variance", {.min = 0, .max = 1e12}, 1);
  model.coefficients = {.ar = ReadCoefficients(fields, "ar"),
                        .ma = ReadCoefficients(fields, "ma"),
                        .seasonal_ar = ReadCoefficients(fields, "seasonal_ar"),
                        .seasonal_ma = ReadCoefficients(fields, "seasonal_ma")};
  model.order = {.p = model.coefficients.ar.size(),
                 .d = fields.Integer<std::size_t>("differences", {.max = 2}, 0),
                 .q = model.coefficients.ma.size(),
                 .seasonal_p = model.coefficients.seasonal_ar.size(),
                 .seasonal_d = fields.Integer<std::size_t>("seasonal_differences", {.max = 1}, 0),
                 .seasonal_q = model.coefficients.seasonal_ma.size(),
                 .period = fields.Integer<std::size_t>("period", {.min = 1, .max = kPeriodMax}, 1)};
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (sampled.step.count() == 0) return node.Error("has no step; write step: 1s");
  if (model.order.coefficients() > kCoefficientsMax) {
    return node.Error(fmt::format("has more than {} coefficients", kCoefficientsMax));
  }
  auto steps = SampledRates(sampled, duration);
  if (!steps.ok()) return node.Error(steps.status().message());
  return steps;
}

Result<RateSteps> ReadPattern(Fields& fields, const Node& node, Duration duration,
                              const std::string& folder) {
  std::vector<Result<RateSteps>> found;
  if (const auto rate = fields.Optional("rate")) {
    const Result<double> value = rate->Number(kRates);
    if (!value.ok()) return value.status();
    found.emplace_back(RateSteps{.step = duration, .rates = {value.value()}});
  }
  if (const auto levels = fields.Optional("levels")) {
    found.push_back(ReadLevels(*levels, duration));
  }
  if (const auto sine = fields.Optional("sine")) found.push_back(ReadSine(*sine, duration));
  if (const auto days = fields.Optional("seasonal")) found.push_back(ReadSeasons(*days, duration));
  if (const auto trace = fields.Optional("trace")) {
    found.push_back(ReadTrace(*trace, duration, folder));
  }
  if (const auto sarima = fields.Optional("sarima")) {
    found.push_back(ReadSampled(*sarima, duration));
  }
  if (found.size() != 1) {
    return node.Error("needs one of rate, levels, sine, seasonal, trace and sarima, and only one");
  }
  return std::move(found.front());
}

}  // namespace

Result<std::vector<AppLoad>> ReadAppLoads(const Node& node, const AppModel& model,
                                          const std::string& folder) {
  Fields fields(node);
  const Result<RateSteps> pattern = ReadPattern(fields, node, model.duration, folder);
  fields.Check(pattern.status());
  const double deviation = fields.Number("deviation", kRates, 0);
  const std::string arrivals = fields.Text("arrivals", "poisson");
  const std::vector<KeyedNode> shares = fields.Entries("requests");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (arrivals != "poisson" && arrivals != "even") {
    return node.Error(fmt::format("arrivals are poisson or even, not {}", Quoted(arrivals)));
  }
  std::vector<AppLoad> loads;
  loads.reserve(shares.size());
  for (const KeyedNode& entry : shares) {
    BERTH_TRY(const std::size_t type, FindRequestType(entry.value, model, entry.key));
    BERTH_TRY(const double share, entry.value.Number({.min = 0, .max = 1}));
    AppLoad load{
        .request_type = type,
        .step = pattern.value().step,
        .rates = pattern.value().rates,
        .deviation = deviation * share,
        .arrivals = arrivals == "even" ? AppLoad::Arrivals::kEven : AppLoad::Arrivals::kPoisson};
    for (double& rate : load.rates) rate *= share;
    loads.push_back(std::move(load));
  }
  return loads;
}

}  // namespace berth
