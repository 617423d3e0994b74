#include "cli/plan_from_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/document.h"
#include "base/text.h"
#include "scale/capacity/price_file.h"
#include "scale/capacity/service_model.h"
#include "scale/space/autoscaler_file.h"
#include "scale/space/metric_table.h"

namespace berth {
namespace {

struct PlanQuestion {
  ScaledApplication application{};
  DeploymentState state{};
  MetricTable metrics{};
};

Result<std::uint32_t> InstancesNamed(std::string_view text) {
  const auto [count, error] = ParseInteger(text);
  if (error == std::errc() && count >= 0 && count <= kModelInstancesMax) {
    return static_cast<std::uint32_t>(count);
  }
  return Status(Code::kInvalidArgument,
                fmt::format("--instances: {} is no number of instances; write 0 to {}",
                            Quoted(text), FormatCount(kModelInstancesMax)));
}

// "web=12,search=6": those that are not named are as many as the model's least.
Status ReadInstances(std::string_view text, PlanQuestion& question) {
  for (const std::string_view part : Split(text, ',')) {
    const std::size_t equals = part.find('=');
    const std::string_view name = Trim(part.substr(0, equals));
    const auto& services = question.application.services;
    const auto found = std::ranges::find(services, name, &ScaledService::name);
    if (equals == std::string_view::npos || found == services.end()) {
      return {Code::kInvalidArgument,
              fmt::format("--instances: {} is no service of the model; write SERVICE=N,SERVICE=N",
                          Quoted(name))};
    }
    BERTH_TRY(question.state.ready[static_cast<std::size_t>(found - services.begin())],
              InstancesNamed(Trim(part.substr(equals + 1))));
  }
  return {};
}

// What runs now is taken to be on the nodes that hold it at the lowest price.
Status PlaceRunning(PlanQuestion& question) {
  const ScaledApplication& application = question.application;
  if (application.types.empty()) return {};
  std::vector<InstanceDemand> demands;
  demands.reserve(application.services.size());
  for (std::size_t s = 0; s < application.services.size(); ++s) {
    demands.push_back({.service = application.services[s].name,
                       .need = application.services[s].need,
                       .instances = question.state.ready[s]});
  }
  BERTH_TRY(VmMix mix, CheapestVmMix(demands, application.types));
  question.state.nodes = std::move(mix.groups);
  return {};
}

Result<PlanQuestion> ReadPlanQuestion(const Invocation& given) {
  PlanQuestion question;
  BERTH_TRY(const std::vector<ServiceModel> services, ReadModelFile(given.Text("--model")));
  for (const ServiceModel& service : services) {
    question.application.services.push_back(
        {.name = service.name, .need = service.need, .boot = service.boot});
    question.state.ready.push_back(service.instances_min);
    question.state.starting.push_back(0);
  }
  if (given.Has("--prices")) {
    BERTH_TRY(PriceList prices, ReadPriceFile(given.Text("--prices")));
    question.application.types = std::move(prices.types);
  }
  if (given.Has("--instances")) {
    BERTH_RETURN_IF_ERROR(ReadInstances(given.Text("--instances"), question));
  }
  BERTH_RETURN_IF_ERROR(PlaceRunning(question));
  BERTH_TRY(const std::string text, ReadText(given.Text("--load")));
  BERTH_TRY(question.metrics, ReadMetricTable(text, given.Text("--load"), question.application));
  return question;
}

}  // namespace

Result<ShownPlan> PlanFromFiles(const Invocation& given) {
  BERTH_TRY(PlanQuestion question, ReadPlanQuestion(given));
  BERTH_TRY(const AutoscalerSource source, AutoscalerSource::Read(given.Text("--policy")));
  BERTH_TRY(const auto autoscaler, source.Make(question.application));
  ScalingPlan plan = autoscaler->Decide(question.metrics.end(), question.state, question.metrics);
  return ShownPlan{.plan = std::move(plan), .application = std::move(question.application)};
}

}  // namespace berth
