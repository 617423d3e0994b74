#include "cli/client.h"

#include <fmt/format.h>
#include <grpc/support/log.h>
#include <grpcpp/grpcpp.h>
#include <openssl/rand.h>

#include <array>
#include <chrono>
#include <ostream>

#include "base/document.h"
#include "base/text.h"
#include "serve/http_route.h"

namespace berth {
namespace {

constexpr std::chrono::seconds kCallMax(30);

}  // namespace

Result<std::unique_ptr<Client>> Client::Connect(const Invocation& invocation) {
  std::unique_ptr<Client> client(new Client());
  client->address_ = invocation.Text("--server");
  if (invocation.Has("--token")) {
    BERTH_TRY(const std::string text, ReadText(invocation.Text("--token")));
    client->token_ = std::string(Trim(Split(text, '\n').front()));
  }
  std::shared_ptr<grpc::ChannelCredentials> credentials = grpc::InsecureChannelCredentials();
  if (invocation.Has("--ca")) {
    grpc::SslCredentialsOptions options;
    BERTH_TRY(options.pem_root_certs, ReadText(invocation.Text("--ca")));
    if (invocation.Has("--cert")) {
      // One file holds both; each reader takes what it looks for.
      BERTH_TRY(options.pem_cert_chain, ReadText(invocation.Text("--cert")));
      options.pem_private_key = options.pem_cert_chain;
    }
    credentials = grpc::SslCredentials(options);
  } else if (invocation.Has("--cert")) {
    return Status(Code::kInvalidArgument, "--cert is for TLS; give --ca as well");
  }
  // What gRPC has to say for itself comes with the status of a call.
  gpr_set_log_function([](gpr_log_func_args* /*message*/) {});
  client->stub_ = v1::Berth::NewStub(grpc::CreateChannel(client->address_, credentials));
  return client;
}

void Client::LimitTime(grpc::ClientContext& context) {
  context.set_deadline(std::chrono::system_clock::now() + kCallMax);
}

void Client::Prepare(grpc::ClientContext& context) const {
  if (!token_.empty()) context.AddMetadata("authorization", "Bearer " + token_);
}

Status Client::ToStatus(const grpc::Status& status) const {
  const auto code = static_cast<Code>(status.error_code());
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE) {
    return {code, fmt::format("no server answers on {}: {}; start one with 'berth serve', or name "
                              "it with --server",
                              address_, status.error_message())};
  }
  return {code, status.error_message()};
}

int CallForMachine(const Invocation& invocation, Console& console,
                   grpc::Status (v1::Berth::Stub::*call)(grpc::ClientContext*,
                                                         const v1::MachineRequest&, v1::Outcome*)) {
  const Result<std::unique_ptr<Client>> client = Client::Connect(invocation);
  if (!client.ok()) return console.Fail(client.status());
  v1::MachineRequest request;
  request.set_name(invocation.Text("MACHINE"));
  request.set_idempotency_key(NewIdempotencyKey());
  return PrintOutcome(invocation, console, client.value()->Call(call, request));
}

int PrintOutcome(const Invocation& invocation, Console& console,
                 const Result<v1::Outcome>& outcome) {
  if (!outcome.ok()) return console.Fail(outcome.status());
  const v1::Outcome& reply = outcome.value();
  const v1::Decision& decision = reply.decision();
  if (invocation.Has("--json")) {
    console.out << ToJson(reply) << '\n';
  } else {
    console.out << fmt::format("{} {}", reply.accepted() ? "accepted" : "refused", decision.id());
    const char* separator = ": ";
    for (const v1::Placement& placement : decision.placed()) {
      console.out << fmt::format("{}{}/{} on {}", separator, decision.subject(),
                                 placement.instance(), placement.machine());
      separator = ", ";
    }
    if (decision.has_refusal()) {
      console.out << fmt::format(": {} [{}; {}]", decision.refusal().because(),
                                 decision.refusal().rule(), decision.refusal().advice());
    }
    console.out << '\n';
  }
  return reply.accepted() ? kExitOk : kExitRefused;
}

std::string NewIdempotencyKey() {
  std::array<unsigned char, 16> bytes{};
  // Without randomness there is no key: the call is then sent once and not retried.
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) return {};
  std::string key = "cli-";
  for (const unsigned char byte : bytes) key += fmt::format("{:02x}", byte);
  return key;
}

}  // namespace berth
