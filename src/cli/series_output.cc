#include "cli/series_output.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/text.h"
#include "forecast/write_series.h"

namespace berth {

Result<double> DecimalOption(const Invocation& given, std::string_view name) {
  const auto [value, error] = ParseNumber(given.Text(name));
  if (error == std::errc()) return value;
  return Status(Code::kInvalidArgument,
                fmt::format("{} is a number, not {}", name, Quoted(given.Text(name))));
}

int PrintSeries(const Invocation& given, Console& console, const Result<TimeSeries>& series) {
  if (!series.ok()) return console.Fail(series.status());
  if (!given.Has("--json")) {
    console.out << ToCsv(series.value());
    return kExitOk;
  }
  nlohmann::ordered_json points = nlohmann::ordered_json::array();
  Time at = series.value().start;
  for (const double value : series.value().values) {
    const auto shown = std::isnan(value) ? nlohmann::ordered_json() : nlohmann::ordered_json(value);
    points.push_back({{"at_ms", ToMicros(at) / 1'000}, {"value", shown}});
    at += series.value().step;
  }
  console.out << points.dump(2) << '\n';
  return kExitOk;
}

}  // namespace berth
