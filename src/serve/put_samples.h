// Takes samples into a zone, whoever brings them: a call, or what was asked of Prometheus.
#pragma once

#include "berth.pb.h"
#include "serve/handlers.h"

namespace berth {

inline constexpr int kSamplePointsMax = 10'000;

// On the thread that decides. The request lives as long as `respond`.
void PutSamples(Zone& zone, const v1::PutSamplesRequest& request,
                const Respond<v1::PutSamplesReply>& respond);

}  // namespace berth
