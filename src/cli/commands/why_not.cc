#include <ostream>

#include "cli/commands/builtin.h"
#include "cli/fleet_reader.h"
#include "serve/http_route.h"

namespace berth {
namespace {

int RunWhyNot(const Invocation& invocation, Console& console) {
  const Result<std::unique_ptr<FleetReader>> fleet = OpenFleet(invocation);
  if (!fleet.ok()) return console.Fail(fleet.status());
  v1::WhyNotRequest request;
  request.set_service(invocation.Text("SERVICE[/N]"));
  request.set_machine(invocation.Text("MACHINE"));
  const Result<v1::WhyNotReply> why = fleet.value()->AskWhyNot(request);
  if (!why.ok()) return console.Fail(why.status());
  if (invocation.Has("--json")) {
    console.out << ToJson(why.value()) << '\n';
  } else {
    console.out << why.value().explanation();
  }
  return kExitOk;
}

}  // namespace

Command WhyNotCommand() {
  return {.words = "why-not",
          .summary = "say why an instance is not on a machine, as the fleet is now",
          .arguments = {{"SERVICE[/N]",
                         "an instance, like web/0; without a number one more of the service"},
                        {"MACHINE", "the machine's name"}},
          .options = {kReadStoreOption, kServerOption, kTokenOption, kCaOption, kCertOption,
                      kJsonOption},
          .examples = {"berth why-not web/0 d --store berth-accepted"},
          .run = RunWhyNot};
}

}  // namespace berth
