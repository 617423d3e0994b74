#include "allocate/agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "allocate/propose_service.h"
#include "fleet/judge.h"

namespace berth {
namespace {

constexpr Duration kIdempotencyKept = std::chrono::hours(24);
// A store that could not be read may be back soon, and must not be asked all the time until then.
constexpr Duration kReadAgainAfter = std::chrono::milliseconds(200);

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

// The service that an action is about; empty: none.
std::string_view ServiceOf(const Action& action) {
  struct Names {
    std::string_view operator()(const CreateService& a) const { return a.service.name; }
    std::string_view operator()(const ScaleService& a) const { return a.service; }
    std::string_view operator()(const ResizeService& a) const { return a.service; }
    std::string_view operator()(const DeleteService& a) const { return a.service; }
    std::string_view operator()(const MoveInstance& a) const { return a.instance.service; }
    std::string_view operator()(const PlacePending& a) const { return a.service; }
    std::string_view operator()(const SeatPending& a) const { return a.service; }
    std::string_view operator()(const SuspendInstance& a) const { return a.instance.service; }
    std::string_view operator()(const ReportInstance& a) const { return a.instance.service; }
    std::string_view operator()(const SetHealth& /*a*/) const { return {}; }
    std::string_view operator()(const ChangeFleet& /*a*/) const { return {}; }
    std::string_view operator()(const ApplyPolicy& /*a*/) const { return {}; }
  };
  return std::visit(Names(), action);
}

// 0: of none. That two services may share one does no harm: then one waits for the other.
std::size_t HashOf(std::string_view service) { return service.empty() ? 0 : TextHash{}(service); }

}  // namespace

Agent::Agent(Store& store, Executor& executor, Options options)
    : store_(store),
      executor_(executor),
      options_(std::move(options)),
      alive_(std::make_shared<bool>(true)) {}

Agent::~Agent() { *alive_ = false; }

void Agent::Start(std::function<void(Status)> ready, Following following) {
  ready_ = std::move(ready);
  following_ = std::move(following);
  BeginAgain();
}

void Agent::OnSnapshot(Result<std::shared_ptr<const Inventory>> snapshot) {
  Status status = snapshot.status();
  if (!status.ok() && was_read_) return ReadAgainLater(status);
  if (snapshot.ok()) {
    was_read_ = true;
    view_ = *snapshot.value();
    outlook_ = nullptr;  // It followed the view before this.
    if (const auto last = view_.decisions().find(options_.name); last != view_.decisions().end()) {
      next_sequence_ = std::max(next_sequence_, last->second + 1);  // Never one in flight again.
    }
    status = ReloadPolicy();
  }
  if (status.ok()) {
    watch_ = store_.WatchFrom(view_.revision(), executor_,
                              [this](const WatchEvent& event) { OnEvent(event); });
    started_ = true;
    if (following_.begun) following_.begun();
  } else {
    broken_ = status;
  }
  if (ready_) std::exchange(ready_, nullptr)(status);
  for (std::shared_ptr<Job>& job : std::exchange(waiting_, {})) Attempt(job);
}

Status Agent::ReloadPolicy() {
  const std::string& text =
      view_.policy().text.empty() ? options_.default_policy : view_.policy().text;
  BERTH_TRY(const Document document, ParseDocument(text, "policy"));
  BERTH_TRY(AllocatePolicy policy, ParseAllocatePolicy(document.root()));
  BERTH_TRY(std::optional<Experiment> experiment, ParseExperiment(document.root()));
  const bool looks_ahead = policy.reads.Has(Trait::kEpoch) ||
                           (experiment && experiment->policy.reads.Has(Trait::kEpoch));
  std::unique_ptr<Outlook> outlook;
  if (looks_ahead && options_.new_outlook) {
    BERTH_TRY(outlook, options_.new_outlook(document.root(), outlook_.get()));
    if (outlook == nullptr) outlook = std::move(outlook_);
  }
  auto control = std::make_unique<Arm>(std::move(policy), outlook.get());
  std::unique_ptr<Arm> trial;
  if (experiment) {
    trial = std::make_unique<Arm>(std::move(experiment->policy), outlook.get());
    trial->name = experiment->name;
    control->name = ArmId(kControlArm);
  }
  if (experiment && experiment_ && experiment->name == experiment_->name) {
    trial->stats = trial_->stats;  // It goes on, with another share or other rules.
    control->stats = control_->stats;
  }
  control_ = std::move(control);
  trial_ = std::move(trial);
  experiment_ = std::move(experiment);
  outlook_ = std::move(outlook);
  AgeLater();
  policy_revision_ = view_.policy_revision();
  return {};
}

void Agent::Count(const Job& job, std::uint64_t DecidingStats::*what, std::uint64_t by) {
  stats_.*what += by;
  if (!experiment_ || ServiceOf(job.request.what).empty()) return;
  ArmOf(job).stats.*what += by;
}

std::map<std::string, DecidingStats> Agent::arm_stats() const {
  if (!experiment_) return {};
  return {{control_->name.str(), control_->stats}, {trial_->name.str(), trial_->stats}};
}

void Agent::BeginAgain() {
  ++epoch_;
  started_ = false;
  watch_.reset();
  if (!reading_) ReadStore();
}

// If it begins again before the answer comes, it asks once more after that: a watch that begins
// after a commit was sent may tell the way to its answer only after it. One question at a time:
// many commits may fail at once, and a store that fails takes its time for each.
void Agent::ReadStore() {
  reading_ = true;
  store_.Read(executor_, [this, alive = alive_,
                          epoch = epoch_](Result<std::shared_ptr<const Inventory>> snapshot) {
    if (!*alive) return;
    reading_ = false;
    if (epoch != epoch_) return ReadStore();
    OnSnapshot(std::move(snapshot));
  });
}

void Agent::ReadAgainLater(const Status& why) {
  executor_.PostAt(executor_.now() + kReadAgainAfter, [this, alive = alive_, epoch = epoch_] {
    if (*alive && epoch == epoch_) ReadStore();
  });
  for (const std::shared_ptr<Job>& job : std::exchange(waiting_, {})) {
    Finish(*job, {.status = why});
  }
}

void Agent::OnEvent(const WatchEvent& event) {
  // Fell so far behind that the log has forgotten the way: begin again from the whole state.
  if (event.committed == nullptr) return BeginAgain();
  view_.Apply(*event.committed);
  if (view_.policy_revision() != policy_revision_) {
    if (Status status = ReloadPolicy(); !status.ok()) broken_ = status;
  }
  CheckMerged();
  if (following_.committed) following_.committed(*event.committed);
}

void Agent::Submit(Request request, ReplyDone done) {
  auto job = std::make_shared<Job>(Job{.request = std::move(request), .done = std::move(done)});
  ++requests_waiting_;
  executor_.Post([this, alive = alive_, job] {
    if (!*alive) return;
    --requests_waiting_;
    Attempt(job);
  });
}

// Whether its key was answered before; then it is answered with that.
bool Agent::AnswerKnownKey(const std::shared_ptr<Job>& job) {
  if (job->request.idempotency_key.empty()) return false;
  const auto known = view_.idempotency().find(job->request.idempotency_key);
  if (known == view_.idempotency().end() || known->second.expires <= executor_.now()) return false;
  if (known->second.request_hash == Fingerprint(job->request)) {
    AnswerDuplicate(job, known->second.decision);
  } else {
    Finish(*job, {.status = Status(Code::kInvalidArgument,
                                   fmt::format("key {} was used before for a different request; "
                                               "choose another",
                                               known->second.key))});
  }
  return true;
}

void Agent::Attempt(const std::shared_ptr<Job>& job) {
  if (thinking_) return queued_.push_back(job);
  if (!broken_.ok()) return Finish(*job, {.status = broken_});
  if (!started_) return waiting_.push_back(job);
  const std::string_view about = ServiceOf(job->request.what);
  job->tried = experiment_ && !about.empty() && experiment_->Includes(about);
  if (AnswerKnownKey(job)) return;
  // While a change of a service is in flight, others may change it too and the view shows a mixture
  // of both; what is decided about it must wait for the whole.
  const std::size_t service = HashOf(about);
  if (const std::uint64_t commit = LastChanging(service); commit != 0) {
    return deferred_.push_back({.commits = commit, .job = job});
  }
  const DecisionId id{options_.name, next_sequence_};
  Arm& arm = ArmOf(*job);
  arm.evaluator.SetTime(executor_.now());
  const Proposing context{.policy = arm.policy,
                          .chooser = arm.evaluator,
                          .view = view_,
                          .id = id,
                          .now = executor_.now(),
                          .behind_others = job->request.behind_others,
                          .refused = job->request.refused,
                          .avoid_conflicts = AvoidsConflicts(id),
                          .arm = service == 0 ? ArmId() : arm.name,
                          .outlook = FollowedOutlook(),
                          .avoids = job->request.avoids};
  const Kept::Work before = arm.evaluator.kept().work();
  Result<Proposal> proposed = Propose(context, job->request.what);
  NoteThought(*job, before, arm.evaluator.kept().work());
  if (!proposed.ok()) {
    if (!Defer(job)) Conclude(job, {.status = proposed.status()});
    return;
  }
  Proposal& proposal = proposed.value();
  if (proposal.decision) proposal.decision->conflicts = job->conflicts;

  ChangeSet change = ToChange(*job, id, std::move(proposal.operations), proposal.decision);
  Judgement judgement = Judge(view_, change, executor_.now(), Wanted::kToInstall);
  const bool waits = proposal.decision && proposal.decision->kind == DecisionKind::kWait;
  const bool refused = proposal.decision && proposal.decision->refusal && !waits;
  if ((judgement.violation || refused) && Defer(job)) return;
  if (judgement.violation && proposal.decision && !proposal.decision->refusal) {
    // The rules found it good but the whole is not: say so, and keep only that.
    proposal.decision->refusal = RefusalOf(*judgement.violation);
    proposal.decision->placed.clear();
    proposal.decision->evicted.clear();
    proposal.decision->yielded.clear();
    change = ToChange(*job, id, {}, proposal.decision);
    judgement = Judge(view_, change, executor_.now(), Wanted::kToInstall);
  }
  if (judgement.violation) {
    return Conclude(job,
                    {.status = Status(Code::kFailedPrecondition, judgement.violation->because)});
  }
  const bool accepted = !proposal.decision || !proposal.decision->refusal || waits;
  if (!accepted && job->request.quiet) {
    return Conclude(job, {.status = {}, .decision = std::move(proposal.decision)});
  }
  InstallTentatively(std::move(judgement.updates));
  Send(job, std::move(change), std::move(proposal.decision), service);
}

std::uint64_t Agent::LastChanging(std::size_t service) const {
  std::uint64_t last = 0;
  for (const InFlight& one : in_flight_) {
    if (service != 0 && one.service == service) last = one.commit;
  }
  return last;
}

void Agent::Send(const std::shared_ptr<Job>& job, ChangeSet change,
                 std::optional<Decision> decision, std::size_t service) {
  ++next_sequence_;
  job->on_tentative = !in_flight_.empty();
  in_flight_.push_back({.commit = ++commits_sent_, .service = service});
  auto done = [this, alive = alive_, epoch = epoch_, number = commits_sent_, job,
               decision = std::move(decision)](CommitReply reply) mutable {
    if (!*alive) return;
    // A view that began again since holds nothing tentative to take back.
    if (epoch != epoch_) reply.latest.clear();
    in_flight_.erase(std::ranges::find(in_flight_, number, &InFlight::commit));
    OnReply(job, std::move(decision), std::move(reply));
    ResumeDeferred();
  };
  if (!thinking_) return store_.Commit(std::move(change), executor_, std::move(done));
  conclusion_ = [this, change = std::move(change), done = std::move(done)] {
    store_.Commit(change, executor_, done);
  };
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
    view_.Install(std::move(update));
  }
}

bool Agent::Defer(const std::shared_ptr<Job>& job) {
  if (in_flight_.empty() || job->deferrals++ >= policy().retries) return false;
  deferred_.push_back({.commits = commits_sent_, .job = job});
  return true;
}

void Agent::ResumeDeferred() {
  if (deferred_.empty()) return;
  const std::uint64_t answered = in_flight_.empty() ? commits_sent_ : in_flight_[0].commit - 1;
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
  change.guard = job.request.guard;
  change.operations = std::move(operations);
  if (decision) change.operations.emplace_back(Put{*decision});
  if (!job.request.idempotency_key.empty()) {
    change.operations.emplace_back(Put{Idempotency{.key = job.request.idempotency_key,
                                                   .request_hash = Fingerprint(job.request),
                                                   .decision = decision ? id : DecisionId(),
                                                   .expires = executor_.now() + kIdempotencyKept}});
  }
  return change;
}

void Agent::OnReply(const std::shared_ptr<Job>& job, std::optional<Decision> decision,
                    CommitReply reply) {
  Count(*job, &DecidingStats::commits);
  NoteOutcome(reply.outcome == CommitReply::Outcome::kConflict);
  if (reply.outcome != CommitReply::Outcome::kCommitted) {
    for (const Update& update : reply.latest)
      view_.Install(update);  // Takes back what was tentative.
  }
  switch (reply.outcome) {
    case CommitReply::Outcome::kCommitted:
      if (reply.merged) {
        Count(*job, &DecidingStats::merged);
        if (decision) merged_.push_back({reply.revision, job, *decision});
        CheckMerged();
      }
      return Finish(*job,
                    {.status = {}, .decision = std::move(decision), .revision = reply.revision});
    case CommitReply::Outcome::kConflict:
      Count(*job, &DecidingStats::conflicts);
      return Retry(job, std::move(decision), reply);
    case CommitReply::Outcome::kRefused:
      // It may count on room that a commit before it would have made, and that one lost to others.
      if (job->on_tentative) return Retry(job, std::move(decision), reply);
      return Finish(*job, {.status = Status(Code::kFailedPrecondition, reply.violation->because)});
    case CommitReply::Outcome::kDuplicate:
      return AnswerDuplicate(job, reply.duplicate_of);
    case CommitReply::Outcome::kFailed:
      ++stats_.failed;
      BeginAgain();  // What is tentative in the view may never be.
      return Finish(*job, {.status = reply.status});
  }
}

void Agent::Retry(const std::shared_ptr<Job>& job, std::optional<Decision> decision,
                  const CommitReply& reply) {
  if (job->conflicts++ < ArmOf(*job).policy.retries) return Attempt(job);
  Reply answer{.status = {}, .decision = std::move(decision)};
  if (answer.decision) {
    answer.decision->placed.clear();
    answer.decision->evicted.clear();
    answer.decision->yielded.clear();
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
  // The key was written by the commit that it stands for.
  const Revision revision =
      view_.OwnRevision(KeyOf(RecordKind::kIdempotency, job->request.idempotency_key));
  // Nothing was decided about what was merely reported.
  if (id == DecisionId()) return Finish(*job, {.revision = revision, .duplicate = true});
  store_.ReadDecision(id, executor_, [this, alive = alive_, job, revision](Result<Decision> found) {
    if (!*alive) return;
    Reply reply{.status = found.status(), .revision = revision, .duplicate = true};
    if (found.ok()) reply.decision = std::move(found).value();
    Finish(*job, std::move(reply));
  });
}

void Agent::NoteOutcome(bool conflict) {
  conflicted_.push_back(conflict);
  if (conflict) ++conflicts_of_late_;
  while (conflicted_.size() > policy().conflicts.window) {
    if (conflicted_.front()) --conflicts_of_late_;
    conflicted_.pop_front();
  }
}

// The more of the last commits conflicted, the more often.
bool Agent::AvoidsConflicts(const DecisionId& id) const {
  if (conflicts_of_late_ == 0) return false;
  Rng draw = DrawsOf(id).Fork("avoid");
  return draw.Below(conflicted_.size()) < conflicts_of_late_;
}

void Agent::Finish(Job& job, Reply reply) {
  if (!reply.status.ok()) {
    ++stats_.invalid;
  } else if (reply.accepted()) {
    Count(job, &DecidingStats::accepted);
  } else if (!job.request.quiet) {
    Count(job, &DecidingStats::refused);  // Others are tries of our own.
  }
  if (job.done) job.done(std::move(reply));
  RefreshSoon();
}

}  // namespace berth
