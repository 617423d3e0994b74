#include <fmt/format.h>

#include <ostream>

#include "base/text.h"
#include "cli/client.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "forecast/forecaster.h"
#include "report/table.h"
#include "serve/http_route.h"

namespace berth {
namespace {

std::string ScoreInWords(const v1::SeriesForecast& forecast) {
  if (!forecast.has_backtest()) return "Not tried: the history is too short to hold anything out.";
  const v1::ForecastScore& score = forecast.backtest();
  return fmt::format("Tried on the last {}: interval score {:.4g}, {} within the band.",
                     Plural(score.points(), "point"), score.interval_score(),
                     FormatPercent(score.coverage()));
}

Table PointsTable(const v1::SeriesForecast& forecast) {
  const auto bound = [&](std::string_view which) {
    return TableColumn{.name = fmt::format("{} % {}", forecast.level_percent(), which),
                       .right_aligned = true};
  };
  Table table{.title = fmt::format("{}: {}", forecast.method(), forecast.fitted()),
              .columns = {{.name = "begins"},
                          {.name = "mean", .right_aligned = true},
                          bound("lower"),
                          bound("upper")}};
  for (const v1::ForecastPoint& point : forecast.points()) {
    table.rows.push_back({FormatTime(Time(std::chrono::milliseconds(point.at_ms()))), point.mean(),
                          point.lower(), point.upper()});
  }
  return table;
}

Result<v1::SeriesForecast> AskForForecast(const Invocation& given) {
  v1::GetForecastRequest request;
  request.set_subject(given.Text("SUBJECT"));
  request.set_metric(given.Text("METRIC"));
  BERTH_TRY(const std::uint32_t minutes, given.NumberWithin("--step", 5, 60));
  BERTH_TRY(const std::uint32_t horizon, given.NumberWithin("--horizon", 1, 1'000));
  BERTH_TRY(const std::uint32_t percent, given.NumberWithin("--level", 1, 99));
  request.set_step_minutes(minutes);
  request.set_horizon(horizon);
  request.set_level_percent(percent);
  request.set_method(given.Text("--method"));
  if (given.Has("--season")) request.set_season(given.Text("--season"));
  BERTH_TRY(const std::unique_ptr<Client> client, Client::Connect(given));
  return client->Call(&v1::Berth::Stub::GetForecast, request);
}

int RunGetForecast(const Invocation& given, Console& console) {
  const Result<v1::SeriesForecast> asked = AskForForecast(given);
  if (!asked.ok()) return console.Fail(asked.status());
  const v1::SeriesForecast& forecast = asked.value();
  if (given.Has("--json")) {
    console.out << ToJson(forecast) << '\n';
    return kExitOk;
  }
  console.out << FormatTable(PointsTable(forecast)) << '\n'
              << fmt::format("Why: {}.\n", forecast.reason()) << ScoreInWords(forecast) << '\n';
  for (const std::string& note : forecast.notes()) console.out << fmt::format("Note: {}.\n", note);
  return kExitOk;
}

}  // namespace

Command GetForecastCommand() {
  return {
      .words = "get forecast",
      .summary = "show what a server foresees of an instance's usage or a service's load",
      .arguments = {{"SUBJECT", "an instance, like web/3, or a service"},
                    {"METRIC", "such as cpu_milli; 'berth get series' lists them"}},
      .options = {{"--step", "N", "minutes between points: 60 or 5", false, "60"},
                  {"--horizon", "N", "how many points; as many are held out for the score", false,
                   "24"},
                  {"--level", "N", "of the band, in percent", false, "95"},
                  {"--method", "NAME", "see `berth list forecasters`", false, kChoosingForecaster},
                  {"--season", "LIST",
                   "in points, as 24,168; auto: found in the series; none; otherwise a day and "
                   "a week"},
                  kServerOption,
                  kTokenOption,
                  kCaOption,
                  kCertOption,
                  kJsonOption},
      .examples = {"berth get forecast shop requests_per_second --horizon 12"},
      .run = RunGetForecast};
}

}  // namespace berth
