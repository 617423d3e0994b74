#include "cli/client.h"
#include "cli/commands/builtin.h"

namespace berth {
namespace {

int RunServiceDelete(const Invocation& given, Console& console) {
  const Result<std::unique_ptr<Client>> client = Client::Connect(given);
  if (!client.ok()) return console.Fail(client.status());
  v1::DeleteServiceRequest request;
  request.set_name(given.Text("NAME"));
  request.set_idempotency_key(NewIdempotencyKey());
  return PrintOutcome(given, console,
                      client.value()->Call(&v1::Berth::Stub::DeleteService, request));
}

}  // namespace

Command ServiceDelete() {
  return {.words = "service delete",
          .summary = "end a service and free its room",
          .arguments = {{"NAME", "the service's name"}},
          .options = {kServerOption, kTokenOption, kCaOption, kCertOption, kJsonOption},
          .examples = {"berth service delete web"},
          .run = RunServiceDelete};
}

}  // namespace berth
