// An allocation agent: proposes on its own view of the fleet, commits to the shared store, and
// learns from the store's log.
//
// Any number of agents work over one store. Each follows every commit, decides without waiting for
// the others, and places tentatively in its view while its commit is in flight. A conflict takes
// that back and decides again. What is refused because of something tentative is decided again once
// that is known, and requests about one service wait for each other.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "allocate/evaluator.h"
#include "allocate/experiment.h"
#include "allocate/outlook.h"
#include "allocate/refusal.h"
#include "berth/executor.h"
#include "berth/request.h"
#include "berth/store.h"
#include "fleet/inventory.h"

namespace berth {

struct AgentStats : DecidingStats {
  std::uint64_t invalid = 0;  // Bad input.
  std::uint64_t failed = 0;   // The store could not.
};

class Agent {
 public:
  struct Options {
    std::string name = "a0";
    std::string default_policy;      // In force while the store holds none.
    bool refresh_when_idle = false;  // Bring what is kept up to date between requests.
    Thinking thinking = {};          // How long decisions take in rehearsal; see EngineOptions.
    NewOutlook new_outlook = {};     // Empty: rules get to see none.
  };
  Agent(Store& store, Executor& executor, Options options);
  ~Agent();
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;

  // How the view came to be what it is: begun from the whole state, then commit after commit. The
  // view is there before `begun` is called, and knows a commit before `committed` is.
  struct Following {
    std::function<void()> begun;  // Again whenever the way between was lost.
    std::function<void(const Committed&)> committed;
  };

  // Reads the store and follows it; requests wait until `ready` is told.
  void Start(std::function<void(Status)> ready, Following following = {});
  // Answers through the executor.
  void Submit(Request request, ReplyDone done);

  // As AskWhyNot of explain.h, by what it knows now.
  Result<WhyNot> AskWhyNot(const Service& service, std::optional<std::uint32_t> number,
                           MachineId machine);

  // What an instance takes; for the outlook, if the policy has a use for one.
  void Observe(const InstanceId& instance, const Resources& usage, Time at);

  const Inventory& view() const { return view_; }
  // By the view and the time as they are now: it is to be asked for anew once either went on, as it
  // knows nothing of machines that came since. Null: the policy has no use for one.
  Outlook* FollowedOutlook();
  // By which services outside of an experiment are placed.
  const AllocatePolicy& policy() const { return control_->policy; }
  const AgentStats& stats() const { return stats_; }
  // Of the experiment's arms; empty when none is running.
  std::map<std::string, DecidingStats> arm_stats() const;
  const std::string& name() const { return options_.name; }
  CacheStats cache_stats() const;
  // What all decisions together took of it.
  Kept::Work cache_work() const;
  // Nothing in the view is tentative.
  bool settled() const { return in_flight_.empty(); }

 private:
  // One way of placing, with what it keeps and how its requests were decided.
  struct Arm {
    Arm(AllocatePolicy by, const Outlook* outlook)
        : policy(std::move(by)), evaluator(policy, outlook) {}

    ArmId name;  // Empty when no experiment is running.
    const AllocatePolicy policy;
    Evaluator evaluator;
    DecidingStats stats;
  };
  struct Job {
    Request request;
    ReplyDone done;
    std::uint32_t conflicts = 0;
    std::uint32_t deferrals = 0;
    bool tried = false;         // Its service is in the experiment.
    bool on_tentative = false;  // Decided on a view with commits whose answers were not there.
  };
  struct Deferred {
    std::uint64_t commits;  // Until all of so many are answered.
    std::shared_ptr<Job> job;
  };

  void BeginAgain();
  void ReadStore();
  // Answers those who wait for the view, and asks for it again later.
  void ReadAgainLater(const Status& why);
  void OnSnapshot(Result<std::shared_ptr<const Inventory>> snapshot);
  void OnEvent(const WatchEvent& event);
  Status ReloadPolicy();
  void Attempt(const std::shared_ptr<Job>& job);
  // By whose rules a request is decided.
  Arm& ArmOf(const Job& job) { return job.tried && trial_ != nullptr ? *trial_ : *control_; }
  void Count(const Job& job, std::uint64_t DecidingStats::*what, std::uint64_t by = 1);
  bool AnswerKnownKey(const std::shared_ptr<Job>& job);
  // The last commit in flight that changes the service; 0: none does.
  std::uint64_t LastChanging(std::size_t service) const;
  void Send(const std::shared_ptr<Job>& job, ChangeSet change, std::optional<Decision> decision,
            std::size_t service);
  void OnReply(const std::shared_ptr<Job>& job, std::optional<Decision> decision,
               CommitReply reply);
  void Retry(const std::shared_ptr<Job>& job, std::optional<Decision> decision,
             const CommitReply& reply);
  void CheckMerged();
  void CountExceeded(const Job& job, const Decision& decision);
  // Whether it is put off until what is tentative now is known.
  bool Defer(const std::shared_ptr<Job>& job);
  void ResumeDeferred();
  void NoteThought(const Job& job, const Kept::Work& before, const Kept::Work& after);
  // Finishes it, once the decision is thought through.
  void Conclude(const std::shared_ptr<Job>& job, Reply reply);
  void EndThought();
  void InstallTentatively(std::vector<Update> updates);
  void NoteOutcome(bool conflict);
  bool AvoidsConflicts(const DecisionId& id) const;
  void RefreshSoon();
  Duration OutlookMayBeLate() const;
  // Makes the outlook go on with the time, a little at a time.
  void AgeLater();
  void Age();
  void Finish(Job& job, Reply reply);
  void AnswerDuplicate(const std::shared_ptr<Job>& job, const DecisionId& id);
  ChangeSet ToChange(const Job& job, const DecisionId& id, std::vector<Operation> operations,
                     const std::optional<Decision>& decision) const;

  Store& store_;
  Executor& executor_;
  const Options options_;
  Inventory view_;
  std::unique_ptr<Outlook> outlook_;
  bool ageing_ = false;
  std::unique_ptr<Arm> control_;
  std::optional<Experiment> experiment_;
  std::unique_ptr<Arm> trial_;  // Of the experiment.
  Revision policy_revision_{};
  std::uint64_t next_sequence_ = 1;
  std::uint64_t epoch_ = 0;  // How often the view began again.
  bool reading_ = false;     // What it begins from is asked for,
  bool was_read_ = false;    // and was there at least once.
  AgentStats stats_;
  std::unique_ptr<Watch> watch_;
  std::function<void(Status)> ready_;
  Following following_;
  std::deque<std::shared_ptr<Job>> waiting_;  // Until the view is there.
  std::uint64_t requests_waiting_ = 0;        // Submitted, not yet looked at.
  bool refreshing_ = false;
  bool thinking_ = false;                    // A decision is made but its time has not passed:
  std::function<void()> conclusion_;         // what it leads to then,
  std::deque<std::shared_ptr<Job>> queued_;  // and who waits for that.
  std::deque<bool> conflicted_;              // Of the last commits, as many as the policy's window.
  std::uint64_t conflicts_of_late_ = 0;      // Of those.
  std::uint64_t commits_sent_ = 0;
  struct InFlight {
    std::uint64_t commit;
    std::size_t service;  // Its name's hash; 0: none.
  };
  std::vector<InFlight> in_flight_;  // Commits without an answer, in their order.
  std::vector<Deferred> deferred_;
  // Commits from a stale view, until the view knows what they were merged with.
  struct Merged {
    Revision revision;
    std::shared_ptr<Job> job;
    Decision decision;
  };
  std::vector<Merged> merged_;
  bool started_ = false;
  Status broken_;                // Why it cannot work any more.
  std::shared_ptr<bool> alive_;  // Replies that arrive after its end are dropped.
};

}  // namespace berth
