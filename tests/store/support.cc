#include "support.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "berth/check.h"
#include "support/etcd_servers.h"

namespace berth {
namespace {

// Far longer than any answer takes, even under a sanitizer on a busy machine.
constexpr std::chrono::seconds kWaitMax{60};

std::string FreshEtcdPlace() {
  static const testing::EtcdServers kServers(testing::BinaryDir(), {});
  static int places = 0;
  return fmt::format("{}/place-{}", kServers.endpoints(), ++places);
}

}  // namespace

Time Mailbox::now() const {
  const std::lock_guard lock(mutex_);
  return now_;
}

void Mailbox::Post(Task task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  filled_.notify_one();
}

void Mailbox::PostAt(Time at, Task task) {
  {
    const std::lock_guard lock(mutex_);
    if (at > now_) {
      later_.emplace(at, std::move(task));
      return;
    }
    tasks_.push_back(std::move(task));
  }
  filled_.notify_one();
}

void Mailbox::Advance(Duration by) {
  const std::lock_guard lock(mutex_);
  now_ += by;
  while (!later_.empty() && later_.begin()->first <= now_) {
    tasks_.push_back(std::move(later_.begin()->second));
    later_.erase(later_.begin());
  }
}

bool Mailbox::Next(Task& task, bool wait) {
  std::unique_lock lock(mutex_);
  if (wait) filled_.wait_for(lock, kWaitMax, [&] { return !tasks_.empty(); });
  if (tasks_.empty()) return false;
  task = std::move(tasks_.front());
  tasks_.pop_front();
  return true;
}

bool Mailbox::RunUntil(const std::function<bool()>& done) {
  Task task;
  while (!done()) {
    if (!Next(task, /*wait=*/true)) return false;
    task();
  }
  return true;
}

void Mailbox::RunWaiting() {
  Task task;
  while (Next(task, /*wait=*/false)) task();
}

StorePlace::StorePlace(const StoreKind& kind) : where_(kind.name) {
  if (!kind.TakesPlace()) return;
  where_ += ":" + (kind.name == "etcd" ? FreshEtcdPlace() : dir_.path().string());
}

CommitReply CommitAndWait(Store& store, Mailbox& mailbox, ChangeSet change) {
  std::optional<CommitReply> got;
  store.Commit(std::move(change), mailbox, [&](CommitReply reply) { got = std::move(reply); });
  BERTH_CHECK(!got);  // Never inside the call.
  BERTH_CHECK(mailbox.RunUntil([&] { return got.has_value(); }));
  return *got;
}

std::shared_ptr<const Inventory> ReadAndWait(Store& store, Mailbox& mailbox) {
  std::shared_ptr<const Inventory> got;
  store.Read(mailbox, [&](Result<std::shared_ptr<const Inventory>> snapshot) {
    BERTH_CHECK(snapshot.ok());
    got = snapshot.value();
  });
  BERTH_CHECK(mailbox.RunUntil([&] { return got != nullptr; }));
  return got;
}

Result<Decision> DecisionAndWait(Store& store, Mailbox& mailbox, const DecisionId& id) {
  std::optional<Result<Decision>> got;
  store.ReadDecision(id, mailbox, [&](Result<Decision> decision) { got = std::move(decision); });
  BERTH_CHECK(mailbox.RunUntil([&] { return got.has_value(); }));
  return *got;
}

std::vector<std::shared_ptr<const Committed>> LogAndWait(Store& store, Mailbox& mailbox,
                                                         Revision from) {
  const Revision last = ReadAndWait(store, mailbox)->revision();
  std::vector<std::shared_ptr<const Committed>> log;
  bool compacted = false;
  const auto watch = store.WatchFrom(from, mailbox, [&](const WatchEvent& event) {
    compacted = compacted || event.committed == nullptr;
    if (event.committed != nullptr && event.committed->revision <= last) {
      log.push_back(event.committed);
    }
  });
  BERTH_CHECK(mailbox.RunUntil(
      [&] { return compacted || from >= last || (!log.empty() && log.back()->revision == last); }));
  return log;
}

Resources Cpu(std::int64_t millicores) {
  Resources amounts;
  amounts[Resource::kCpu] = millicores;
  return amounts;
}

Tenant TenantNamed(std::string_view name) {
  return {.name = TenantId(name), .quota = std::nullopt};
}

InstanceType TypeNamed(std::string_view name, std::int64_t millicores) {
  return {.name = TypeId(name), .size = Cpu(millicores), .skus = {}, .requires_labels = {}};
}

Machine MachineNamed(std::string_view name, std::int64_t millicores) {
  Machine machine;
  machine.name = MachineId(name);
  machine.datacenter = DatacenterId("dc");
  machine.cluster = ClusterId("c");
  machine.row = RowId("r");
  machine.rack = RackId("k");
  machine.sku = SkuId("s");
  machine.capacity = Cpu(millicores);
  return machine;
}

Service ServiceNamed(const std::string& name, std::uint32_t instances) {
  Service service;
  service.name = name;
  service.tenant = TenantId("t");
  service.klass = ClassId("gold");
  service.groups = {{.type = TypeId("small"), .role = RoleId("primary"), .count = instances}};
  service.next_number = instances;
  return service;
}

Instance InstanceOn(const std::string& service, std::uint32_t number, std::string_view machine,
                    std::int64_t millicores) {
  Instance instance;
  instance.id = {service, number};
  instance.type = TypeId("small");
  instance.role = RoleId("primary");
  instance.machine = MachineId(machine);
  instance.limit = Cpu(millicores);
  return instance;
}

std::vector<Operation> CreateOn(const std::string& service,
                                const std::vector<std::string>& machines) {
  const auto count = static_cast<std::uint32_t>(machines.size());
  std::vector<Operation> operations = {Put{ServiceNamed(service, count)}};
  for (std::uint32_t i = 0; i < count; ++i) {
    operations.emplace_back(Put{InstanceOn(service, i, machines[i])});
  }
  return operations;
}

Decision DecisionNumbered(const std::string& agent, std::uint64_t sequence) {
  Decision decision;
  decision.id = {agent, sequence};
  decision.subject = fmt::format("subject-{}", sequence);
  decision.at = TimeFromMicros(static_cast<std::int64_t>(sequence));
  return decision;
}

ChangeSet ChangeOf(std::vector<Operation> operations, Revision seen, Time at) {
  ChangeSet change;
  change.operations = std::move(operations);
  change.seen = seen;
  change.at = at;
  return change;
}

ChangeSet SmallFleet(std::uint32_t machines) {
  std::vector<Operation> operations = {Put{TenantNamed("t")}, Put{TypeNamed("small", 1000)}};
  for (std::uint32_t i = 0; i < machines; ++i) {
    operations.emplace_back(Put{MachineNamed(fmt::format("m{}", i))});
  }
  return ChangeOf(std::move(operations), Revision{});
}

std::vector<Update> SortedRecords(const Inventory& inventory) {
  std::vector<Update> all = inventory.AllRecords();
  std::ranges::sort(all, {}, &Update::key);
  return all;
}

bool SameUpdates(const std::vector<Update>& a, const std::vector<Update>& b) {
  return std::ranges::equal(a, b, [](const Update& x, const Update& y) {
    return x.key == y.key && x.record == y.record && x.revision == y.revision;
  });
}

}  // namespace berth
