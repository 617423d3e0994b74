#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "cli/client.h"
#include "cli/commands/builtin.h"
#include "fleet/fleet_file.h"
#include "serve/messages.h"

namespace berth {
namespace {

constexpr std::size_t kAtOnce = 5'000;  // A call takes at most 10,000 records and 4 MiB.

std::vector<v1::ChangeFleetRequest> ToRequests(const FleetFile& file) {
  std::vector<v1::ChangeFleetRequest> requests(1);
  std::size_t held = 0;
  const auto room = [&]() -> v1::ChangeFleetRequest& {
    if (held++ % kAtOnce == 0 && held > 1) requests.emplace_back();
    return requests.back();
  };
  for (const Tenant& tenant : file.tenants) ToMessage(tenant, *room().add_tenants());
  for (const InstanceType& type : file.types) ToMessage(type, *room().add_types());
  for (const Machine& machine : file.machines) ToMessage(machine, *room().add_machines());
  return requests;
}

int RunFleetApply(const Invocation& given, Console& console) {
  const Result<FleetFile> file = ReadFleetFile(given.Text("FILE"));
  if (!file.ok()) return console.Fail(file.status());
  const Result<std::unique_ptr<Client>> client = Client::Connect(given);
  if (!client.ok()) return console.Fail(client.status());
  for (v1::ChangeFleetRequest& request : ToRequests(file.value())) {
    request.set_idempotency_key(NewIdempotencyKey());
    const auto outcome = client.value()->Call(&v1::Berth::Stub::ChangeFleet, request);
    if (!outcome.ok() || !outcome.value().accepted()) {
      return PrintOutcome(given, console, outcome);
    }
  }
  console.out << fmt::format("{} machines, {} types and {} tenants are as the file says\n",
                             file.value().machines.size(), file.value().types.size(),
                             file.value().tenants.size());
  return kExitOk;
}

}  // namespace

Command FleetApply() {
  return {.words = "fleet apply",
          .summary = "add or replace a server's machines, types and tenants",
          .arguments = {{"FILE", "the fleet"}},
          .options = {kServerOption, kTokenOption, kCaOption, kCertOption},
          .examples = {"berth fleet apply testdata/formats/fleet.yaml"},
          .run = RunFleetApply};
}

}  // namespace berth
