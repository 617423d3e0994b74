#include <fmt/format.h>

#include "allocate/what_if/defragment.h"
#include "engine/policy.h"
#include "report/json.h"
#include "report/replay_report.h"
#include "serve/handlers/builtin.h"
#include "serve/read_log.h"
#include "sim/replay.h"

namespace berth {
namespace {

constexpr std::uint32_t kMovesMax = 1000;
constexpr std::uint32_t kMovesOtherwise = 20;

void PackingToMessage(const PackingState& packing, v1::Packing& message) {
  message.set_density(packing.Density());
  message.set_machines_in_use(packing.machines_in_use);
  message.set_instances(packing.instances);
}

Result<v1::WhatIfDefragmentReply> PlanFor(const Inventory& fleet, std::uint32_t moves) {
  BERTH_TRY(const AllocatePolicy policy, PolicyInForce(fleet));
  const DefragmentPlan plan = PlanDefragmentation(policy, fleet, moves);
  v1::WhatIfDefragmentReply reply;
  PackingToMessage(plan.before, *reply.mutable_before());
  PackingToMessage(plan.after, *reply.mutable_after());
  for (const PlannedMove& move : plan.moves) {
    v1::PlannedMove& to = *reply.add_moves();
    to.set_instance(ToString(move.instance));
    to.set_from(move.from.str());
    to.set_to(move.to.str());
  }
  for (const MachineId machine : plan.emptied) reply.add_emptied(machine.str());
  if (plan.blind) reply.set_note(std::string(kPlannedBlindly));
  return reply;
}

void Defragment(Zone& zone, const v1::WhatIfDefragmentRequest& request,
                const Respond<v1::WhatIfDefragmentReply>& respond) {
  if (request.moves() > kMovesMax) {
    return respond(Status(Code::kInvalidArgument, fmt::format("moves is {}, and {} is the most",
                                                              request.moves(), kMovesMax)));
  }
  const std::uint32_t moves = request.moves() == 0 ? kMovesOtherwise : request.moves();
  zone.store().Read(zone.ponders(),
                    [moves, respond](const Result<std::shared_ptr<const Inventory>>& snapshot) {
                      if (!snapshot.ok()) return respond(snapshot.status());
                      respond(PlanFor(*snapshot.value(), moves));
                    });
}

Result<v1::WhatIfPolicyReply> Compare(const RecordedLog& log, const std::string& store,
                                      const std::string& text) {
  BERTH_TRY(const ReplayComparison compared,
            ReplayUnderPolicy(log, text, [](std::uint64_t /*done*/, std::uint64_t /*all*/) {}));
  const Report report = ReplayReport(
      compared, {.store = store, .policy = "policy", .command = "POST /v1/what-if/policy"});
  v1::WhatIfPolicyReply reply;
  for (const std::string& paragraph : report.paragraphs) reply.add_paragraphs(paragraph);
  for (const Fact& fact : report.facts) {
    v1::ReportedFact& to = *reply.add_facts();
    to.set_name(fact.name);
    to.set_value(fact.value);
    to.set_note(fact.note);
  }
  reply.set_report(ToJson(report));
  return reply;
}

void OtherPolicy(Zone& zone, const v1::WhatIfPolicyRequest& request,
                 const Respond<v1::WhatIfPolicyReply>& respond) {
  if (const Status status = CheckPolicySize(request.text()); !status.ok()) return respond(status);
  if (const Status status = CheckPolicy(request.text(), "policy"); !status.ok()) {
    return respond(status);
  }
  ReadLog(zone, [store = zone.store_name(), text = request.text(),
                 respond](const Result<RecordedLog>& log) {
    if (!log.ok()) return respond(log.status());
    respond(Compare(log.value(), store, text));
  });
}

}  // namespace

void AddWhatIfHandlers(HandlerTable& table) {
  AddHandler(table, "WhatIfDefragment", Defragment);
  AddHandler(table, "WhatIfPolicy", OtherPolicy);
}

}  // namespace berth
