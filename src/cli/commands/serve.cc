#include "serve/server.h"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigwait is POSIX.

#include <cstdlib>
#include <filesystem>
#include <ostream>

#include "base/text.h"
#include "cli/client.h"
#include "cli/commands/builtin.h"
#include "cli/store_name.h"
#include "serve/demo.h"

namespace berth {
namespace {

constexpr std::uint64_t kAgentsMax = 64;
constexpr std::uint64_t kRateMax = 1'000'000;
constexpr std::uint64_t kInFlightMax = 1'000'000;
constexpr std::uint64_t kConnectionsMax = 100'000;

// A number that must be 1 to `most`.
Result<std::uint64_t> ReadCount(const Invocation& given, std::string_view option,
                                std::uint64_t most) {
  const std::uint64_t count = given.Number(option);
  if (count >= 1 && count <= most) return count;
  return Status(Code::kInvalidArgument,
                fmt::format("{} must be 1 to {}, not {}", option, most, count));
}

// NAME=PATH, each.
Result<std::vector<ProgramCommand>> ReadPrograms(const Invocation& given) {
  std::vector<ProgramCommand> programs;
  if (!given.Has("--program")) return programs;
  for (const std::string& text : given.Texts("--program")) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size()) {
      return Status(Code::kInvalidArgument,
                    fmt::format("--program {}: is NAME=PATH, as median=./median.py", text));
    }
    programs.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return programs;
}

Result<ServerOptions> ReadServerOptions(const Invocation& given) {
  ServerOptions options;
  // A demo leaves nothing behind unless it is told where.
  const std::string store = given.Has("--store")  ? given.Text("--store")
                            : given.Has("--demo") ? "memory"
                                                  : "rocksdb:berth-data";
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
  BERTH_TRY(const std::uint64_t agents, ReadCount(given, "--agents", kAgentsMax));
  options.agents = static_cast<std::uint32_t>(agents);
  BERTH_TRY(options.in_flight, ReadCount(given, "--in-flight", kInFlightMax));
  BERTH_TRY(options.connections, ReadCount(given, "--connections", kConnectionsMax));
  const auto take = [&](std::string_view name, std::string& to) {
    if (given.Has(name)) to = given.Text(name);
  };
  take("--policy", options.policy);
  take("--demand", options.demand);
  options.learn = given.Has("--learn");
  if (given.Has("--prometheus")) {
    BERTH_TRY(options.prometheus, ReadPrometheusSource(given.Text("--prometheus")));
  }
  BERTH_TRY(options.programs, ReadPrograms(given));
  // A demo would fill the terminal.
  options.audit = given.Has("--demo") ? "/dev/null" : "-";
  take("--audit", options.audit);
  take("--tokens", options.tokens);
  take("--tls-cert", options.tls_certificate);
  take("--tls-key", options.tls_key);
  take("--tls-client-ca", options.tls_client_ca);
  options.insecure = given.Has("--insecure");
  const std::uint64_t rate = given.Number("--rate");
  if (rate > kRateMax) {
    return Status(Code::kInvalidArgument,
                  fmt::format("--rate must be at most {}, not {}", kRateMax, rate));
  }
  options.calls_per_second = static_cast<std::uint32_t>(rate);
  if (given.Has("--demo") && given.Has("--tokens")) {
    return Status(Code::kInvalidArgument, "--demo has no token; leave out --tokens or --demo");
  }
  if (given.Has("--fleet")) {
    BERTH_TRY(options.fleet, ReadFleetFile(given.Text("--fleet")));
  } else if (given.Has("--demo")) {
    BERTH_TRY(options.fleet, DemoFleet({}));
  }
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

// How this program is called from here.
std::string ThisProgram() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): no thread yet.
  for (const std::string_view folder : Split(path == nullptr ? "" : path, ':')) {
    if (error || folder == self.parent_path().native()) return "berth";
  }
  return std::filesystem::proximate(self, error).native();
}

void Welcome(const ServerOptions& options, Server& server, Console& console) {
  const std::string scheme = options.tls_certificate.empty() ? "http" : "https";
  const Address http{options.http.host, server.http_port()};
  const Address grpc{options.grpc.host, server.grpc_port()};
  const std::string berth = ThisProgram();
  const std::string at =
      grpc.str() == kServerOption.otherwise ? std::string() : " --server " + grpc.str();
  console.out << fmt::format(
      "Berth serves {} on {}://{} and gRPC on {}.\n"
      "Open  {}://{}\n"
      "Try   {} get types{}\n"
      "      {} service create web --type TYPE --count 3 --spread rack{}\n"
      "      {} watch{}\n"
      "Ctrl-C stops it.\n",
      options.store, scheme, http.str(), grpc.str(), scheme, http.str(), berth, at, berth, at,
      berth, at);
  console.out.flush();
}

int RunServe(const Invocation& given, Console& console) {
  const Result<ServerOptions> options = ReadServerOptions(given);
  if (!options.ok()) return console.Fail(options.status());
  const sigset_t stops = BlockStopSignals();
  Result<std::unique_ptr<Server>> server = Server::Start(options.value());
  if (!server.ok()) return console.Fail(server.status());
  Welcome(options.value(), *server.value(), console);
  std::unique_ptr<Demo> demo;
  if (given.Has("--demo")) {
    Result<std::unique_ptr<Demo>> started =
        StartDemo(*options.value().fleet,
                  Address{options.value().grpc.host, server.value()->grpc_port()}.str(), {},
                  [&](const std::string& line) { console.out << line << std::endl; });
    if (!started.ok()) return console.Fail(started.status());
    demo = std::move(started).value();
  }
  int signal = 0;
  sigwait(&stops, &signal);
  demo.reset();
  console.out << "Stopping: no new calls, those that run are finished.\n";
  console.out.flush();
  return kExitOk;
}

}  // namespace

Command Serve() {
  return {
      .words = "serve",
      .summary = "serve a zone: the API over gRPC and HTTP/JSON",
      .arguments = {},
      .options =
          {{"--store", "STORE",
            "rocksdb:DIR, etcd:HOST:PORT/PREFIX or memory; rocksdb:berth-data if left out"},
           {"--fleet", "FILE", "a fleet to put into the store"},
           {"--demo", "", "play a generated day, fast, on a generated fleet or on --fleet"},
           {"--policy", "FILE", "a policy to put into force"},
           {"--demand", "FILE", "what instances needed in the past, from berth demand fit"},
           {"--learn", "", "learn what instances need from those that end, by their samples"},
           {"--prometheus", "FILE", "what to ask a Prometheus server for, as samples"},
           {.name = "--program",
            .value = "NAME=PATH",
            .about = "a program that policies may name as a recommender, external:NAME; may be "
                     "given again",
            .many = true},
           {"--agents", "N", "how many agents decide", false, "1"},
           {"--listen", "ADDR", "where HTTP is answered", false, "127.0.0.1:7400"},
           {"--listen-grpc", "ADDR",
            "where gRPC is answered; the same host and the next port if not given"},
           {"--in-flight", "N", "calls that may wait; more are turned away", false, "4096"},
           {"--connections", "N", "HTTP connections; more wait for one to close", false, "4096"},
           {"--tokens", "FILE", "who may call what"},
           {"--tls-cert", "FILE", "the server's certificate, PEM"},
           {"--tls-key", "FILE", "its key, PEM"},
           {"--tls-client-ca", "FILE", "clients must show a certificate signed with this one"},
           {"--audit", "FILE", "where every write leaves a line; the error stream if left out"},
           {"--rate", "N", "at most so many calls a second from one caller; 0: any number", false,
            "0"},
           {"--insecure", "", "listen beyond this machine without TLS and tokens"}},
      .examples = {"berth serve --fleet testdata/formats/fleet.yaml",
                   "berth serve --fleet testdata/formats/fleet.yaml --program "
                   "median=testdata/external/median.py"},
      .run = RunServe};
}

}  // namespace berth
