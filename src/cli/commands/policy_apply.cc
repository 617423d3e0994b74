#include "base/document.h"
#include "cli/client.h"
#include "cli/commands/builtin.h"

namespace berth {
namespace {

int RunPolicyApply(const Invocation& given, Console& console) {
  v1::ApplyPolicyRequest request;
  Result<std::string> text = ReadText(given.Text("FILE"));
  if (!text.ok()) return console.Fail(text.status());
  request.set_text(std::move(text).value());
  request.set_idempotency_key(NewIdempotencyKey());
  const Result<std::unique_ptr<Client>> client = Client::Connect(given);
  if (!client.ok()) return console.Fail(client.status());
  return PrintOutcome(given, console, client.value()->Call(&v1::Berth::Stub::ApplyPolicy, request));
}

}  // namespace

Command PolicyApply() {
  return {.words = "policy apply",
          .summary = "put a policy into force on a server",
          .arguments = {{"FILE", "the policy"}},
          .options = {kServerOption, kTokenOption, kCaOption, kCertOption, kJsonOption},
          .examples = {"berth policy apply testdata/formats/policy.yaml"},
          .run = RunPolicyApply};
}

}  // namespace berth
