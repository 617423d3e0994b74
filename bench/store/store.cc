// How much committing together is worth: commits per sync, and commits per second against the same
// store with a batch limit of one, on the same file system and with the same number waiting.
//
//   bench_store [--full] [--dir DIR]
#include <fmt/format.h>
#include <sys/vfs.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/thread_executor.h"
#include "berth/check.h"
#include "store/faulty_files.h"
#include "store/rocksdb_store.h"

namespace berth {
namespace {

constexpr std::uint32_t kMachines = 1000;
constexpr std::uint64_t kTmpfsMagic = 0x01021994;

struct Setting {
  std::size_t waiting = 1;
  std::size_t batch_max = 1;
  Duration sync_delay{};
  Duration length{};
};

struct Measured {
  double commits_per_second = 0;
  double commits_per_sync = 0;
};

std::string MachineName(std::uint64_t i) { return fmt::format("m{:04}", i); }

ChangeSet Fleet() {
  ChangeSet change;
  change.operations.emplace_back(Put{Tenant{.name = TenantId("t"), .quota = {}}});
  InstanceType type;
  type.name = TypeId("small");
  type.size[Resource::kCpu] = 1000;
  change.operations.emplace_back(Put{type});
  for (std::uint32_t i = 0; i < kMachines; ++i) {
    Machine machine;
    machine.name = MachineId(MachineName(i));
    machine.datacenter = DatacenterId("dc");
    machine.cluster = ClusterId("c");
    machine.row = RowId("r");
    machine.rack = RackId(fmt::format("k{}", i / 40));
    machine.sku = SkuId("s");
    machine.capacity[Resource::kCpu] = kAmountMax;  // Room is not what is measured.
    change.operations.emplace_back(Put{machine});
  }
  return change;
}

// A placement as an agent commits it: a service of one instance, and the decision about it.
ChangeSet Placement(std::uint64_t number) {
  Service service;
  service.name = fmt::format("s{}", number);
  service.tenant = TenantId("t");
  service.klass = ClassId("gold");
  service.groups = {{.type = TypeId("small"), .role = RoleId("primary"), .count = 1}};
  service.next_number = 1;
  Instance instance;
  instance.id = {service.name, 0};
  instance.type = TypeId("small");
  instance.role = RoleId("primary");
  instance.machine = MachineId(MachineName(number * 7919 % kMachines));
  instance.limit[Resource::kCpu] = 1000;
  Decision decision;
  decision.id = {"a0", number};
  decision.subject = service.name;
  decision.placed = {{.instance = 0, .machine = instance.machine}};
  decision.funnels = {{.type = TypeId("small"),
                       .role = RoleId("primary"),
                       .instances = 1,
                       .clusters = 1,
                       .machines = kMachines,
                       .steps = {{.rule = RuleId("healthy"), .validator = true, .left = 990},
                                 {.rule = RuleId("fits"), .validator = true, .left = 400},
                                 {.rule = RuleId("best_fit"), .validator = false, .left = 12}}}};
  ChangeSet change;
  change.operations = {Put{std::move(service)}, Put{std::move(instance)}, Put{std::move(decision)}};
  change.seen = Revision{1};
  return change;
}

// One thread that always has so many commits waiting. Members are its executor's thread's.
class Client {
 public:
  Client(Store& store, std::size_t waiting, ThreadExecutor& executor)
      : store_(store), waiting_(waiting), executor_(executor) {}

  void Start() {
    store_.Commit(Fleet(), executor_, [this](const CommitReply& reply) {
      BERTH_CHECK(reply.outcome == CommitReply::Outcome::kCommitted);
      for (std::size_t i = 0; i < waiting_; ++i) CommitNext();
    });
  }

 private:
  void CommitNext() {
    store_.Commit(Placement(++number_), executor_, [this](const CommitReply& reply) {
      BERTH_CHECK(reply.outcome == CommitReply::Outcome::kCommitted);
      CommitNext();
    });
  }

  Store& store_;
  const std::size_t waiting_;
  ThreadExecutor& executor_;
  std::uint64_t number_ = 0;
};

// Reads the executor's clock until it has passed; coarse on purpose, the machine is busy elsewhere.
void Pass(const Executor& executor, Duration length) {
  const Time until = executor.now() + length;
  while (executor.now() < until) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

Measured Measure(const std::string& folder, const Setting& setting) {
  const std::string directory = folder + "/bench-store";
  std::filesystem::remove_all(directory);
  FaultyFiles files;
  files.DelaySyncs(setting.sync_delay);
  RocksDbOptions options;
  options.directory = directory;
  options.batch_max = setting.batch_max;
  options.files = files.files();
  Measured measured;
  {
    auto store = RocksDbStore::Open(options);
    if (!store.ok()) {
      fmt::print(stderr, "{}\n", store.status().message());
      std::exit(1);  // NOLINT(concurrency-mt-unsafe): no other thread runs yet.
    }
    ThreadExecutor executor;
    Client client(*store.value(), setting.waiting, executor);
    client.Start();
    Pass(executor, setting.length / 4);
    const StoreStats before = store.value()->stats();
    const Time began = executor.now();
    Pass(executor, setting.length);
    const StoreStats after = store.value()->stats();
    const double seconds = static_cast<double>((executor.now() - began).count()) / 1e6;
    executor.Stop();
    const auto commits = static_cast<double>(after.commits - before.commits);
    measured.commits_per_second = commits / seconds;
    measured.commits_per_sync = commits / static_cast<double>(after.syncs - before.syncs);
  }
  std::filesystem::remove_all(directory);
  return measured;
}

void PrintRow(const Setting& setting, const Measured& measured) {
  fmt::print(
      "{:>8} {:>10} {:>11} {:>13.1f} {:>11.0f}\n", setting.waiting, setting.batch_max,
      setting.sync_delay.count() == 0 ? "-" : fmt::format("{} us", setting.sync_delay.count()),
      measured.commits_per_sync, measured.commits_per_second);
}

void PrintBar(std::string_view name, double value, double target) {
  fmt::print("BAR {} {:.1f} >= {} {}\n", name, value, target, value >= target ? "PASS" : "SHORT");
}

int Run(const std::string& folder, bool full) {
  struct statfs stats = {};
  if (statfs(folder.c_str(), &stats) != 0 ||
      static_cast<std::uint64_t>(stats.f_type) == kTmpfsMagic) {
    fmt::print(stderr,
               "{} is not on a disk (tmpfs never syncs); give --dir a directory of a real file "
               "system\n",
               folder);
    return 2;
  }
  const Duration length = full ? std::chrono::seconds(8) : std::chrono::seconds(2);
  constexpr std::size_t kTogether = 1024;
  constexpr Duration kSlow = std::chrono::milliseconds(2);
  const auto measure = [&](std::size_t waiting, std::size_t batch_max, Duration delay) {
    const Setting setting = {
        .waiting = waiting, .batch_max = batch_max, .sync_delay = delay, .length = length};
    const Measured measured = Measure(folder, setting);
    PrintRow(setting, measured);
    return measured;
  };
  fmt::print("{:>8} {:>10} {:>11} {:>13} {:>11}\n", "waiting", "batch max", "sync delay",
             "commits/sync", "commits/s");
  for (const std::size_t waiting : {std::size_t{1}, std::size_t{4}, std::size_t{16}}) {
    measure(waiting, kTogether, Duration());
  }
  const Measured together = measure(64, kTogether, Duration());
  const Measured alone = measure(64, 1, Duration());
  const Measured slow_together = measure(64, kTogether, kSlow);
  const Measured slow_alone = measure(64, 1, kSlow);
  PrintBar("store.commits_per_sync", together.commits_per_sync, 16);
  PrintBar("store.batching_speedup", together.commits_per_second / alone.commits_per_second, 6);
  PrintBar("store.batching_speedup_sync_2ms",
           slow_together.commits_per_second / slow_alone.commits_per_second, 20);
  return 0;
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  bool full = false;
  std::string folder = BERTH_BINARY_DIR;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--full") {
      full = true;
    } else if (argument == "--dir" && i + 1 < argc) {
      folder = argv[++i];
    } else {
      fmt::print(stderr, "usage: bench_store [--full] [--dir DIR]\n");
      return 2;
    }
  }
  return berth::Run(folder, full);
}
