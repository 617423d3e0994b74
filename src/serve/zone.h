// One zone being served: its store, the engine over it, and the threads they run on.
//
// The engine and its view belong to one thread, `decides`; whatever may take long, such as asking
// "why not" of a whole fleet, runs on `ponders`, and streams of news on `tells`. Forecasts have a
// thread of their own, as plans are made where the zone ponders.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/thread_executor.h"
#include "berth/engine.h"
#include "berth/store.h"
#include "rightsize/live_program.h"
#include "serve/ended_usage.h"
#include "serve/foreseer.h"
#include "serve/learner.h"
#include "serve/machine_usage.h"
#include "serve/observer.h"
#include "serve/planner.h"
#include "serve/recent_decisions.h"

namespace berth {

class Zone {
 public:
  struct Options {
    std::uint32_t agents = 1;
    std::string agent_name = "a";
    std::string default_policy;  // Empty: the shipped one.
    std::shared_ptr<const TraceLibrary> demand = {};
    // What was learnt before, demand included; null: nothing is learnt.
    std::unique_ptr<LearntModels> learnt = {};
    std::unique_ptr<LivePrograms> programs = std::make_unique<LivePrograms>();
  };
  Zone(std::unique_ptr<Store> store, std::unique_ptr<Observations> observations,
       std::string store_name, Options options);
  // Waits for what is being decided; what was not begun is dropped.
  ~Zone();
  Zone(const Zone&) = delete;
  Zone& operator=(const Zone&) = delete;

  // Waits until it can decide, by all that instances were seen to take before.
  Status Start();
  // The store as it is; waits for it. Not from the zone's own threads.
  Result<std::shared_ptr<const Inventory>> Snapshot();

  Store& store() { return *store_; }
  const std::string& store_name() const { return store_name_; }
  Executor& decides() { return decides_; }
  Executor& ponders() { return ponders_; }
  Executor& tells() { return tells_; }
  Foreseer& foreseer() { return foreseer_; }
  Observer& observer() { return observer_; }
  // On the thread that decides only.
  Engine& engine() { return *engine_; }
  const Inventory& view() const { return engine_->view(); }
  // What an instance takes, for estimates and to learn from.
  void Observe(const InstanceId& instance, const Resources& usage, const Resources& peak, Time at);
  // What the instances of machines were last seen to take.
  const MachineUsage& used() const { return used_; }
  const RecentDecisions& recent() const { return recent_; }
  // False: it is being closed, and there is no engine any more.
  bool decides_still() const { return engine_ != nullptr; }
  const Planner& planner() const { return *planner_; }
  // Null: it learns nothing.
  Learner* learner() { return learner_.get(); }
  // Which there are may be asked on any thread, what became of them on the one that decides.
  const LivePrograms& programs() const { return *programs_; }

 private:
  using RecalledUsage = std::vector<std::pair<InstanceId, SeenUsage>>;
  // Of those that are there still; the rest is dropped.
  Result<RecalledUsage> RecallUsage();
  void NoteSeen(const InstanceId& instance, const Resources& usage, Time at);
  void SaveLearnedLater();
  void SaveLearned();
  // Until programs have answered what they were told, or had time enough.
  void AwaitPrograms();

  std::string store_name_;
  ThreadExecutor decides_;
  ThreadExecutor ponders_;
  ThreadExecutor tells_;
  Foreseer foreseer_;
  std::unique_ptr<LivePrograms> programs_;  // Their threads name the one that decides.
  std::unique_ptr<Learner> learner_;        // Before the observer, whose thread may still name it.
  Observer observer_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Planner> planner_;
  RecentDecisions recent_;
  EndedUsage ended_;
  MachineUsage used_;
  bool started_ = false;  // On the thread that decides.
};

}  // namespace berth
