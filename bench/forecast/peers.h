// R's forecast package and statsmodels on the same series in the same run.
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

// By method, in the order of the series. Without those of a peer, and with a word why, where it is
// missing. R's ets takes seconds a series and its auto.arima up to minutes, as does statsmodels'
// SARIMAX, so only so many get them.
std::map<std::string, std::vector<PeerForecast>> RunPeers(const std::vector<BenchSeries>& series,
                                                          std::size_t slow_count);

}  // namespace berth
