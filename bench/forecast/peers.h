// R's forecast package on the same series in the same run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/forecast/series.h"
#include "forecast/forecaster.h"

namespace berth {

struct PeerForecast {
  std::size_t series = 0;
  double cpu_s = 0;
  Forecast forecast;
};

// By method, in the order of the series. Empty, with a word why, where R or the package is missing.
// Its ets takes seconds a series and its auto.arima up to minutes, so only so many get them.
std::map<std::string, std::vector<PeerForecast>> RunPeers(const std::vector<BenchSeries>& series,
                                                          std::size_t slow_count);

}  // namespace berth
