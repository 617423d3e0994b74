// What a related service tells ahead of time: where its metric comes first and this service's
// follows so much later, the last points of the one are the next points of the other.
#pragma once

#include <string>

#include "berth/status.h"
#include "forecast/series.h"
#include "scale/space/space_policy.h"

namespace berth {

struct RelatedLead {
  std::int64_t lag = 0;  // By how many points this one is behind: how many were added.
  double correlation = 0;
  TimeSeries series{};  // With the points added.
};

// The lag with the greatest correlation; `own` over `related` so much earlier is a straight line by
// least squares, on which the points after the last one are. Both have the same step. Not found if
// this one is not behind, or the correlation is too low.
Result<RelatedLead> LeadByRelated(const RelatedMetric& settings, const TimeSeries& own,
                                  const TimeSeries& related);

}  // namespace berth
