// Windows of samples as a series that can be forecast.
#pragma once

#include <span>

#include "berth/status.h"
#include "berth/time.h"
#include "forecast/series.h"
#include "usage/window.h"

namespace berth {

// The windows' averages, or those of whole hours where the step is longer. Windows without samples
// are gaps. What has not ended by `now` is left out: half a window says half of it. So is a first
// hour that was sampled only from some time on, unless there is no other. kNotFound if nothing
// remains.
Result<TimeSeries> SeriesOfWindows(std::span<const Window> windows, Duration step, Time now);

}  // namespace berth
