// What the store's tests share: an executor that the test itself runs, a place for a store, and a
// small fleet.
#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "berth/store.h"
#include "fleet/inventory.h"
#include "store/open.h"
#include "support/paths.h"
#include "support/temp_folder.h"

namespace berth {

// How a test's parameter is named in its output.
inline void PrintTo(const StoreKind& kind, std::ostream* out) { *out << kind.name; }
inline std::string KindName(const ::testing::TestParamInfo<StoreKind>& info) {
  return std::string(info.param.name);
}

// Runs posted tasks on the thread that asks it to. Its time stands still unless it is moved.
class Mailbox final : public Executor {
 public:
  Time now() const override;
  void Post(Task task) override;
  void PostAt(Time at, Task task) override;

  void Advance(Duration by);
  // Runs tasks until `done`; false when none came for so long that none will.
  bool RunUntil(const std::function<bool()>& done);
  // Runs what is there, without waiting.
  void RunWaiting();

 private:
  bool Next(Task& task, bool wait);

  mutable std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<Task> tasks_;
  std::multimap<Time, Task> later_;
  Time now_ = TimeFromMicros(1'000'000'000);
};

// A place of its own for a store of any kind: nothing, a fresh directory, a fresh prefix in an etcd
// that is started when first needed and serves the whole test program.
class StorePlace {
 public:
  explicit StorePlace(const StoreKind& kind);
  // As OpenStore takes it.
  const std::string& where() const { return where_; }

 private:
  testing::TempFolder dir_{testing::BinaryDir()};
  std::string where_;
};

CommitReply CommitAndWait(Store& store, Mailbox& mailbox, ChangeSet change);
std::shared_ptr<const Inventory> ReadAndWait(Store& store, Mailbox& mailbox);
Result<Decision> DecisionAndWait(Store& store, Mailbox& mailbox, const DecisionId& id);
// Every revision after `from` up to the present one.
std::vector<std::shared_ptr<const Committed>> LogAndWait(Store& store, Mailbox& mailbox,
                                                         Revision from = {});

Resources Cpu(std::int64_t millicores);
Tenant TenantNamed(std::string_view name);
InstanceType TypeNamed(std::string_view name, std::int64_t millicores);
Machine MachineNamed(std::string_view name, std::int64_t millicores = 8000);
// A service of tenant "t", so many instances of type "small".
Service ServiceNamed(const std::string& name, std::uint32_t instances);
Instance InstanceOn(const std::string& service, std::uint32_t number, std::string_view machine,
                    std::int64_t millicores = 1000);
// The service with one instance on each machine.
std::vector<Operation> CreateOn(const std::string& service,
                                const std::vector<std::string>& machines);
Decision DecisionNumbered(const std::string& agent, std::uint64_t sequence);

ChangeSet ChangeOf(std::vector<Operation> operations, Revision seen, Time at = {});
// Tenant "t", type "small" of 1 cpu, machines m0, m1, ... of 8 cpus.
ChangeSet SmallFleet(std::uint32_t machines);

// Records in key order: what two stores must agree on, whatever order they keep them in.
std::vector<Update> SortedRecords(const Inventory& inventory);
bool SameUpdates(const std::vector<Update>& a, const std::vector<Update>& b);

}  // namespace berth
