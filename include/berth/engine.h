// Start here: submit a Request, get a Reply.
//
//   auto executor = NewVirtualExecutor();           // Or NewThreadExecutor(), to run live.
//   auto store = OpenStore("memory").value();       // Or "rocksdb:./berth-data".
//   Engine engine(*store, *executor, {.agents = 2});
//   engine.Start([&](Status ready) { ... });
//   engine.Submit({.what = CreateService{web}}, [](Reply reply) { ... });
//   executor->RunUntilIdle();
//
// docs/library.md shows it as a whole program.
//
// The engine is the control loop over one store: agents that place, the queue of those that wait,
// and the reallocation of what ran on machines that fail, drain or leave. It never blocks, sleeps
// or reads a clock, so the same engine runs live and in rehearsal.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "berth/executor.h"
#include "berth/records.h"
#include "berth/request.h"
#include "berth/store.h"
#include "berth/usage_point.h"

namespace berth {

class Inventory;
class LivePrograms;
class Outlook;
class Replicator;
class Sizer;
class TraceLibrary;
struct CacheStats;
struct WhyNot;

struct EngineOptions {
  std::uint32_t agents = 1;
  std::string name = "a";           // Agents are called by it and a number: a0, a1...
  std::string default_policy = {};  // In force while the store holds none; empty: the shipped one.
  bool refresh_when_idle = false;   // Agents bring what they keep up to date between requests.
  Thinking thinking = {};           // Empty: no virtual time.
  // What instances took in the past, for policies that look ahead. Null: each is taken to go on
  // needing the most that it was seen to take.
  std::shared_ptr<const TraceLibrary> demand = {};
  // Programs that policies may name as recommenders (rightsize/live_program.h); they outlive the
  // engine. Null: any name is taken, and nothing is asked.
  LivePrograms* programs = nullptr;
};

struct EngineStats : DecidingStats {
  std::uint64_t pending = 0;          // Instances that wait now.
  std::uint64_t reallocated = 0;      // Instances moved off machines that failed, drained or left.
  std::uint64_t disruptions = 0;      // In the last hour, as the policy's limits count them.
  std::uint64_t held_back = 0;        // Moves that those limits put off.
  std::uint64_t violations = 0;       // Machines off which instances were moved to end a violation,
  std::uint64_t resolving_moves = 0;  // and those instances.
  std::uint64_t room_making_moves = 0;  // Of instances, so that one that waits finds room.
  std::uint64_t passes = 0;             // Of the scheduler that the policy names,
  Duration passing{};                   // what they took,
  std::uint64_t seated = 0;             // whom they gave a place,
  std::uint64_t preempted = 0;          // and who yielded for that.
  std::uint64_t resizes = 0;            // Limits set as recommended.
  std::uint64_t not_admitted = 0;  // Requests refused so that promises already made can be kept.
};

// Why Berth does not move instances of a service that it would move.
struct HeldBack {
  Time until;           // When it may be tried again.
  std::string because;  // One sentence.
};

// For Engine::Observe: a resource of which it is not known how much is taken is less than nothing.
Resources NothingObserved();

// The change that takes an empty machine out of the fleet.
ChangeFleet RemovalOf(const std::string& machine);

class Engine {
 public:
  Engine(Store& store, Executor& executor, EngineOptions options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Requests submitted before `ready` wait for it.
  void Start(std::function<void(Status)> ready);
  void Submit(Request request, ReplyDone done);
  // Empties a machine, then removes it from the fleet. The key is that of the removal: RemovalOf.
  void Decommission(const std::string& machine, ReplyDone done, std::string idempotency_key = {});

  // What an instance takes, for policies that look ahead. Instances that are not there are ignored,
  // and so is what is older than the instance; see NothingObserved.
  void Observe(const InstanceId& instance, const Resources& usage, Time at);
  // The same of much at once: the last of it, and the most.
  void Observe(const InstanceId& instance, const Resources& usage, const Resources& peak, Time at);
  // What was observed before a restart of the instance that was created then. Only before Start, so
  // that nothing is decided without it.
  void Recall(const InstanceId& instance, Time created, const Resources& usage,
              const Resources& peak, Time at);
  // The samples themselves, of cpu or memory: what limits and counts are recommended from.
  // Instances that are not there are ignored, and so is what is no amount or comes minutes too
  // late.
  void ObserveUsage(const InstanceId& instance, Resource resource,
                    std::span<const UsagePoint> points);

  // What it recommends, and what that is based on (engine/sizer.h, engine/replicator.h).
  Sizer& sizer();
  Replicator& replicator();

  // What instances took in the past, as known by now: from the next epoch of the policy's estimates
  // on newcomers draw from it, and machines once they change or are refreshed.
  void UseDemand(std::shared_ptr<const TraceLibrary> demand);
  // What they draw from.
  std::shared_ptr<const TraceLibrary> demand() const;

  // Why an instance is not on a machine, or one more of the service could not be, by all that is
  // known and foreseen now (allocate/refusal.h).
  Result<WhyNot> AskWhyNot(const Service& service, std::optional<std::uint32_t> number,
                           MachineId machine);

  // The first agent's, of what is measured and foreseen (allocate/outlook.h), by its view as it is
  // now; null: its policy has no use for one.
  const Outlook* FollowedOutlook();

  // The first agent's view.
  const Inventory& view() const;
  EngineStats stats() const;
  // What the policy's limits on disruption put off, by service.
  std::map<std::string, HeldBack> held_back() const;
  // Of the experiment's two arms, by their names; empty when none is running.
  std::map<std::string, DecidingStats> arms() const;
  // Of what all agents keep (allocate/cache/kept.h).
  CacheStats cache_stats() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth
