// Transactions and commits a second of the etcd store, beside those of a bare loop over the same
// stub. Then how long a process takes to load a large zone.
#include "bench/serve/etcd.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "base/thread_executor.h"
#include "bench/bar.h"
#include "bench/serve/etcd_bare_loop.h"
#include "berth/check.h"
#include "fleet/inventory.h"
#include "store/etcd/etcd_store.h"
#include "support/etcd_servers.h"

namespace berth {
namespace {

constexpr std::uint32_t kMachines = 1000;
constexpr int kTurns = 4;
using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point began) {
  return std::chrono::duration<double>(Clock::now() - began).count();
}

std::string MachineName(std::uint64_t i) { return fmt::format("m{:06}", i); }

Machine MachineNumbered(std::uint64_t i) {
  Machine machine;
  machine.name = MachineId(MachineName(i));
  machine.datacenter = DatacenterId("dc");
  machine.cluster = ClusterId(fmt::format("c{}", i / 1000));
  machine.row = RowId("r");
  machine.rack = RackId(fmt::format("k{}", i % 1000 / 40));
  machine.sku = SkuId("s");
  machine.capacity[Resource::kCpu] = kAmountMax;  // Room is not what is measured.
  return machine;
}

ChangeSet Basics() {
  ChangeSet change;
  change.operations.emplace_back(Put{Tenant{.name = TenantId("t"), .quota = {}}});
  InstanceType type;
  type.name = TypeId("small");
  type.size[Resource::kCpu] = 1000;
  change.operations.emplace_back(Put{type});
  return change;
}

ChangeSet Machines(std::uint64_t first, std::uint64_t count) {
  ChangeSet change;
  for (std::uint64_t i = 0; i < count; ++i) {
    change.operations.emplace_back(Put{MachineNumbered(first + i)});
  }
  return change;
}

ChangeSet Gang(std::uint64_t number, std::uint32_t instances, std::uint64_t machines) {
  ChangeSet change;
  Service service;
  service.name = fmt::format("s{}", number);
  service.tenant = TenantId("t");
  service.klass = ClassId("gold");
  service.groups = {{.type = TypeId("small"), .role = RoleId("primary"), .count = instances}};
  service.next_number = instances;
  change.operations.emplace_back(Put{service});
  for (std::uint32_t i = 0; i < instances; ++i) {
    Instance instance;
    instance.id = {service.name, i};
    instance.type = TypeId("small");
    instance.role = RoleId("primary");
    instance.machine = MachineId(MachineName((number * 7919 + i) % machines));
    instance.limit[Resource::kCpu] = 1000;
    change.operations.emplace_back(Put{std::move(instance)});
  }
  return change;
}

// As an agent commits it: a service of one instance, and the decision about it.
ChangeSet Placement(std::uint64_t number) {
  ChangeSet change = Gang(number, 1, kMachines);
  Decision decision;
  decision.id = {"a0", number};
  decision.subject = fmt::format("s{}", number);
  decision.placed = {{.instance = 0, .machine = MachineId(MachineName(number % kMachines))}};
  decision.funnels = {{.type = TypeId("small"),
                       .role = RoleId("primary"),
                       .instances = 1,
                       .clusters = 1,
                       .machines = kMachines,
                       .steps = {{.rule = RuleId("healthy"), .validator = true, .left = 990},
                                 {.rule = RuleId("fits"), .validator = true, .left = 400},
                                 {.rule = RuleId("best_fit"), .validator = false, .left = 12}}}};
  change.operations.emplace_back(Put{std::move(decision)});
  return change;
}

// Always has so many commits waiting, until it has made them all. Members are its executor's
// thread's.
class Client {
 public:
  using Make = std::function<ChangeSet(std::uint64_t number)>;
  Client(Store& store, std::uint64_t count, Make make)
      : store_(store), count_(count), make_(std::move(make)) {}

  void Start(std::size_t waiting) {
    executor_.Post([this, waiting] {
      for (std::size_t i = 0; i < waiting; ++i) CommitNext();
    });
  }
  void Await() { done_.get_future().wait(); }
  // No more; returns when what it has begun is answered.
  void Finish() {
    executor_.Post([this] { count_ = begun_; });
    Await();
  }

 private:
  void CommitNext() {
    if (begun_ == count_) return;
    store_.Commit(make_(++begun_), executor_, [this](const CommitReply& reply) {
      BERTH_CHECK(reply.outcome == CommitReply::Outcome::kCommitted);
      if (++answered_ == count_) return done_.set_value();
      CommitNext();
    });
  }

  Store& store_;
  std::uint64_t count_;
  const Make make_;
  std::uint64_t begun_ = 0;
  std::uint64_t answered_ = 0;
  std::promise<void> done_;
  ThreadExecutor executor_;
};

void CommitAll(Store& store, std::uint64_t count, const Client::Make& make) {
  Client client(store, count, make);
  client.Start(1024);
  client.Await();
}

EtcdOptions OptionsOf(const testing::EtcdServers& servers, const std::string& prefix) {
  EtcdOptions options;
  options.address = ParseEtcdAddress(servers.endpoints() + "/" + prefix).value();
  return options;
}

std::unique_ptr<EtcdStore> Open(const EtcdOptions& options) {
  Result<std::unique_ptr<EtcdStore>> opened = EtcdStore::Open(options);
  if (!opened.ok()) {
    fmt::print(stderr, "{}\n", opened.status().message());
    std::exit(1);  // NOLINT(concurrency-mt-unsafe): nothing is left to lose.
  }
  return std::move(opened).value();
}

struct Measured {
  double transactions_per_second = 0;
  double commits_per_second = 0;
  double operations = 0;  // In each.
  double commits = 0;
  double bytes = 0;
};

// A store with so many commits waiting, as long as it is its turn.
class LoadedStore {
 public:
  LoadedStore(const testing::EtcdServers& servers, std::size_t waiting)
      : waiting_(waiting), store_(Open(OptionsOf(servers, fmt::format("w{}", waiting)))) {
    CommitAll(*store_, 1 + kMachines / 100, [](std::uint64_t number) {
      return number == 1 ? Basics() : Machines((number - 2) * 100, 100);
    });
  }

  void TakeTurn(std::chrono::milliseconds length) {
    Client client(*store_, UINT64_MAX, [this](std::uint64_t) { return Placement(++placed_); });
    client.Start(waiting_);
    std::this_thread::sleep_for(length / 4);  // It gets warm.
    const EtcdStore::Counts before = store_->counts();
    const Clock::time_point began = Clock::now();
    std::this_thread::sleep_for(length);
    const EtcdStore::Counts after = store_->counts();
    seconds_ += SecondsSince(began);
    transactions_ += static_cast<double>(after.transactions - before.transactions);
    operations_ += static_cast<double>(after.operations - before.operations);
    commits_ += static_cast<double>(after.commits - before.commits);
    bytes_ += static_cast<double>(after.bytes - before.bytes);
    client.Finish();
  }

  Measured AllTurns() const {
    return {.transactions_per_second = transactions_ / seconds_,
            .commits_per_second = commits_ / seconds_,
            .operations = operations_ / transactions_,
            .commits = commits_ / transactions_,
            .bytes = bytes_ / transactions_};
  }

 private:
  const std::size_t waiting_;
  std::unique_ptr<EtcdStore> store_;
  std::uint64_t placed_ = 0;
  double seconds_ = 0;
  double transactions_ = 0;
  double operations_ = 0;
  double commits_ = 0;
  double bytes_ = 0;
};

// Transactions of the same size, so many at once.
BareLoop Like(const Measured& measured, std::size_t in_flight) {
  const auto rounded = [](double value) { return static_cast<std::size_t>(value + 0.5); };
  BareLoop loop;
  loop.in_flight = in_flight;
  loop.puts = rounded(measured.operations);
  loop.watched = 1 + rounded(measured.commits);
  loop.bytes = rounded(measured.bytes);
  return loop;
}

// The best of the settings, which are how many commits wait at once.
struct Shares {
  double transactions = 0;
  double commits = 0;
};

// Two bare loops, because a store that packs commits into one transaction can be compared in two
// ways. By transaction: the loop writes transactions as large as the store's were, as many puts and
// bytes, one in flight as the store has, and so shows what judging, encoding and following cost. By
// commit: the loop has as many in flight as the store has commits waiting, and writes a transaction
// for each, with the puts of one commit alone; so it shows whether one transaction in flight holds
// those back who wait. The loop compares nothing, keeps nothing and never asks again: all of that
// is in the store's figure only. They take turns, so that whatever else the machine does
// meets all of them.
Shares BestShares(const std::filesystem::path& folder, std::size_t members, bool full) {
  const testing::EtcdServers servers(folder, {.members = members, .sync = true, .flags = {}});
  const std::chrono::milliseconds length(full ? 2000 : 500);
  const std::string endpoint = OptionsOf(servers, "bare").address.endpoints[0];
  Shares best;
  BareLoop alone;
  for (const std::size_t waiting : {std::size_t{1}, std::size_t{16}, std::size_t{256}}) {
    LoadedStore loaded(servers, waiting);
    double bare = 0;
    double each = 0;
    for (int turn = 0; turn < kTurns; ++turn) {
      loaded.TakeTurn(length);
      const BareLoop like = Like(loaded.AllTurns(), 1);
      bare += BareTransactionsPerSecond(endpoint, like, length) / kTurns;
      if (waiting == 1) alone = like;
      alone.in_flight = waiting;
      each += BareTransactionsPerSecond(endpoint, alone, length) / kTurns;
    }
    const Measured store = loaded.AllTurns();
    const Shares shares = {.transactions = store.transactions_per_second / bare,
                           .commits = store.commits_per_second / each};
    fmt::print("  {:>7} {:>8} {:>9.1f} {:>9.0f} {:>9.0f} {:>6.2f} {:>10.0f} {:>9.0f} {:>6.2f}\n",
               members, waiting, store.operations, store.transactions_per_second, bare,
               shares.transactions, store.commits_per_second, each, shares.commits);
    best.transactions = std::max(best.transactions, shares.transactions);
    best.commits = std::max(best.commits, shares.commits);
  }
  return best;
}

void BenchLoad(const std::filesystem::path& folder, bool full) {
  const std::uint64_t machines = full ? 100'000 : 20'000;
  const testing::EtcdServers servers(
      folder, {.members = 1, .sync = false, .flags = {"--quota-backend-bytes=8000000000"}});
  {
    const auto store = Open(OptionsOf(servers, "large"));
    CommitAll(*store, 1 + machines / 100, [](std::uint64_t number) {
      return number == 1 ? Basics() : Machines((number - 2) * 100, 100);
    });
    CommitAll(*store, machines,
              [machines](std::uint64_t number) { return Gang(number, 5, machines); });
  }
  const Clock::time_point began = Clock::now();
  const auto store = Open(OptionsOf(servers, "large"));
  const double seconds = SecondsSince(began);
  fmt::print("{} machines and {} instances loaded in {:.2f} s\n", machines, 5 * machines, seconds);
  if (full) PrintBar("serve.etcd_load_seconds", seconds, "<=", 10);
}

}  // namespace

void BenchEtcd(const std::filesystem::path& folder, bool full) {
  fmt::print("etcd, synced; one process, one transaction in flight, one watcher\n");
  fmt::print("  {:>7} {:>8} {:>9} {:>9} {:>9} {:>6} {:>10} {:>9} {:>6}\n", "members", "waiting",
             "puts/txn", "txns/s", "bare", "share", "commits/s", "bare", "share");
  const Shares one = BestShares(folder, 1, full);
  const Shares three = BestShares(folder, 3, full);
  PrintBar("serve.etcd_1_share_of_bare_loop", one.transactions, ">=", 0.7);
  PrintBar("serve.etcd_3_share_of_bare_loop", three.transactions, ">=", 0.7);
  PrintBar("serve.etcd_1_commits_share_of_bare_loop", one.commits, ">=", 0.7);
  PrintBar("serve.etcd_3_commits_share_of_bare_loop", three.commits, ">=", 0.7);
  BenchLoad(folder, full);
}

}  // namespace berth
