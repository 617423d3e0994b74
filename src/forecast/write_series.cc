#include "forecast/write_series.h"

#include <fmt/format.h>

#include <cmath>

namespace berth {

std::string ToCsv(const TimeSeries& series) {
  std::string csv = "at_ms,value\n";
  Time at = series.start;
  for (const double value : series.values) {
    csv += std::to_string(ToMicros(at) / 1'000) + ',';
    csv += std::isnan(value) ? "\n" : fmt::format("{}\n", value);
    at += series.step;
  }
  return csv;
}

}  // namespace berth
