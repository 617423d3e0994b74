// What a served allocation costs: durable, over gRPC and over HTTP/JSON, load included; beside the
// cheapest call over the same transport. How long a large zone takes to start. And what the etcd
// store leaves of etcd's own speed.
//
//   bench_serve [--full] [--dir DIR]
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "bench/bar.h"
#include "bench/serve/etcd.h"
#include "bench/serve/load.h"
#include "bench/serve/start_up.h"
#include "berth/check.h"
#include "serve/server.h"

namespace berth {
namespace {

constexpr std::uint32_t kMachines = 10'000;

FleetFile BenchFleet() {
  FleetFile file;
  InstanceType type;
  type.name = TypeId("small");
  type.size[Resource::kCpu] = 1000;
  type.size[Resource::kMemory] = std::int64_t{4} << 30;
  file.types.push_back(type);
  for (std::uint32_t i = 0; i < kMachines; ++i) {
    Machine machine;
    machine.name = MachineId(fmt::format("m{:05}", i));
    machine.datacenter = DatacenterId("dc");
    machine.cluster = ClusterId(fmt::format("c{}", i / 1000));
    machine.row = RowId("r");
    machine.rack = RackId(fmt::format("k{}", i % 1000 / 20));
    machine.sku = SkuId("s");
    machine.capacity[Resource::kCpu] = 64'000;
    machine.capacity[Resource::kMemory] = std::int64_t{256} << 30;
    file.machines.push_back(machine);
  }
  return file;
}

void Print(std::string_view name, const Served& served) {
  fmt::print("  {:<34} {:>9.0f} {:>9.2f} {:>9.2f} {:>7}\n", name, served.rate, served.p50_ms,
             served.p99_ms, served.failed);
}

Status BenchCalls(const std::filesystem::path& folder, bool full) {
  ServerOptions options;
  options.store = "rocksdb:" + (folder / "calls").string();
  options.fleet = BenchFleet();
  options.audit = (folder / "audit.log").string();
  options.http.port = 0;
  options.grpc.port = 0;
  Result<std::unique_ptr<Server>> server = Server::Start(options);
  if (!server.ok()) return server.status();
  const std::string grpc = fmt::format("127.0.0.1:{}", server.value()->grpc_port());
  const std::uint16_t http = server.value()->http_port();
  const std::size_t calls = full ? 150'000 : 40'000;
  fmt::print("{} machines, RocksDB, synced; 256 in flight, client and server on the same cores\n",
             kMachines);
  fmt::print("  {:<34} {:>9} {:>9} {:>9} {:>7}\n", "", "calls/s", "p50 ms", "p99 ms", "failed");
  Print("gRPC, health", HealthOverGrpc(grpc, {.calls = calls}));
  CreateOverGrpc(grpc, {.calls = calls / 8, .prefix = "warm-"});
  const Served by_grpc = CreateOverGrpc(grpc, {.calls = calls, .prefix = "g-"});
  Print("gRPC, allocations", by_grpc);
  const Served half_grpc =
      CreateOverGrpc(grpc, {.calls = calls / 2, .per_second = 5'000, .prefix = "gh-"});
  Print("gRPC, allocations at 5,000/s", half_grpc);
  Print("HTTP, health", HealthOverHttp(http, {.calls = calls}));
  const Served by_http = CreateOverHttp(http, {.calls = calls, .prefix = "h-"});
  Print("HTTP, allocations", by_http);
  const Served half_http =
      CreateOverHttp(http, {.calls = calls / 2, .per_second = 3'000, .prefix = "hh-"});
  Print("HTTP, allocations at 3,000/s", half_http);
  for (const Served& served : {by_grpc, half_grpc, by_http, half_http}) {
    BERTH_CHECK(served.failed == 0);
  }
  PrintBar("serve.grpc_allocations_per_second", by_grpc.rate, ">=", 10'000);
  PrintBar("serve.http_allocations_per_second", by_http.rate, ">=", 6'000);
  PrintBar("serve.grpc_p99_ms_at_5000", half_grpc.p99_ms, "<=", 25);
  PrintBar("serve.http_p99_ms_at_3000", half_http.p99_ms, "<=", 25);
  return {};
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  bool full = false;
  std::filesystem::path parent = std::filesystem::temp_directory_path();
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--full") full = true;
    if (argument == "--dir" && i + 1 < argc) parent = argv[++i];
  }
  std::string folder = (parent / "berth-bench-XXXXXX").string();
  BERTH_CHECK(mkdtemp(folder.data()) != nullptr);
  const berth::Status status = berth::BenchCalls(folder, full);
  if (status.ok()) {
    berth::BenchStartUp(folder);
    berth::BenchEtcd(folder, full);
  } else {
    fmt::print(stderr, "{}\n", status.message());
  }
  std::filesystem::remove_all(folder);
  return status.ok() ? 0 : 1;
}
