// Whatever bytes a scaling policy or a stored plan holds, it is read or refused by a message; what
// is read decides, and what it plans holds within its nodes and is stored and read again alike.
#include <chrono>
#include <string>

#include "berth/check.h"
#include "fuzz/target.h"
#include "scale/space/autoscaler_file.h"
#include "scale/space/metric_table.h"
#include "scale/space/scaling_plan.h"

namespace {

const std::string kFile = "fuzz.yaml";

berth::ScaledApplication OneService() {
  berth::Resources need;
  need[berth::Resource::kCpu] = 1'000;
  berth::Resources capacity;
  capacity[berth::Resource::kCpu] = 4'000;
  return {.services = {{.name = "web", .need = need}},
          .types = {{.provider = "p", .name = "n", .capacity = capacity, .hour_micros = 100}}};
}

berth::MetricTable SomeMetrics(const berth::ScaledApplication& application) {
  return berth::ReadMetricTable(
             "at_s,load,cpu,memory,response_time\n0,40,0.5,0.5,0.1\n60,60,0.7,0.6,0.2\n",
             "metrics.csv", application)
      .value();
}

void CheckPlan(const berth::ScalingPlan& plan, const berth::ScaledApplication& application) {
  for (const berth::PlannedState& state : plan.states) {
    for (const berth::VmGroup& group : state.nodes) BERTH_CHECK(group.instances[0] <= 4);
  }
  const std::string stored = berth::PlanToJson(plan, application);
  const auto again = berth::PlanFromJson(stored, kFile, application);
  BERTH_CHECK(again.ok() && berth::PlanToJson(again.value(), application) == stored);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const berth::ScaledApplication application = OneService();
  const auto plan = berth::PlanFromJson(text, kFile, application);
  if (!plan.ok()) BERTH_CHECK(plan.status().message().starts_with(kFile));
  const auto document = berth::ParseDocument(text, kFile);
  if (!document.ok()) return 0;
  const auto autoscaler = berth::ReadAutoscaler(document.value().root(), application);
  if (!autoscaler.ok()) {
    BERTH_CHECK(!autoscaler.status().message().empty());
    return 0;
  }
  const berth::MetricTable metrics = SomeMetrics(application);
  const berth::DeploymentState state{
      .ready = {2}, .starting = {0}, .nodes = {{.type = 0, .count = 1, .instances = {2}}}};
  CheckPlan(autoscaler.value()->Decide(metrics.end(), state, metrics), application);
  return 0;
}
