#include <fmt/format.h>

#include <ostream>

#include "allocate/explain.h"
#include "base/text.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "cli/read_store.h"
#include "engine/policy.h"

namespace berth {
namespace {

int Run(const Invocation& invocation, Console& console) {
  const std::string& text = invocation.Text("SERVICE[/N]");
  const std::optional<InstanceId> id = ParseInstanceId(text);
  const std::string name = id ? id->service : text;
  const MachineId machine(invocation.Text("MACHINE"));
  const Result<std::unique_ptr<StoreReader>> reader = StoreReader::Open(invocation.Text("--store"));
  if (!reader.ok()) return console.Fail(reader.status());
  Inventory view = reader.value()->inventory();
  const ServiceState* service = view.FindService(name);
  if (service == nullptr) {
    return console.Fail(
        fmt::format("there is no service {}; 'berth get services' lists them", Quoted(name)));
  }
  const Result<AllocatePolicy> policy = PolicyInForce(view);
  if (!policy.ok()) return console.Fail(policy.status());
  const Service record = service->record;
  const std::optional<std::uint32_t> number = id ? std::optional(id->number) : std::nullopt;
  const Result<WhyNot> why = AskWhyNot(policy.value(), view, record, number, machine);
  if (!why.ok()) return console.Fail(why.status());
  if (invocation.Has("--json")) {
    console.out << ToJson(why.value()) << '\n';
  } else {
    console.out << ExplainWhyNot(why.value(), id ? ToString(*id) : "one more of " + name, machine);
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
          .options = {kStoreOption, kJsonOption},
          .examples = {"berth why-not web/0 d --store berth-accepted"},
          .run = Run};
}

}  // namespace berth
