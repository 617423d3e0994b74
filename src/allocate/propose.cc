#include "allocate/propose.h"

#include <fmt/format.h>

#include <algorithm>

#include "allocate/experiment.h"
#include "allocate/gang.h"
#include "allocate/propose_service.h"

namespace berth {

Decision NewDecision(const Proposing& context, DecisionKind kind, std::string subject) {
  Decision decision;
  decision.id = context.id;
  decision.kind = kind;
  decision.subject = std::move(subject);
  decision.at = context.now;
  decision.seen = context.view.revision();
  decision.arm = context.arm;
  return decision;
}

Rng DrawsOf(const DecisionId& id) { return Rng(id.sequence).Fork(id.agent); }

namespace {

std::string SubjectOf(const ChangeFleet& change) {
  if (!change.put.empty()) return KeyOf(change.put.front()).name;
  return change.remove.empty() ? std::string() : change.remove.front().name;
}

Result<Proposal> ProposeAction(const Proposing& context, const ReportInstance& report) {
  if (context.view.Find(report.instance) == nullptr) {
    return Status(Code::kNotFound,
                  fmt::format("there is no instance {}", ToString(report.instance)));
  }
  return Proposal{.operations = {Transition{report.instance, report.report}},
                  .decision = std::nullopt};
}

Result<Proposal> ProposeAction(const Proposing& context, const SetHealth& set) {
  const MachineState* machine = context.view.Find(set.machine);
  if (machine == nullptr) {
    return Status(Code::kNotFound, fmt::format("there is no machine {}", set.machine.str()));
  }
  Machine record = machine->record;
  record.health = set.health;
  return Proposal{.operations = {Put{.record = record, .replaces = true}},
                  .decision = NewDecision(context, DecisionKind::kFleet, set.machine.str())};
}

Result<Proposal> ProposeAction(const Proposing& context, const ChangeFleet& change) {
  Proposal proposal;
  for (const Record& record : change.put) {
    const RecordKey key = KeyOf(record);
    const RecordKind kind = key.kind;
    if (kind != RecordKind::kTenant && kind != RecordKind::kType && kind != RecordKind::kMachine) {
      return Status(Code::kInvalidArgument,
                    fmt::format("{} is not part of the fleet; only machines, types and tenants are",
                                ToString(key)));
    }
    proposal.operations.emplace_back(
        Put{.record = record, .replaces = context.view.Get(key).has_value()});
  }
  for (const RecordKey& key : change.remove) {
    if (!context.view.Get(key)) {
      return Status(Code::kNotFound, fmt::format("there is no {}", ToString(key)));
    }
    proposal.operations.emplace_back(Remove{key});
  }
  proposal.decision = NewDecision(context, DecisionKind::kFleet, SubjectOf(change));
  return proposal;
}

Result<Proposal> ProposeAction(const Proposing& context, const ApplyPolicy& apply) {
  BERTH_TRY(const Document document, ParseDocument(apply.text, "policy"));
  BERTH_TRY(const AllocatePolicy parsed, ParseAllocatePolicy(document.root()));
  BERTH_TRY(const std::optional<Experiment> experiment, ParseExperiment(document.root()));
  return Proposal{.operations = {Put{PolicyText{apply.text}}},
                  .decision = NewDecision(context, DecisionKind::kPolicy, "policy")};
}

}  // namespace

Result<Proposal> Propose(const Proposing& context, const Action& action) {
  return std::visit([&](const auto& what) { return ProposeAction(context, what); }, action);
}

}  // namespace berth
