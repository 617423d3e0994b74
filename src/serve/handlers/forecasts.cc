#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/text.h"
#include "forecast/compare.h"
#include "forecast/seasons.h"
#include "serve/handlers/builtin.h"
#include "serve/sampled_series.h"

namespace berth {
namespace {

constexpr std::uint32_t kForecastHorizonMax = 1'000;
constexpr std::uint32_t kForecastHorizonOtherwise = 24;
constexpr std::uint32_t kLevelOtherwise = 95;
// A series of the 35 days that samples are kept.
constexpr std::size_t kForecastWindowsMax = 10'080;

struct WantedForecast {
  SeriesName name;
  Duration step{};
  const ForecasterEntry* method = nullptr;
  bool method_given = false;
  std::string season = {};
  BacktestOptions options = {};
};

Result<const ForecasterEntry*> MethodNamed(const std::string& name) {
  auto method = FindForecaster(name.empty() ? kChoosingForecaster : name);
  if (method.ok() || name.find(' ') == std::string::npos) return method;
  return Status(
      Code::kInvalidArgument,
      fmt::format("there is no method {}; in an address a + is written %2B", Quoted(name)));
}

Result<WantedForecast> ReadWanted(const v1::GetForecastRequest& request) {
  WantedForecast wanted{.name = {request.subject(), request.metric()}};
  BERTH_RETURN_IF_ERROR(Samples::CheckMetric(request.metric()));
  const std::uint32_t minutes = request.step_minutes() == 0 ? 60 : request.step_minutes();
  if (minutes != 60 && minutes != 5) {
    return Status(Code::kInvalidArgument, fmt::format("step_minutes is {}; give 60 or 5", minutes));
  }
  wanted.step = std::chrono::minutes(minutes);
  const std::uint32_t horizon =
      request.horizon() == 0 ? kForecastHorizonOtherwise : request.horizon();
  if (horizon > kForecastHorizonMax) {
    return Status(Code::kInvalidArgument,
                  fmt::format("horizon is {}, and {} is the most", horizon, kForecastHorizonMax));
  }
  wanted.options.horizon = horizon;
  const std::uint32_t percent =
      request.level_percent() == 0 ? kLevelOtherwise : request.level_percent();
  if (percent > 99) {
    return Status(Code::kInvalidArgument,
                  fmt::format("level_percent is {}; give 1 to 99", percent));
  }
  wanted.options.level = percent / 100.0;
  wanted.method_given = !request.method().empty();
  wanted.season = request.season();
  BERTH_TRY(wanted.method, MethodNamed(request.method()));
  return wanted;
}

void ToMessage(const ForecastScores& scores, v1::ForecastScore& message) {
  message.set_points(static_cast<std::uint32_t>(scores.points));
  message.set_interval_score(scores.interval_score);
  message.set_coverage(scores.coverage);
  if (scores.mase) message.set_mase(*scores.mase);
  if (scores.msis) message.set_msis(*scores.msis);
}

std::string ReasonOf(const MethodForecast& one, const TimeSeries& series,
                     const WantedForecast& wanted) {
  if (one.used != one.method) {
    return fmt::format("{} needs {}, and there are {}", one.method,
                       Plural(wanted.method->points_min, "point"), series.values.size());
  }
  if (!one.reason.empty()) return one.reason;
  return wanted.method_given ? "asked for" : "the method where none is asked for";
}

// What is older than two steps is foreseen into the past.
std::vector<std::string> NotesOnAge(const TimeSeries& series, std::size_t horizon, Time now) {
  const Time end = series.start + series.step * static_cast<std::int64_t>(series.values.size());
  if (now - end <= 2 * series.step) return {};
  const auto past = static_cast<std::size_t>((now - end) / series.step);
  return {fmt::format(
      "the last point ended {} ago: {} past",
      FormatDuration(std::chrono::floor<std::chrono::minutes>(now - end)),
      past >= horizon ? "all that is foreseen is" : fmt::format("the first {} points are", past))};
}

v1::SeriesForecast ToMessage(const MethodForecast& one, const TimeSeries& series,
                             const WantedForecast& wanted) {
  v1::SeriesForecast message;
  message.set_method(std::string(one.used));
  message.set_fitted(one.description);
  message.set_reason(ReasonOf(one, series, wanted));
  message.set_history(static_cast<std::uint32_t>(series.values.size()));
  for (const std::size_t season : one.seasons) {
    message.add_seasons(static_cast<std::uint32_t>(season));
  }
  if (one.backtest) ToMessage(*one.backtest, *message.mutable_backtest());
  for (const std::string& note : one.notes) message.add_notes(note);
  const ForecastBand& band = one.forecast.bands.front();
  message.set_level_percent(static_cast<std::uint32_t>(std::lround(100 * band.level)));
  for (std::size_t h = 0; h < one.forecast.mean.size(); ++h) {
    v1::ForecastPoint& point = *message.add_points();
    const Time at =
        series.start + series.step * static_cast<std::int64_t>(series.values.size() + h);
    point.set_at_ms(ToMicros(at) / 1'000);
    point.set_mean(one.forecast.mean[h]);
    point.set_lower(band.lower[h]);
    point.set_upper(band.upper[h]);
  }
  return message;
}

// How many there were.
std::size_t TakeOutBeyond(std::vector<Window>& windows) {
  return std::erase_if(
      windows, [](const Window& window) { return !(std::abs(window.mean()) <= kSeriesValueMax); });
}

Result<v1::SeriesForecast> ForecastOf(std::vector<Window> windows, WantedForecast wanted,
                                      Time now) {
  const std::size_t beyond = TakeOutBeyond(windows);
  BERTH_TRY(const TimeSeries series, SeriesOfWindows(windows, wanted.step, now));
  BERTH_TRY(wanted.options.fit.seasons, SeasonsNamed(wanted.season, series));
  wanted.options.fit.cost_max = kLiveFitCostMax;
  BERTH_TRY(const auto compared,
            CompareMethods(std::span(&wanted.method, 1), series, wanted.options));
  v1::SeriesForecast message = ToMessage(compared.front(), series, wanted);
  for (std::string& note : NotesOnAge(series, wanted.options.horizon, now))
    *message.add_notes() = std::move(note);
  if (beyond > 0) {
    message.add_notes(fmt::format("{} of samples beyond {:g} taken as a gap",
                                  Plural(beyond, "window"), kSeriesValueMax));
  }
  return message;
}

void Foresee(Zone& zone, const CallOptions& options, const v1::GetForecastRequest& request,
             const Respond<v1::SeriesForecast>& respond) {
  Result<WantedForecast> wanted = ReadWanted(request);
  if (!wanted.ok()) return respond(wanted.status());
  // The windows on their thread, then the forecast where it delays nobody.
  zone.observer().Use([&zone, wanted = std::move(wanted).value(), deadline = options.deadline,
                       respond](Samples& samples, Time now) {
    Result<std::vector<Window>> windows =
        samples.Read(wanted.name, now - kObservationsKept, now, kForecastWindowsMax);
    if (!windows.ok()) return respond(windows.status());
    const Status posted = zone.foreseer().Post(
        deadline, [wanted, respond, now, windows = std::move(windows).value()](const Status& turn) {
          if (!turn.ok()) return respond(turn);
          respond(ForecastOf(windows, wanted, now));
        });
    if (!posted.ok()) respond(posted);
  });
}

}  // namespace

void AddForecastHandlers(HandlerTable& table) { AddHandler(table, "GetForecast", Foresee); }

}  // namespace berth
