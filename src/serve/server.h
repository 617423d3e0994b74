// A whole server: the zone, the API over it, and both transports.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/fleet_file.h"
#include "rightsize/live_program.h"
#include "serve/api.h"
#include "serve/grpc_server.h"
#include "serve/http_server.h"
#include "serve/prometheus_poller.h"

namespace berth {

// Owns services whose creator names no tenant; a new store begins with it.
inline constexpr std::string_view kFirstTenant = "default";

struct ServerOptions {
  std::string store = "rocksdb:berth-data";
  std::optional<FleetFile> fleet;  // Put into the store at the start.
  std::string policy;  // A policy file, applied at the start if it is another than in force.
  std::string demand;  // A file of demand models; empty: none.
  bool learn = false;  // From instances that end.
  std::optional<PrometheusSource> prometheus = {};
  std::vector<ProgramCommand> programs = {};  // That policies may name as recommenders.
  std::string audit = "-";
  std::string tokens;  // A tokens file; empty: everybody may do everything.
  std::string tls_certificate;
  std::string tls_key;
  std::string tls_client_ca;
  Address http{"127.0.0.1", 7400};
  Address grpc{"127.0.0.1", 7401};
  std::uint32_t agents = 1;
  std::string name = "a";              // Agents are called by it and a number.
  std::uint32_t calls_per_second = 0;  // From one caller; 0: any number.
  std::uint64_t in_flight = 4096;      // Calls that may wait; more are turned away.
  std::uint64_t connections = 4096;    // Of HTTP.
  bool insecure = false;               // Listens beyond this machine without TLS and tokens.
};

class Server {
 public:
  // Opens the store and answers calls when it returns.
  static Result<std::unique_ptr<Server>> Start(const ServerOptions& options);
  // Turns new calls away, lets those that run finish for a while, then closes the store.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t http_port() const { return http_->port(); }
  std::uint16_t grpc_port() const { return grpc_->port(); }
  Zone& zone() { return *zone_; }

 private:
  Server() = default;
  Status Listen(const ServerOptions& options, const TlsKeys& keys);
  Status Prepare(const ServerOptions& options);
  // Submits something and waits for the answer.
  Status Apply(Action what);
  // Until no call runs, or it has waited long enough.
  void AwaitCalls();

  std::unique_ptr<Audit> audit_;
  std::unique_ptr<Metrics> metrics_;
  Tokens tokens_;
  std::unique_ptr<Zone> zone_;
  std::unique_ptr<Api> api_;
  std::unique_ptr<GrpcServer> grpc_;
  std::unique_ptr<HttpServer> http_;
  std::unique_ptr<PrometheusPoller> poller_;
};

}  // namespace berth
