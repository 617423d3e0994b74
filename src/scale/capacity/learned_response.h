// Response times as measurements taught them to a model that berth model fit wrote.
//
// A row of measurements has, of a service,
//
//   NAME.load_rps      requests a second of all instances together
//   NAME.instances     how many there were
//   NAME.utilisation   of each, 1 when it can serve no more
//   NAME.response_ms   what they took
#pragma once

#include <memory>
#include <string>

#include "perfmodel/model_set.h"
#include "scale/capacity/service_model.h"

namespace berth {

// Predicts response times of the service from some or all of the other three, and from nothing
// else. Where fewer instances, or more load or utilisation, are asked about than were measured, it
// answers infinity; in the other direction with the nearest that was, which is not better.
Result<std::unique_ptr<ResponseModel>> NewLearnedResponse(PerformanceModelSet models,
                                                          const std::string& service);

}  // namespace berth
