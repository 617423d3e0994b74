// For tests: a store that answers commits as it is told to, whatever they hold, and keeps none.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "berth/store.h"
#include "fleet/inventory.h"
#include "support/random_fleet.h"

namespace berth::testing {

class ScriptedStore final : public Store {
 public:
  using Outcome = CommitReply::Outcome;

  // `outcome_of` is given how many commits came before. The fleet is what everybody reads.
  ScriptedStore(Inventory fleet, std::function<Outcome(int)> outcome_of)
      : fleet_(std::move(fleet)), outcome_of_(std::move(outcome_of)) {}

  void Commit(ChangeSet change, Executor& reply_on, CommitDone done) override {
    CommitReply reply;
    reply.outcome = outcome_of_(commits++);
    reply.revision = fleet_.revision();
    reply.status = Status(Code::kUnavailable, "the disk is full");
    reply.violation = Violation{.rule = RuleId("fits"), .because = "someone was faster"};
    for (const Operation& operation : change.operations) {
      const Record& record = std::get<berth::Put>(operation).record;
      const RecordKey key = KeyOf(record);
      if (key.kind == RecordKind::kDecision) continue;
      if (const auto* instance = std::get_if<Instance>(&record)) {
        chosen.push_back(instance->machine);
      }
      reply.latest.insert(reply.latest.begin(),
                          {.key = key, .record = fleet_.Get(key), .revision = {}});
    }
    reply_on.Post([done = std::move(done), reply] { done(reply); });
  }
  void Read(Executor& reply_on, SnapshotDone done) override {
    ++reads;
    reply_on.Post(
        [done = std::move(done), view = std::make_shared<const Inventory>(fleet_)] { done(view); });
  }
  std::unique_ptr<Watch> WatchFrom(Revision /*from*/, Executor& /*reply_on*/,
                                   OnEvent /*on_event*/) override {
    return std::make_unique<Watch>();
  }
  void ReadDecision(const DecisionId& /*id*/, Executor& reply_on, DecisionDone done) override {
    reply_on.Post([done = std::move(done)] { done(Status(Code::kNotFound, "none")); });
  }

  const Inventory& fleet() const { return fleet_; }
  int commits = 0;
  int reads = 0;
  std::vector<MachineId> chosen;  // For each instance of each commit.

 private:
  Inventory fleet_;
  std::function<Outcome(int)> outcome_of_;
};

// A tenant "acme", a type "small" of one cpu, and machines of these many cpus, "m0" on.
inline Inventory FleetForSmall(const std::vector<std::int64_t>& machines) {
  Inventory fleet;
  testing::PutInto(fleet, Tenant{.name = TenantId("acme"), .quota = std::nullopt});
  InstanceType type;
  type.name = TypeId("small");
  type.size = Sized(1, 1);
  testing::PutInto(fleet, type);
  for (std::size_t i = 0; i < machines.size(); ++i) {
    Machine machine;
    machine.name = MachineId(fmt::format("m{}", i));
    machine.capacity = Sized(machines[i], machines[i]);
    testing::PutInto(fleet, machine);
  }
  return fleet;
}

// A service of so many of them.
inline Service SmallService(std::uint32_t count) {
  Service service;
  service.name = "web";
  service.tenant = TenantId("acme");
  service.klass = ClassId("gold");
  service.groups = {{.type = TypeId("small"), .role = {}, .count = count}};
  return service;
}

}  // namespace berth::testing
