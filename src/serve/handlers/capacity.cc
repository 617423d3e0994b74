#include <fmt/format.h>

#include "scale/capacity/capacity_answer.h"
#include "serve/handlers/builtin.h"

namespace berth {
namespace {

// A plan takes a processor for as long as it takes: what a caller may ask for takes seconds.
constexpr std::size_t kCapacityStepsMax = 168;
constexpr std::size_t kCapacityServicesMax = 10;
constexpr std::size_t kCapacityTypesMax = 50;

Status CheckAtMost(std::string_view what, std::size_t count, std::size_t most) {
  if (count <= most) return {};
  return {Code::kInvalidArgument,
          fmt::format("there are {} {}, and {} are the most", count, what, most)};
}

Result<CapacityQuestion> QuestionOf(const v1::PlanCapacityRequest& request) {
  CapacityQuestion question{.provider = request.provider()};
  BERTH_TRY(question.load, ParseLoadForecast(request.forecast(), "forecast"));
  BERTH_TRY(question.services, ParseModelFile(request.model(), "model"));
  BERTH_TRY(question.prices, ParsePriceFile(request.prices(), "prices"));
  BERTH_RETURN_IF_ERROR(CheckAtMost("steps", question.load.points.size(), kCapacityStepsMax));
  BERTH_RETURN_IF_ERROR(CheckAtMost("services", question.services.size(), kCapacityServicesMax));
  BERTH_RETURN_IF_ERROR(CheckAtMost("VM types", question.prices.types.size(), kCapacityTypesMax));
  const double quantile = request.quantile();
  question.quantile = quantile == 0 ? UpperQuantile(question.load.level) : quantile;
  if (!(question.quantile > 0 && question.quantile < 1)) {
    return Status(Code::kInvalidArgument,
                  fmt::format("quantile is {}; write one above 0 and below 1", quantile));
  }
  return question;
}

double CostInUnits(double micros) { return micros / static_cast<double>(kMicros); }

void CountsToMessage(const CapacityAnswer& answer, const std::vector<std::uint64_t>& counts,
                     google::protobuf::Map<std::string, std::uint64_t>& message) {
  for (std::size_t t = 0; t < counts.size(); ++t) {
    if (counts[t] > 0) message[answer.types[t].FullName()] = counts[t];
  }
}

void StepToMessage(const CapacityAnswer& answer, const PlanStep& step, v1::CapacityStep& message) {
  message.set_at_ms(ToMicros(step.at) / 1'000);
  message.set_load(step.load);
  for (std::size_t s = 0; s < answer.services.size(); ++s) {
    (*message.mutable_instances())[answer.services[s]] = step.instances[s];
  }
  CountsToMessage(answer, step.vms, *message.mutable_vms());
  CountsToMessage(answer, step.started, *message.mutable_started());
  CountsToMessage(answer, step.stopped, *message.mutable_stopped());
  message.set_order_by_ms(ToMicros(step.order_by) / 1'000);
  message.set_cost(CostInUnits(step.cost_micros));
}

void CostToMessage(std::string name, const std::optional<double>& cost_micros,
                   v1::CapacityCost& message) {
  message.set_name(std::move(name));
  message.set_possible(cost_micros.has_value());
  message.set_cost(CostInUnits(cost_micros.value_or(0)));
}

Result<v1::PlanCapacityReply> CapacityPlanFor(const v1::PlanCapacityRequest& request) {
  BERTH_TRY(const CapacityQuestion question, QuestionOf(request));
  BERTH_TRY(const CapacityAnswer answer, AnswerCapacity(question));
  v1::PlanCapacityReply reply;
  reply.set_currency(answer.currency);
  reply.set_quantile(answer.plan.quantile);
  reply.set_cost(CostInUnits(answer.plan.cost_micros));
  reply.set_cost_at_least(CostInUnits(answer.plan.bound_micros));
  for (const PlanStep& step : answer.plan.steps) StepToMessage(answer, step, *reply.add_steps());
  for (const QuantileCost& one : answer.quantiles) {
    CostToMessage(fmt::format("{}", one.quantile), one.cost_micros, *reply.add_confidence());
  }
  for (const ProviderCost& one : answer.providers) {
    CostToMessage(one.provider, one.cost_micros, *reply.add_providers());
  }
  for (const BaselineCost& one : answer.baselines) {
    CostToMessage(one.name, one.cost_micros, *reply.add_baselines());
  }
  for (const std::string& note : answer.notes) reply.add_notes(note);
  return reply;
}

void PlanCapacity(Zone& zone, const v1::PlanCapacityRequest& request,
                  const Respond<v1::PlanCapacityReply>& respond) {
  zone.ponders().Post([request, respond] { respond(CapacityPlanFor(request)); });
}

}  // namespace

void AddCapacityHandlers(HandlerTable& table) { AddHandler(table, "PlanCapacity", PlanCapacity); }

}  // namespace berth
