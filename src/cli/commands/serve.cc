#include "serve/server.h"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigwait is POSIX.

#include <ostream>

#include "cli/commands/builtin.h"
#include "cli/store_name.h"

namespace berth {
namespace {

constexpr std::uint64_t kAgentsMax = 64;

Result<ServerOptions> ReadOptions(const Invocation& given) {
  ServerOptions options;
  const std::string& store = given.Text("--store");
  if (store == "memory") {
    options.store = store;
  } else {
    BERTH_TRY(options.store, StoreName(store));
  }
  BERTH_TRY(options.http, Address::Parse(given.Text("--listen")));
  if (given.Has("--listen-grpc")) {
    BERTH_TRY(options.grpc, Address::Parse(given.Text("--listen-grpc")));
  } else {
    const bool any = options.http.port == 0;
    if (options.http.port == UINT16_MAX) {
      return Status(Code::kInvalidArgument, "there is no port after 65535; give --listen-grpc");
    }
    options.grpc = {options.http.host, static_cast<std::uint16_t>(any ? 0 : options.http.port + 1)};
  }
  const std::uint64_t agents = given.Number("--agents");
  if (agents < 1 || agents > kAgentsMax) {
    return Status(Code::kInvalidArgument,
                  fmt::format("--agents must be 1 to {}, not {}", kAgentsMax, agents));
  }
  options.agents = static_cast<std::uint32_t>(agents);
  const auto take = [&](std::string_view name, std::string& to) {
    if (given.Has(name)) to = given.Text(name);
  };
  take("--fleet", options.fleet);
  take("--policy", options.policy);
  take("--audit", options.audit);
  take("--tokens", options.tokens);
  take("--tls-cert", options.tls_certificate);
  take("--tls-key", options.tls_key);
  take("--tls-client-ca", options.tls_client_ca);
  options.insecure = given.Has("--insecure");
  return options;
}

// Blocked before any thread starts, so that only the one who waits for them gets them.
sigset_t BlockStopSignals() {
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGINT);
  sigaddset(&stops, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &stops, nullptr);
  return stops;
}

int Run(const Invocation& given, Console& console) {
  const Result<ServerOptions> options = ReadOptions(given);
  if (!options.ok()) return console.Fail(options.status());
  const sigset_t stops = BlockStopSignals();
  Result<std::unique_ptr<Server>> server = Server::Start(options.value());
  if (!server.ok()) return console.Fail(server.status());
  const std::string scheme = options.value().tls_certificate.empty() ? "http" : "https";
  Address http = options.value().http;
  http.port = server.value()->http_port();
  Address grpc = options.value().grpc;
  grpc.port = server.value()->grpc_port();
  console.out << fmt::format(
      "Berth serves {} on {}://{} and gRPC on {}.\n"
      "Try:  berth service create web --type TYPE --count 3 --server {}\n"
      "      curl {}://{}/v1/machines\n"
      "Ctrl-C stops it.\n",
      options.value().store, scheme, http.str(), grpc.str(), grpc.str(), scheme, http.str());
  console.out.flush();
  int signal = 0;
  sigwait(&stops, &signal);
  console.out << "Stopping: no new calls, those that run are finished.\n";
  console.out.flush();
  return kExitOk;
}

}  // namespace

Command Serve() {
  return {.words = "serve",
          .summary = "serve a zone: the API over gRPC and HTTP/JSON",
          .arguments = {},
          .options = {{"--store", "STORE", "rocksdb:DIR, etcd:ENDPOINTS or memory", false,
                       "rocksdb:berth-data"},
                      {"--fleet", "FILE", "a fleet to put into the store"},
                      {"--policy", "FILE", "a policy to put into force"},
                      {"--agents", "N", "how many agents decide", false, "1"},
                      {"--listen", "ADDR", "where HTTP is answered", false, "127.0.0.1:7400"},
                      {"--listen-grpc", "ADDR",
                       "where gRPC is answered; the same host and the next port if not given"},
                      {"--tokens", "FILE", "who may call what"},
                      {"--tls-cert", "FILE", "the server's certificate, PEM"},
                      {"--tls-key", "FILE", "its key, PEM"},
                      {"--tls-client-ca", "FILE",
                       "clients must show a certificate signed with this one"},
                      {"--audit", "FILE", "where every write leaves a line; - is the error stream",
                       false, "-"},
                      {"--insecure", "", "listen beyond this machine without TLS and tokens"}},
          .examples = {"berth serve --fleet testdata/fleets/small.yaml"},
          .run = Run};
}

}  // namespace berth
