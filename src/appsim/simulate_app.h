// One run of an application in one region.
#pragma once

#include <cstddef>
#include <cstdint>

#include "appsim/app_model.h"
#include "appsim/app_outcome.h"
#include "scale/space/autoscaler.h"

namespace berth {

struct AppRun {
  std::size_t region = 0;
  std::uint64_t seed = 1;
  Autoscaler* autoscaler = nullptr;  // None: what there is at first stays.
  RequestSink* sink = nullptr;       // None: nobody wants to know of single requests.
};

// Exact: no steps of time. The same model, seed and decisions give the same outcome to the byte. A
// request's draws depend on the seed, its type and its number alone, so that two policies are
// compared on the same requests.
Result<AppOutcome> SimulateApp(const AppModel& model, const AppRun& run);

// What a policy is told of an application.
ScaledApplication ScaledFrom(const AppModel& model);

}  // namespace berth
