#include "serve/why_not.h"

#include <fmt/format.h>

#include "allocate/explain.h"
#include "base/text.h"
#include "engine/policy.h"
#include "serve/messages.h"

namespace berth {

Result<v1::WhyNotReply> AnswerWhyNot(const Inventory& fleet, const v1::WhyNotRequest& request,
                                     const AskingWhyNot& ask) {
  const std::optional<InstanceId> id = ParseInstanceId(request.service());
  const std::string name = id ? id->service : request.service();
  const ServiceState* service = fleet.FindService(name);
  if (service == nullptr) {
    return Status(Code::kNotFound, fmt::format("there is no service {}", Quoted(name)));
  }
  const std::optional<MachineId> machine = MachineId::Known(request.machine());
  if (!machine || fleet.Find(*machine) == nullptr) {
    return Status(Code::kNotFound,
                  fmt::format("there is no machine {}", Quoted(request.machine())));
  }
  const std::optional<std::uint32_t> number = id ? std::optional(id->number) : std::nullopt;
  BERTH_TRY(const WhyNot why, ask(service->record, number, *machine));
  v1::WhyNotReply reply;
  ToMessage(why, id ? request.service() : "one more of " + name, *machine, reply);
  return reply;
}

Result<v1::WhyNotReply> AnswerWhyNot(const Inventory& fleet, const v1::WhyNotRequest& request) {
  return AnswerWhyNot(fleet, request,
                      [&](const Service& service, std::optional<std::uint32_t> number,
                          MachineId machine) -> Result<WhyNot> {
                        BERTH_TRY(const AllocatePolicy policy, PolicyInForce(fleet, service.name));
                        FromScratch chooser(policy);
                        Inventory scratch = fleet;
                        return AskWhyNot({.policy = policy, .chooser = chooser}, scratch, service,
                                         number, machine);
                      });
}

}  // namespace berth
