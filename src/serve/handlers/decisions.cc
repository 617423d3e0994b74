#include <memory>
#include <ranges>

#include "allocate/explain.h"
#include "engine/policy.h"
#include "serve/handlers/builtin.h"

namespace berth {
namespace {

void Get(Zone& zone, const v1::GetDecisionRequest& request,
         Respond<v1::ExplainedDecision> respond) {
  const std::optional<DecisionId> id = ParseDecisionId(request.id());
  if (!id) {
    return respond(Status(Code::kInvalidArgument,
                          fmt::format("{} is no decision; give an agent and a number, like a0-17",
                                      Quoted(request.id()))));
  }
  zone.store().ReadDecision(*id, zone.ponders(),
                            [respond = std::move(respond)](const Result<Decision>& decision) {
                              if (!decision.ok()) return respond(decision.status());
                              v1::ExplainedDecision reply;
                              ToMessage(decision.value(), *reply.mutable_decision());
                              reply.set_explanation(ExplainDecision(decision.value()));
                              respond(std::move(reply));
                            });
}

bool Matches(const v1::ListDecisionsRequest& request, const Decision& decision) {
  return (request.subject().empty() || decision.subject == request.subject()) &&
         (request.kind().empty() || ToString(decision.kind) == request.kind()) &&
         (!request.refused() || decision.refusal.has_value());
}

// The latest first; a page token is the revision that the page begins below.
void List(Zone& zone, const v1::ListDecisionsRequest& request, Respond<v1::DecisionList> respond) {
  const Result<Page> page = Page::Of(request.page_size(), request.page_token());
  if (!page.ok()) return respond(page.status());
  const std::uint64_t below = request.page_token().empty() ? UINT64_MAX : page.value().begin();
  v1::DecisionList reply;
  std::uint64_t last = 0;
  for (const RecentDecisions::Entry& entry : std::views::reverse(zone.recent().entries())) {
    if (ToNumber(entry.revision) >= below || !Matches(request, entry.decision)) continue;
    if (static_cast<std::uint32_t>(reply.decisions_size()) == page.value().size()) {
      reply.set_next_page_token(std::to_string(last));
      break;
    }
    ToMessage(entry.decision, *reply.add_decisions());
    last = ToNumber(entry.revision);
  }
  respond(std::move(reply));
}

Result<v1::WhyNotReply> AskWhyNotOf(const Inventory& snapshot, const v1::WhyNotRequest& request) {
  const std::optional<InstanceId> id = ParseInstanceId(request.service());
  const std::string name = id ? id->service : request.service();
  const ServiceState* service = snapshot.FindService(name);
  if (service == nullptr) {
    return Status(Code::kNotFound, fmt::format("there is no service {}", Quoted(name)));
  }
  const std::optional<MachineId> machine = MachineId::Known(request.machine());
  if (!machine || snapshot.Find(*machine) == nullptr) {
    return Status(Code::kNotFound,
                  fmt::format("there is no machine {}", Quoted(request.machine())));
  }
  BERTH_TRY(const AllocatePolicy policy, PolicyInForce(snapshot));
  Inventory scratch = snapshot;
  const std::optional<std::uint32_t> number = id ? std::optional(id->number) : std::nullopt;
  BERTH_TRY(const WhyNot why, AskWhyNot(policy, scratch, service->record, number, *machine));
  v1::WhyNotReply reply;
  reply.set_possible(why.valid);
  reply.set_among_best(why.among_best);
  for (const std::string& reason : why.reasons) reply.add_reasons(reason);
  reply.set_explanation(
      ExplainWhyNot(why, id ? request.service() : "one more of " + name, *machine));
  return reply;
}

void AnswerWhyNot(Zone& zone, const v1::WhyNotRequest& request, Respond<v1::WhyNotReply> respond) {
  zone.store().Read(zone.ponders(), [request, respond = std::move(respond)](
                                        const Result<std::shared_ptr<const Inventory>>& snapshot) {
    if (!snapshot.ok()) return respond(snapshot.status());
    respond(AskWhyNotOf(*snapshot.value(), request));
  });
}

}  // namespace

void AddDecisionHandlers(HandlerTable& table) {
  AddHandler(table, "GetDecision", Get);
  AddHandler(table, "ListDecisions", List);
  AddHandler(table, "WhyNot", AnswerWhyNot);
}

}  // namespace berth
