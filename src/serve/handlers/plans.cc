#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "serve/handlers/builtin.h"

namespace berth {
namespace {

std::int64_t PlanMillis(Time time) { return ToMicros(time) / 1'000; }

v1::ScalingPlan WithoutStates(const LivePlan& live) {
  v1::ScalingPlan message;
  message.set_application(live.application);
  message.set_mode(std::string(ToString(live.mode)));
  for (const ScaledService& service : live.scaled.services) message.add_services(service.name);
  message.set_made_ms(PlanMillis(live.plan.made));
  for (const std::string& note : live.plan.notes) message.add_notes(note);
  message.set_trouble(live.trouble);
  return message;
}

void AddState(const PlannedState& state, v1::ScalingPlan& message) {
  v1::PlannedState& added = *message.add_states();
  added.set_at_ms(PlanMillis(state.at));
  added.mutable_instances()->Add(state.instances.begin(), state.instances.end());
  added.mutable_low()->Add(state.low.begin(), state.low.end());
  added.mutable_high()->Add(state.high.begin(), state.high.end());
  added.set_why(state.why);
}

// A page begins at the place in the list that its token names.
void ListPlans(Zone& zone, const v1::ListPlansRequest& request,
               const Respond<v1::PlanList>& respond) {
  const Result<Page> page = Page::Of(request.page_size(), request.page_token());
  if (!page.ok()) return respond(page.status());
  const std::vector<const LivePlan*> plans = zone.planner().Plans();
  const std::size_t end = std::min(plans.size(), page.value().begin() + page.value().size());
  v1::PlanList reply;
  for (std::size_t i = page.value().begin(); i < end; ++i) {
    *reply.add_plans() = WithoutStates(*plans[i]);
  }
  if (end < plans.size()) reply.set_next_page_token(std::to_string(end));
  respond(std::move(reply));
}

void GetPlan(Zone& zone, const v1::GetPlanRequest& request,
             const Respond<v1::ScalingPlan>& respond) {
  const LivePlan* live = zone.planner().PlanOf(request.service());
  if (live == nullptr) {
    return respond(Status(
        Code::kNotFound,
        fmt::format("{} is a service of no application that is planned; name it in the section "
                    "applications of the policy",
                    Quoted(request.service()))));
  }
  v1::ScalingPlan reply = WithoutStates(*live);
  for (const PlannedState& state : live->plan.states) AddState(state, reply);
  respond(std::move(reply));
}

}  // namespace

void AddPlanHandlers(HandlerTable& table) {
  AddHandler(table, "ListPlans", ListPlans);
  AddHandler(table, "GetPlan", GetPlan);
}

}  // namespace berth
