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
#include <set>
#include <string>
#include <vector>

#include "allocate/evaluator.h"
#include "berth/executor.h"
#include "berth/request.h"
#include "berth/store.h"
#include "fleet/inventory.h"

namespace berth {

struct AgentStats {
  std::uint64_t accepted = 0;
  std::uint64_t refused = 0;
  std::uint64_t invalid = 0;    // Bad input.
  std::uint64_t failed = 0;     // The store could not.
  std::uint64_t commits = 0;    // That the store answered,
  std::uint64_t conflicts = 0;  // of them lost to others,
  std::uint64_t merged = 0;     // and of them won although the view was stale.
};

class Agent {
 public:
  struct Options {
    std::string name = "a0";
    std::string default_policy;      // In force while the store holds none.
    bool refresh_when_idle = false;  // Bring what is kept up to date between requests.
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

  const Inventory& view() const { return view_; }
  const AllocatePolicy& policy() const { return policy_; }
  const AgentStats& stats() const { return stats_; }
  const std::string& name() const { return options_.name; }
  CacheStats cache_stats() const;
  // Nothing in the view is tentative.
  bool settled() const { return in_flight_.empty(); }

 private:
  struct Job {
    Request request;
    ReplyDone done;
    std::uint32_t conflicts = 0;
    std::uint32_t deferrals = 0;
  };
  struct Deferred {
    std::uint64_t commits;  // Until all of so many are answered.
    std::shared_ptr<Job> job;
  };

  void BeginAgain();
  void OnSnapshot(Result<std::shared_ptr<const Inventory>> snapshot);
  void OnEvent(const WatchEvent& event);
  Status ReloadPolicy();
  void Attempt(const std::shared_ptr<Job>& job);
  bool AnswerKnownKey(const std::shared_ptr<Job>& job);
  void Send(const std::shared_ptr<Job>& job, ChangeSet change, std::optional<Decision> decision,
            const std::string& service);
  void OnReply(const std::shared_ptr<Job>& job, const std::optional<Decision>& decision,
               CommitReply reply);
  void Retry(const std::shared_ptr<Job>& job, const std::optional<Decision>& decision,
             const CommitReply& reply);
  // Whether it is put off until what is tentative now is known.
  bool Defer(const std::shared_ptr<Job>& job);
  void ResumeDeferred();
  void InstallTentatively(std::vector<Update> updates);
  void NoteOutcome(bool conflict);
  bool AvoidsConflicts(const DecisionId& id) const;
  void RefreshSoon();
  void Finish(Job& job, Reply reply);
  void AnswerDuplicate(const std::shared_ptr<Job>& job, const DecisionId& id);
  ChangeSet ToChange(const Job& job, const DecisionId& id, std::vector<Operation> operations,
                     const std::optional<Decision>& decision) const;

  Store& store_;
  Executor& executor_;
  const Options options_;
  Inventory view_;
  AllocatePolicy policy_;
  std::unique_ptr<Evaluator> evaluator_;  // Of this view and policy.
  Revision policy_revision_{};
  std::uint64_t next_sequence_ = 1;
  std::uint64_t epoch_ = 0;  // How often the view began again.
  AgentStats stats_;
  std::unique_ptr<Watch> watch_;
  std::function<void(Status)> ready_;
  Following following_;
  std::deque<std::shared_ptr<Job>> waiting_;  // Until the view is there.
  std::uint64_t requests_waiting_ = 0;        // Submitted, not yet looked at.
  bool refreshing_ = false;
  std::deque<bool> conflicted_;          // Of the last commits, as many as the policy's window.
  std::uint64_t conflicts_of_late_ = 0;  // Of those.
  std::uint64_t commits_sent_ = 0;
  std::set<std::uint64_t> in_flight_;  // Numbers of commits without an answer.
  std::map<std::string, std::uint64_t> services_in_flight_;  // By which of them each is changed.
  std::vector<Deferred> deferred_;
  bool started_ = false;
  Status broken_;                // Why it cannot work any more.
  std::shared_ptr<bool> alive_;  // Replies that arrive after its end are dropped.
};

}  // namespace berth
