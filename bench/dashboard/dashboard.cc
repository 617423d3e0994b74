// What the dashboard costs who looks at it: a map of 100,000 machines of which 100 change a second,
// in a real browser that renders without a graphics card.
//
//   bench_dashboard [--full]       from the top of the tree; needs chromium, node and python3
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

#include "bench/serve/load.h"
#include "berth/check.h"
#include "serve/server.h"

namespace berth {
namespace {

constexpr std::uint32_t kClusters = 100;
constexpr std::uint32_t kRacks = 25;     // A cluster,
constexpr std::uint32_t kMachines = 40;  // a rack.
constexpr double kChangesPerSecond = 100;
constexpr std::size_t kSecondsOfChanges = 45;  // Longer than the driver looks.
constexpr std::size_t kPlacedBefore = 20'000;
constexpr const char* kDriver = "bench/dashboard/drive.py";

// No preference: a uniform draw among all that fit in a few clusters, so that machines differ.
constexpr std::string_view kPolicy =
    "name: spread\n"
    "allocate:\n"
    "  clusters: 20\n"
    "  rules: [healthy, supports, fits, quota]\n";

FleetFile FleetToLookAt() {
  FleetFile file;
  InstanceType type;
  type.name = TypeId("small");
  type.size[Resource::kCpu] = 1000;
  type.size[Resource::kMemory] = std::int64_t{4} << 30;
  file.types.push_back(type);
  file.machines.reserve(std::size_t{kClusters} * kRacks * kMachines);
  for (std::uint32_t i = 0; i < kClusters * kRacks * kMachines; ++i) {
    Machine machine;
    machine.name = MachineId(fmt::format("m{:06}", i));
    machine.datacenter = DatacenterId("dc");
    machine.cluster = ClusterId(fmt::format("c{:02}", i / (kRacks * kMachines)));
    machine.row = RowId("r");
    machine.rack = RackId(fmt::format("k{:02}", i / kMachines % kRacks));
    machine.sku = SkuId("s");
    machine.capacity[Resource::kCpu] = 4000;
    machine.capacity[Resource::kMemory] = std::int64_t{16} << 30;
    file.machines.push_back(machine);
  }
  return file;
}

// Its exit code.
int RunDriver(const std::string& address, bool full) {
  std::string python = "python3";
  std::string script = kDriver;
  std::string url = fmt::format("http://{}", address);
  std::string how = full ? "--full" : "--quick";
  std::array<char*, 5> arguments = {python.data(), script.data(), url.data(), how.data(), nullptr};
  pid_t child = 0;
  std::fflush(stdout);
  BERTH_CHECK(posix_spawnp(&child, "python3", nullptr, nullptr, arguments.data(), environ) == 0);
  int status = 0;
  BERTH_CHECK(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int Bench(bool full) {
  const std::filesystem::path policy =
      std::filesystem::temp_directory_path() / "berth-bench-dashboard.yaml";
  std::ofstream(policy) << kPolicy;
  ServerOptions options;
  options.store = "memory";
  options.fleet = FleetToLookAt();
  options.policy = policy.string();
  options.audit = "/dev/null";
  options.http.port = 0;
  options.grpc.port = 0;
  const Result<std::unique_ptr<Server>> server = Server::Start(options);
  if (!server.ok()) {
    fmt::print(stderr, "{}\n", server.status().message());
    return 1;
  }
  const std::string grpc = fmt::format("127.0.0.1:{}", server.value()->grpc_port());
  fmt::print("{} machines, {} changes a second; server and browser on the same cores\n",
             kClusters * kRacks * kMachines, kChangesPerSecond);
  CreateOverGrpc(grpc, {.calls = kPlacedBefore, .prefix = "before-"});
  std::thread changes([&] {
    const auto calls = static_cast<std::size_t>(kChangesPerSecond) * kSecondsOfChanges;
    CreateOverGrpc(grpc, {.calls = calls, .per_second = kChangesPerSecond, .prefix = "during-"});
  });
  const int code = RunDriver(fmt::format("127.0.0.1:{}", server.value()->http_port()), full);
  changes.join();
  return code;
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  if (!std::filesystem::exists(berth::kDriver)) {
    fmt::print(stderr, "There is no {} here; run this from the top of the tree\n", berth::kDriver);
    return 1;
  }
  return berth::Bench(argc > 1 && std::string_view(argv[1]) == "--full");
}
