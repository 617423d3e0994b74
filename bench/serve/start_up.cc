#include "bench/serve/start_up.h"

#include <fmt/format.h>

#include <chrono>
#include <future>
#include <vector>

#include "base/thread_executor.h"
#include "bench/bar.h"
#include "bench/serve/load.h"
#include "berth/check.h"
#include "serve/server.h"
#include "store/open.h"

namespace berth {
namespace {

constexpr std::uint32_t kMachines = 100'000;
constexpr std::uint32_t kServices = 5'000;
constexpr std::uint32_t kPerService = 100;
constexpr std::size_t kAtOnce = 10'000;

void Commit(Store& store, Executor& executor, std::vector<Operation> operations) {
  ChangeSet change;
  change.seen = Revision{UINT64_MAX};
  change.operations = std::move(operations);
  std::promise<CommitReply> done;
  store.Commit(std::move(change), executor,
               [&](CommitReply reply) { done.set_value(std::move(reply)); });
  const CommitReply reply = done.get_future().get();
  BERTH_CHECK(reply.outcome == CommitReply::Outcome::kCommitted);
}

class Loader {
 public:
  Loader(Store& store, Executor& executor) : store_(store), executor_(executor) {}
  void Put(Record record) {
    operations_.emplace_back(berth::Put{std::move(record)});
    if (operations_.size() >= kAtOnce) Flush();
  }
  void Flush() { Commit(store_, executor_, std::exchange(operations_, {})); }

 private:
  Store& store_;
  Executor& executor_;
  std::vector<Operation> operations_;
};

void PutFleet(Loader& loader) {
  loader.Put(Tenant{.name = TenantId("default"), .quota = {}});
  InstanceType type;
  type.name = TypeId("small");
  type.size[Resource::kCpu] = 1000;
  loader.Put(type);
  for (std::uint32_t i = 0; i < kMachines; ++i) {
    Machine machine;
    machine.name = MachineId(fmt::format("m{:06}", i));
    machine.datacenter = DatacenterId("dc");
    machine.cluster = ClusterId(fmt::format("c{:02}", i / 1000));
    machine.row = RowId(fmt::format("r{}", i % 1000 / 200));
    machine.rack = RackId(fmt::format("k{}", i % 1000 / 20));
    machine.sku = SkuId("s");
    machine.capacity[Resource::kCpu] = 64'000;
    loader.Put(machine);
  }
  loader.Flush();
}

void PutServices(Loader& loader) {
  for (std::uint32_t s = 0; s < kServices; ++s) {
    Service service;
    service.name = fmt::format("s{}", s);
    service.tenant = TenantId("default");
    service.klass = ClassId("gold");
    service.groups = {{TypeId("small"), RoleId(), kPerService}};
    service.next_number = kPerService;
    loader.Put(service);
    for (std::uint32_t i = 0; i < kPerService; ++i) {
      Instance instance;
      instance.id = {service.name, i};
      instance.type = TypeId("small");
      instance.machine = MachineId(fmt::format("m{:06}", (s * kPerService + i) % kMachines));
      instance.limit[Resource::kCpu] = 1000;
      instance.state = InstanceState::kRunning;
      loader.Put(instance);
    }
    // A service and its instances belong into one change.
    if (s % (kAtOnce / (2 * kPerService)) == 0) loader.Flush();
  }
  loader.Flush();
}

}  // namespace

void BenchStartUp(const std::filesystem::path& folder) {
  const std::string name = "rocksdb:" + (folder / "zone").string();
  {
    ThreadExecutor executor;
    Result<std::unique_ptr<Store>> store = OpenStore(name);
    BERTH_CHECK(store.ok());
    Loader loader(*store.value(), executor);
    PutFleet(loader);
    PutServices(loader);
  }
  const auto start = std::chrono::steady_clock::now();
  ServerOptions options;
  options.store = name;
  options.audit = "/dev/null";
  options.http.port = 0;
  options.grpc.port = 0;
  const Result<std::unique_ptr<Server>> server = Server::Start(options);
  BERTH_CHECK(server.ok());
  const std::chrono::duration<double> started = std::chrono::steady_clock::now() - start;
  const Served first = CreateOverGrpc(fmt::format("127.0.0.1:{}", server.value()->grpc_port()),
                                      {.in_flight = 1, .calls = 1, .prefix = "first-"});
  BERTH_CHECK(first.failed == 0);
  const std::chrono::duration<double> placed = std::chrono::steady_clock::now() - start;
  fmt::print("{} machines, {} instances: answers after {:.2f} s, first placement after {:.2f} s\n",
             kMachines, kServices * kPerService, started.count(), placed.count());
  PrintBar("serve.start_up_seconds", placed.count(), "<=", 10);
}

}  // namespace berth
