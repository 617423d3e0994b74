#include "engine/policy.h"

#include "allocate/policy.h"
#include "serve/handlers/builtin.h"

namespace berth {
namespace {

void Get(Zone& zone, const v1::GetPolicyRequest& /*request*/, const Respond<v1::Policy>& respond) {
  const Inventory& view = zone.view();
  v1::Policy reply;
  reply.set_text(view.policy().text.empty() ? std::string(ShippedPolicy()) : view.policy().text);
  reply.set_revision(ToNumber(view.policy_revision()));
  respond(std::move(reply));
}

void Validate(Zone& /*zone*/, const v1::ValidatePolicyRequest& request,
              const Respond<v1::ValidatePolicyReply>& respond) {
  if (const Status status = CheckPolicySize(request.text()); !status.ok()) return respond(status);
  const Status status = CheckPolicy(request.text(), "policy");
  v1::ValidatePolicyReply reply;
  reply.set_valid(status.ok());
  reply.set_error(status.message());
  respond(std::move(reply));
}

void Apply(Zone& zone, const v1::ApplyPolicyRequest& request, const Respond<v1::Outcome>& respond) {
  if (const Status status = CheckPolicySize(request.text()); !status.ok()) return respond(status);
  SubmitAndAnswer(zone, ApplyPolicy{request.text()}, request.idempotency_key(), respond);
}

}  // namespace

void AddPolicyHandlers(HandlerTable& table) {
  AddHandler(table, "GetPolicy", Get);
  AddHandler(table, "ValidatePolicy", Validate);
  AddHandler(table, "ApplyPolicy", Apply);
}

}  // namespace berth
