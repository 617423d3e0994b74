#include <fmt/format.h>

#include "base/text.h"
#include "serve/handlers/builtin.h"

namespace berth {
namespace {

void GetMachine(Zone& zone, const v1::GetMachineRequest& request,
                const Respond<v1::MachineState>& respond) {
  const std::optional<MachineId> name = MachineId::Known(request.name());
  const MachineState* machine = name ? zone.view().Find(*name) : nullptr;
  if (machine == nullptr) {
    return respond(
        Status(Code::kNotFound, fmt::format("there is no machine {}", Quoted(request.name()))));
  }
  v1::MachineState reply;
  ToMessage(*machine, reply);
  respond(std::move(reply));
}

bool Matches(const v1::ListMachinesRequest& request, const Machine& machine) {
  return (request.cluster().empty() || machine.cluster.str() == request.cluster()) &&
         (request.rack().empty() || machine.rack.str() == request.rack()) &&
         (request.sku().empty() || machine.sku.str() == request.sku()) &&
         (request.health().empty() || ToString(machine.health) == request.health()) &&
         machine.name.str().starts_with(request.name_prefix());
}

Status CheckHealth(const std::string& health) {
  if (health.empty()) return {};
  for (const Health known : {Health::kReady, Health::kDraining, Health::kDown, Health::kUpdating}) {
    if (ToString(known) == health) return {};
  }
  return {
      Code::kInvalidArgument,
      fmt::format("health {} is none; write ready, draining, down or updating", Quoted(health))};
}

void ListMachines(Zone& zone, const v1::ListMachinesRequest& request,
                  const Respond<v1::MachineList>& respond) {
  if (const Status status = CheckHealth(request.health()); !status.ok()) return respond(status);
  const Result<Page> page = Page::Of(request.page_size(), request.page_token());
  if (!page.ok()) return respond(page.status());
  v1::MachineList reply;
  reply.set_next_page_token(
      page.value().Walk(zone.view().machines(), [&](const MachineState& machine) {
        const bool wanted = !machine.vacant() && Matches(request, machine.record);
        if (wanted) ToMessage(machine, *reply.add_machines());
        return wanted;
      }));
  respond(std::move(reply));
}

Status NoMachine(const v1::MachineRequest& request) {
  return {Code::kNotFound, fmt::format("there is no machine {}", Quoted(request.name()))};
}

void SetHealthTo(Health health, Zone& zone, const v1::MachineRequest& request,
                 const Respond<v1::Outcome>& respond) {
  const std::optional<MachineId> name = MachineId::Known(request.name());
  if (!name || zone.view().Find(*name) == nullptr) return respond(NoMachine(request));
  SubmitAndAnswer(zone, SetHealth{*name, health}, request.idempotency_key(), respond);
}

void Cordon(Zone& zone, const v1::MachineRequest& request, const Respond<v1::Outcome>& respond) {
  SetHealthTo(Health::kUpdating, zone, request, respond);
}
void Drain(Zone& zone, const v1::MachineRequest& request, const Respond<v1::Outcome>& respond) {
  SetHealthTo(Health::kDraining, zone, request, respond);
}
void Fail(Zone& zone, const v1::MachineRequest& request, const Respond<v1::Outcome>& respond) {
  SetHealthTo(Health::kDown, zone, request, respond);
}
void Restore(Zone& zone, const v1::MachineRequest& request, const Respond<v1::Outcome>& respond) {
  SetHealthTo(Health::kReady, zone, request, respond);
}

void RemoveWhole(Zone& zone, const v1::MachineRequest& request,
                 const Respond<v1::Outcome>& respond) {
  if (const Status status = CheckKey(request.idempotency_key()); !status.ok()) {
    return respond(status);
  }
  const std::optional<MachineId> name = MachineId::Known(request.name());
  const bool there = name && zone.view().Find(*name) != nullptr;
  if (!there && (!name || request.idempotency_key().empty())) return respond(NoMachine(request));
  const auto answer = [request, there, respond](const Reply& reply) {
    if (!there && !reply.duplicate) return respond(NoMachine(request));
    if (!reply.status.ok()) return respond(reply.status);
    v1::Outcome outcome;
    ToMessage(reply, outcome);
    respond(std::move(outcome));
  };
  if (there) {
    return zone.engine().Decommission(request.name(), answer, request.idempotency_key());
  }
  // Perhaps it is this key that removed it.
  zone.engine().Submit(
      {.what = RemovalOf(request.name()), .idempotency_key = request.idempotency_key()}, answer);
}

}  // namespace

void AddMachineHandlers(HandlerTable& table) {
  AddHandler(table, "GetMachine", GetMachine);
  AddHandler(table, "ListMachines", ListMachines);
  AddHandler(table, "CordonMachine", Cordon);
  AddHandler(table, "DrainMachine", Drain);
  AddHandler(table, "FailMachine", Fail);
  AddHandler(table, "RestoreMachine", Restore);
  AddHandler(table, "RemoveMachine", RemoveWhole);
}

}  // namespace berth
