#include <fmt/format.h>

#include <memory>

#include "allocate/explain.h"
#include "base/text.h"
#include "serve/handlers/builtin.h"
#include "serve/why_not.h"

namespace berth {
namespace {

void GetDecision(Zone& zone, const v1::GetDecisionRequest& request,
                 const Respond<v1::ExplainedDecision>& respond) {
  const std::optional<DecisionId> id = ParseDecisionId(request.id());
  if (!id) {
    return respond(Status(Code::kInvalidArgument,
                          fmt::format("{} is no decision; give an agent and a number, like a0-17",
                                      Quoted(request.id()))));
  }
  zone.store().ReadDecision(*id, zone.tells(), [respond](const Result<Decision>& decision) {
    if (!decision.ok()) return respond(decision.status());
    v1::ExplainedDecision reply;
    ToMessage(decision.value(), reply);
    respond(std::move(reply));
  });
}

bool Matches(const v1::ListDecisionsRequest& request, const Decision& decision) {
  return (request.subject().empty() || decision.subject == request.subject()) &&
         (request.kind().empty() || ToString(decision.kind) == request.kind()) &&
         (!request.refused() || decision.refusal.has_value()) &&
         (request.arm().empty() || decision.arm.str() == request.arm());
}

// The latest first; a page token is the revision that the page begins below.
void ListDecisions(Zone& zone, const v1::ListDecisionsRequest& request,
                   const Respond<v1::DecisionList>& respond) {
  const Result<Page> page = Page::Of(request.page_size(), request.page_token());
  if (!page.ok()) return respond(page.status());
  const std::uint64_t below = request.page_token().empty() ? UINT64_MAX : page.value().begin();
  v1::DecisionList reply;
  std::uint64_t last = 0;
  const auto& entries = zone.recent().entries();
  for (auto at = entries.rbegin(); at != entries.rend(); ++at) {
    const RecentDecisions::Entry& entry = *at;
    if (ToNumber(entry.revision) >= below || !Matches(request, entry.decision)) continue;
    if (static_cast<std::uint32_t>(reply.decisions_size()) == page.value().size()) {
      reply.set_next_page_token(std::to_string(last));
      break;
    }
    v1::ExplainedDecision& to = *reply.add_decisions();
    ToMessage(entry.decision, *to.mutable_decision());
    to.set_summary(SummarizeDecision(entry.decision));
    last = ToNumber(entry.revision);
  }
  respond(std::move(reply));
}

void WhyNotOf(Zone& zone, const v1::WhyNotRequest& request,
              const Respond<v1::WhyNotReply>& respond) {
  respond(AnswerWhyNot(
      zone.view(), request,
      [&](const Service& service, std::optional<std::uint32_t> number, MachineId machine) {
        return zone.engine().AskWhyNot(service, number, machine);
      }));
}

}  // namespace

void AddDecisionHandlers(HandlerTable& table) {
  AddHandler(table, "GetDecision", GetDecision);
  AddHandler(table, "ListDecisions", ListDecisions);
  AddHandler(table, "WhyNot", WhyNotOf);
}

}  // namespace berth
