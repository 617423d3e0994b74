// Application files: whatever bytes a file holds, it is refused by name or read; and a small
// application that reads is simulated, and every request is answered, lost or under way.
#include <algorithm>
#include <string>

#include "appsim/app_file.h"
#include "appsim/simulate_app.h"
#include "berth/check.h"
#include "fuzz/target.h"

namespace {

using namespace berth;  // NOLINT(google-build-using-namespace): a program of its own.

// Whether a run of it takes milliseconds.
bool IsSmall(const AppModel& model) {
  if (model.duration > std::chrono::seconds(2)) return false;
  double rate = 0, nodes = 0;
  for (const AppLoad& load : model.regions.front().loads) {
    for (const double step : load.rates) rate = std::max(rate, step + 10 * load.deviation);
  }
  for (const VmGroup& group : model.regions.front().deployment) {
    nodes += static_cast<double>(group.count);
  }
  return rate < 200 && nodes < 100 && model.regions.front().loads.size() < 5;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const Result<AppModel> model = ParseAppFile(text, "fuzz");
  if (!model.ok()) {
    BERTH_CHECK(!model.status().message().empty());
    return 0;
  }
  if (!IsSmall(model.value())) return 0;
  const Result<AppOutcome> outcome = SimulateApp(model.value(), {});
  BERTH_CHECK(outcome.ok());
  std::uint64_t sent = 0, ended = outcome.value().unfinished;
  for (const TypeOutcome& type : outcome.value().types) {
    sent += type.sent;
    ended += type.answered + type.Lost();
  }
  BERTH_CHECK(sent == ended);
  return 0;
}
