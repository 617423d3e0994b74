#include "serve/server.h"

#include <fmt/format.h>

#include <future>

#include "base/document.h"
#include "base/run_on.h"
#include "engine/policy.h"
#include "fleet/fleet_file.h"
#include "fleet/inventory.h"
#include "oversub/demand_library_file.h"
#include "store/open.h"
#include "store/shared_store.h"

namespace berth {
namespace {

constexpr Duration kDrainMax = std::chrono::seconds(10);
// A key each, and one change is one etcd transaction of at most 128 keys unless etcd is told more.
constexpr std::size_t kPutAtOnce = 100;

// Loopback is for everybody on this machine; the rest of the world needs a key and a token.
Status CheckReach(const ServerOptions& options) {
  if (options.insecure) return {};
  for (const Address& address : {options.http, options.grpc}) {
    if (address.IsLoopback()) continue;
    if (!options.tls_certificate.empty() && !options.tokens.empty()) continue;
    return {Code::kInvalidArgument,
            fmt::format("{} can be reached from other machines: give --tls-cert, --tls-key and "
                        "--tokens, or --insecure if you mean it",
                        address.str())};
  }
  return {};
}

Result<TlsKeys> ReadKeys(const ServerOptions& options) {
  TlsKeys keys;
  if (options.tls_certificate.empty() != options.tls_key.empty()) {
    return Status(Code::kInvalidArgument, "--tls-cert and --tls-key go together; give both");
  }
  if (options.tls_certificate.empty()) {
    if (options.tls_client_ca.empty()) return keys;
    return Status(Code::kInvalidArgument, "--tls-client-ca needs --tls-cert and --tls-key");
  }
  BERTH_TRY(keys.certificate, ReadText(options.tls_certificate));
  BERTH_TRY(keys.key, ReadText(options.tls_key));
  if (!options.tls_client_ca.empty()) {
    BERTH_TRY(keys.client_authority, ReadText(options.tls_client_ca));
  }
  return keys;
}

// What a file says that the store does not. A machine's health is what was last said of it.
std::vector<Record> NewIn(const FleetFile& file, const Inventory& now) {
  std::vector<Record> records;
  const auto add = [&](const Record& record) {
    if (now.Get(KeyOf(record)) != record) records.push_back(record);
  };
  for (const Tenant& tenant : file.tenants) add(tenant);
  for (const InstanceType& type : file.types) add(type);
  for (Machine machine : file.machines) {
    if (const MachineState* there = now.Find(machine.name)) machine.health = there->record.health;
    add(machine);
  }
  return records;
}

// What the numbers of this process's agents come after. Where other processes serve the same zone,
// agents of the same name would take each other's decision numbers.
std::string AgentsName(const ServerOptions& options, const Store& store) {
  const auto* shared = dynamic_cast<const SharedStore*>(&store);
  return shared == nullptr ? options.name : fmt::format("{}{}.", options.name, shared->opening());
}

}  // namespace

Result<std::unique_ptr<Server>> Server::Start(const ServerOptions& options) {
  BERTH_RETURN_IF_ERROR(CheckReach(options));
  BERTH_TRY(const TlsKeys keys, ReadKeys(options));
  std::unique_ptr<Server> server(new Server());
  if (!options.tokens.empty()) {
    BERTH_TRY(server->tokens_, Tokens::Read(options.tokens));
  }
  BERTH_TRY(server->audit_, Audit::Open(options.audit));
  server->metrics_ = std::make_unique<Metrics>();
  std::shared_ptr<const TraceLibrary> demand;
  if (!options.demand.empty()) {
    BERTH_TRY(TraceLibrary library, ReadDemandLibrary(options.demand));
    demand = std::make_shared<const TraceLibrary>(std::move(library));
  }
  BERTH_TRY(
      std::unique_ptr<LivePrograms> programs,
      LivePrograms::Open(options.programs, [audit = server->audit_.get()](const std::string& what) {
        audit->Say("program", what);
      }));
  BERTH_TRY(std::unique_ptr<Store> store, OpenStore(options.store));
  BERTH_TRY(std::unique_ptr<Observations> observations, OpenObservations(options.store));
  std::unique_ptr<LearntModels> learnt;
  if (options.learn) {
    BERTH_TRY(learnt, RecallLearnt(*observations, demand));
  }
  std::string name = AgentsName(options, *store);
  server->zone_ = std::make_unique<Zone>(std::move(store), std::move(observations), options.store,
                                         Zone::Options{.agents = options.agents,
                                                       .agent_name = std::move(name),
                                                       .default_policy = {},
                                                       .demand = std::move(demand),
                                                       .learnt = std::move(learnt),
                                                       .programs = std::move(programs)});
  BERTH_RETURN_IF_ERROR(server->zone_->Start());
  BERTH_RETURN_IF_ERROR(server->Prepare(options));
  server->api_ = std::make_unique<Api>(
      *server->zone_, *server->metrics_, *server->audit_, server->tokens_,
      Api::Limits{.in_flight = options.in_flight, .per_second = options.calls_per_second});
  BERTH_RETURN_IF_ERROR(server->Listen(options, keys));
  if (options.prometheus) {
    server->poller_ =
        std::make_unique<PrometheusPoller>(*options.prometheus, *server->zone_, *server->audit_);
  }
  server->audit_->Say("started",
                      fmt::format("HTTP on port {}, gRPC on port {}, store {}", server->http_port(),
                                  server->grpc_port(), options.store));
  return server;
}

Server::~Server() {
  poller_.reset();
  if (api_ != nullptr) {
    api_->Drain();
    AwaitCalls();
  }
  if (grpc_ != nullptr) grpc_->Stop(std::chrono::seconds(1));
  if (http_ != nullptr) http_->Stop();
  zone_.reset();  // What it still answers, it answers to transports that are there but stopped.
  if (http_ != nullptr) audit_->Say("stopped", "every answered decision is in the store");
}

void Server::AwaitCalls() {
  // Behind the last that streams are told.
  AwaitOn(zone_->tells(), kDrainMax, [this] { return api_->in_flight() == 0; });
}

Status Server::Listen(const ServerOptions& options, const TlsKeys& keys) {
  BERTH_TRY(grpc_, StartGrpcServer(*api_, options.grpc, keys));
  BERTH_TRY(http_,
            StartHttpServer(
                *api_, *metrics_,
                {.address = options.http, .tls = keys, .connections_max = options.connections}));
  return {};
}

Status Server::Apply(Action what) {
  std::promise<Status> answered;
  zone_->decides().Post([&] {
    zone_->engine().Submit({.what = std::move(what)},
                           [&](const Reply& reply) { answered.set_value(reply.status); });
  });
  return answered.get_future().get();
}

// Brings in the fleet and the policy that the command line names, as far as they are new.
Status Server::Prepare(const ServerOptions& options) {
  BERTH_TRY(const std::shared_ptr<const Inventory> now, zone_->Snapshot());
  std::string text = now->policy().text;
  if (!options.policy.empty()) {
    BERTH_TRY(text, ReadText(options.policy));
    if (text != now->policy().text) BERTH_RETURN_IF_ERROR(Apply(ApplyPolicy{text}));
  }
  BERTH_RETURN_IF_ERROR(CheckProgramsOf(text, "the policy in force", zone_->programs().Names()));
  FleetFile file = options.fleet.value_or(FleetFile());
  if (now->revision() == Revision{}) file.tenants.push_back({TenantId(kFirstTenant), {}});
  std::vector<Record> records = NewIn(file, *now);
  for (std::size_t from = 0; from < records.size(); from += kPutAtOnce) {
    ChangeFleet change;
    const std::size_t to = std::min(records.size(), from + kPutAtOnce);
    change.put.assign(std::make_move_iterator(records.begin() + static_cast<std::ptrdiff_t>(from)),
                      std::make_move_iterator(records.begin() + static_cast<std::ptrdiff_t>(to)));
    BERTH_RETURN_IF_ERROR(Apply(std::move(change)));
  }
  return {};
}

}  // namespace berth
