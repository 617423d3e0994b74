#include "allocate/agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "allocate/propose.h"
#include "fleet/judge.h"

namespace berth {
namespace {

constexpr Duration kIdempotencyKept = std::chrono::hours(24);

// What would cure it, as far as the validator's rule tells.
Cure CureOf(const Violation& violation) {
  const std::string& rule = violation.rule.str();
  if (rule == "quota") return Cure::kMoreQuota;
  if (rule == "fits" || rule == "healthy") return Cure::kMoreMachines;
  return Cure::kOtherRules;
}

Refusal RefusalOf(const Violation& violation) {
  return {.rule = violation.rule,
          .because = violation.because,
          .cure = CureOf(violation),
          .nearest = {}};
}

}  // namespace

Agent::Agent(Store& store, Executor& executor, std::string name, std::string default_policy)
    : store_(store),
      executor_(executor),
      name_(std::move(name)),
      default_policy_(std::move(default_policy)),
      alive_(std::make_shared<bool>(true)) {}

Agent::~Agent() { *alive_ = false; }

void Agent::Start(std::function<void(Status)> ready,
                  std::function<void(const Committed&)> on_commit) {
  ready_ = std::move(ready);
  on_commit_ = std::move(on_commit);
  BeginAgain();
}

void Agent::OnSnapshot(Result<std::shared_ptr<const Inventory>> snapshot) {
  Status status = snapshot.status();
  if (snapshot.ok()) {
    view_ = *snapshot.value();
    if (const auto last = view_.decisions().find(name_); last != view_.decisions().end()) {
      next_sequence_ = last->second + 1;
    }
    status = ReloadPolicy();
  }
  if (status.ok()) {
    watch_ = store_.WatchFrom(view_.revision(), executor_,
                              [this](const WatchEvent& event) { OnEvent(event); });
    started_ = true;
  } else {
    broken_ = status;
  }
  if (ready_) std::exchange(ready_, nullptr)(status);
  for (std::shared_ptr<Job>& job : std::exchange(waiting_, {})) Attempt(job);
}

Status Agent::ReloadPolicy() {
  const std::string& text = view_.policy().text.empty() ? default_policy_ : view_.policy().text;
  BERTH_TRY(const Document document, ParseDocument(text, "policy"));
  BERTH_TRY(policy_, ParseAllocatePolicy(document.root()));
  policy_revision_ = view_.policy_revision();
  return {};
}

void Agent::BeginAgain() {
  ++epoch_;
  started_ = false;
  watch_.reset();
  store_.Read(executor_, [this, alive = alive_](Result<std::shared_ptr<const Inventory>> snapshot) {
    if (*alive) OnSnapshot(std::move(snapshot));
  });
}

void Agent::OnEvent(const WatchEvent& event) {
  // Fell so far behind that the log has forgotten the way: begin again from the whole state.
  if (event.committed == nullptr) return BeginAgain();
  view_.Apply(*event.committed);
  if (view_.policy_revision() != policy_revision_) {
    if (Status status = ReloadPolicy(); !status.ok()) broken_ = status;
  }
  if (on_commit_) on_commit_(*event.committed);
}

void Agent::Submit(Request request, ReplyDone done) {
  auto job = std::make_shared<Job>(Job{.request = std::move(request), .done = std::move(done)});
  executor_.Post([this, alive = alive_, job] {
    if (*alive) Attempt(job);
  });
}

void Agent::Attempt(const std::shared_ptr<Job>& job) {
  if (!broken_.ok()) return Finish(*job, {.status = broken_});
  if (!started_) return waiting_.push_back(job);
  if (!job->request.idempotency_key.empty()) {
    const auto known = view_.idempotency().find(job->request.idempotency_key);
    if (known != view_.idempotency().end() && known->second.expires > executor_.now()) {
      if (known->second.request_hash == Fingerprint(job->request)) {
        return AnswerDuplicate(job, known->second.decision);
      }
      return Finish(*job, {.status = Status(Code::kInvalidArgument,
                                            fmt::format("key {} was used before for a different "
                                                        "request; choose another",
                                                        known->second.key))});
    }
  }
  const DecisionId id{name_, next_sequence_};
  const Proposing context{.policy = policy_,
                          .view = view_,
                          .id = id,
                          .now = executor_.now(),
                          .behind_others = job->request.behind_others};
  Result<Proposal> proposed = Propose(context, job->request.what);
  if (!proposed.ok()) {
    if (!Defer(job)) Finish(*job, {.status = proposed.status()});
    return;
  }
  Proposal& proposal = proposed.value();

  ChangeSet change = ToChange(*job, id, std::move(proposal.operations), proposal.decision);
  Judgement judgement = Judge(view_, change, executor_.now());
  const bool waits = proposal.decision && proposal.decision->kind == DecisionKind::kWait;
  const bool refused = proposal.decision && proposal.decision->refusal && !waits;
  if ((judgement.violation || refused) && Defer(job)) return;
  if (judgement.violation && proposal.decision && !proposal.decision->refusal) {
    // The rules found it good but the whole is not: say so, and keep only that.
    proposal.decision->refusal = RefusalOf(*judgement.violation);
    proposal.decision->placed.clear();
    change = ToChange(*job, id, {}, proposal.decision);
    judgement = Judge(view_, change, executor_.now());
  }
  if (judgement.violation) {
    return Finish(*job,
                  {.status = Status(Code::kFailedPrecondition, judgement.violation->because)});
  }
  const bool accepted = !proposal.decision || !proposal.decision->refusal || waits;
  if (!accepted && job->request.quiet) {
    return Finish(*job, {.status = {}, .decision = std::move(proposal.decision)});
  }
  ++next_sequence_;
  InstallTentatively(std::move(judgement.updates));
  in_flight_.insert(++commits_sent_);
  store_.Commit(std::move(change), executor_,
                [this, alive = alive_, epoch = epoch_, number = commits_sent_, job,
                 decision = std::move(proposal.decision)](CommitReply reply) {
                  if (!*alive) return;
                  // A view that began again since holds nothing tentative to take back.
                  if (epoch != epoch_) reply.latest.clear();
                  in_flight_.erase(number);
                  OnReply(job, decision, std::move(reply));
                  ResumeDeferred();
                });
}

// Only what services gain or change. What goes is still there for others until the commit, and
// their commits on it must find it here; the fleet and the policy are never worked on tentatively.
void Agent::InstallTentatively(std::vector<Update> updates) {
  const bool gains = std::ranges::all_of(updates, [](const Update& update) {
    const RecordKind kind = update.key.kind;
    return kind == RecordKind::kInstance || kind == RecordKind::kIdempotency ||
           kind == RecordKind::kDecision || (kind == RecordKind::kService && update.record);
  });
  if (!gains) return;
  for (Update& update : updates) {
    const RecordKind kind = update.key.kind;
    if (kind != RecordKind::kInstance && kind != RecordKind::kService) continue;
    update.revision = view_.revision();
    view_.Install(update);
  }
}

bool Agent::Defer(const std::shared_ptr<Job>& job) {
  if (in_flight_.empty() || job->deferrals++ >= policy_.retries) return false;
  deferred_.push_back({.commits = commits_sent_, .job = job});
  return true;
}

void Agent::ResumeDeferred() {
  const std::uint64_t answered = in_flight_.empty() ? commits_sent_ : *in_flight_.begin() - 1;
  std::vector<std::shared_ptr<Job>> resumed;
  std::erase_if(deferred_, [&](const Deferred& deferred) {
    const bool known = deferred.commits <= answered;
    if (known) resumed.push_back(deferred.job);
    return known;
  });
  for (const std::shared_ptr<Job>& job : resumed) Attempt(job);
}

ChangeSet Agent::ToChange(const Job& job, const DecisionId& id, std::vector<Operation> operations,
                          const std::optional<Decision>& decision) const {
  ChangeSet change;
  change.seen = view_.revision();
  change.at = executor_.now();
  change.operations = std::move(operations);
  if (decision) {
    Decision final_form = *decision;
    final_form.conflicts = job.conflicts;
    change.operations.emplace_back(Put{std::move(final_form)});
  }
  if (!job.request.idempotency_key.empty()) {
    change.operations.emplace_back(Put{Idempotency{.key = job.request.idempotency_key,
                                                   .request_hash = Fingerprint(job.request),
                                                   .decision = id,
                                                   .expires = executor_.now() + kIdempotencyKept}});
  }
  return change;
}

void Agent::OnReply(const std::shared_ptr<Job>& job, const std::optional<Decision>& decision,
                    CommitReply reply) {
  ++stats_.commits;
  if (reply.outcome != CommitReply::Outcome::kCommitted) {
    for (const Update& update : reply.latest)
      view_.Install(update);  // Takes back what was tentative.
  }
  switch (reply.outcome) {
    case CommitReply::Outcome::kCommitted:
      if (reply.merged) ++stats_.merged;
      return Finish(*job, {.status = {}, .decision = decision, .revision = reply.revision});
    case CommitReply::Outcome::kConflict:
      ++stats_.conflicts;
      return Retry(job, decision, reply);
    case CommitReply::Outcome::kRefused:
      return Finish(*job, {.status = Status(Code::kFailedPrecondition, reply.violation->because)});
    case CommitReply::Outcome::kDuplicate:
      return AnswerDuplicate(job, reply.duplicate_of);
    case CommitReply::Outcome::kFailed:
      ++stats_.failed;
      BeginAgain();  // What is tentative in the view may never be.
      return Finish(*job, {.status = reply.status});
  }
}

void Agent::Retry(const std::shared_ptr<Job>& job, const std::optional<Decision>& decision,
                  const CommitReply& reply) {
  if (job->conflicts++ < policy_.retries) return Attempt(job);
  Reply answer{.status = {}, .decision = decision};
  if (answer.decision) {
    answer.decision->placed.clear();
    answer.decision->refusal = Refusal{
        .rule = RuleId("retries"),
        .because = fmt::format("others changed what it chose {} times over; the last time: {}",
                               job->conflicts, reply.violation->because),
        .cure = Cure::kRetry,
        .nearest = {}};
  }
  Finish(*job, std::move(answer));
}

void Agent::AnswerDuplicate(const std::shared_ptr<Job>& job, const DecisionId& id) {
  store_.ReadDecision(id, executor_, [this, alive = alive_, job](Result<Decision> found) {
    if (!*alive) return;
    Reply reply{
        .status = found.status(), .decision = std::nullopt, .revision = {}, .duplicate = true};
    if (found.ok()) reply.decision = std::move(found).value();
    Finish(*job, std::move(reply));
  });
}

void Agent::Finish(Job& job, Reply reply) {
  if (!reply.status.ok()) {
    ++stats_.invalid;
  } else if (reply.accepted()) {
    ++stats_.accepted;
  } else {
    ++stats_.refused;
  }
  if (job.done) job.done(std::move(reply));
}

}  // namespace berth
