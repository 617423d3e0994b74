// Whatever bytes a file of what was learned holds, it is taken up or refused by an error that names
// the file, and what was known before is kept; what is taken up decides. Inputs are the content
// without its checksum, which would refuse all but a few.
#include <string>

#include "base/checked_bytes.h"
#include "base/document.h"
#include "berth/check.h"
#include "fuzz/target.h"
#include "scale/space/autoscaler_file.h"
#include "scale/space/learned_file.h"
#include "scale/space/metric_table.h"

namespace {

constexpr std::string_view kFile = "fuzz.learned";

constexpr std::string_view kPolicy = R"(
autoscaler: space
step: 1m
horizon: 2m
services:
  default:
    max: 10
    groups:
      - name: learned
        calculator:
          name: learning
          model: sgd
          objective: {metric: response_time, at_most: 0.2}
          fallback: {name: ratio, metric: cpu, target: 0.5}
        metrics: [{name: cpu}]
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const berth::ScaledApplication application{.services = {{.name = "web"}}};
  const auto document = berth::ParseDocument(kPolicy, "policy.yaml");
  const auto autoscaler = berth::ReadAutoscaler(document.value().root(), application).value();
  const auto metrics = berth::ReadMetricTable("at_s,cpu,response_time\n0,0.5,0.1\n60,0.7,0.2\n",
                                              "metrics.csv", application)
                           .value();
  const std::string content(data, data + size);
  for (const std::string& bytes : {content, berth::WithChecksum(content)}) {
    const std::string before = autoscaler->SaveLearned();
    const berth::Status status = berth::RestoreFromLearned(bytes, kFile, *autoscaler);
    if (!status.ok()) {
      BERTH_CHECK(status.message().starts_with(kFile));
      BERTH_CHECK(autoscaler->SaveLearned() == before);
      continue;
    }
    autoscaler->Decide(metrics.end(), {.ready = {2}, .starting = {0}}, metrics);
    const std::string learned = autoscaler->SaveLearned();
    BERTH_CHECK(autoscaler->RestoreLearned(learned).ok());
    BERTH_CHECK(autoscaler->SaveLearned() == learned);
  }
  return 0;
}
