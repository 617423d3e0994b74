#include "sim/faults/logged_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "fleet/judge.h"

namespace berth::faults {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

CommitReply Failed() {
  CommitReply reply;
  reply.outcome = CommitReply::Outcome::kFailed;
  reply.status = Status(Code::kUnavailable, "the store is read-only since a sync failed");
  return reply;
}

Inventory Replay(const std::vector<Disk::Entry>& log, std::size_t count, bool forget_keys) {
  Inventory state;
  for (std::size_t i = 0; i < count; ++i) {
    for (const Update& update : log[i]->updates) {
      if (!forget_keys || update.key.kind != RecordKind::kIdempotency) state.Install(update);
    }
    state.SetRevision(log[i]->revision);
  }
  return state;
}

}  // namespace

LoggedStore::Counts& LoggedStore::Counts::operator+=(const Counts& other) {
  commits += other.commits;
  conflicts += other.conflicts;
  merged += other.merged;
  duplicates += other.duplicates;
  syncs += other.syncs;
  return *this;
}

LoggedStore::LoggedStore(const Surroundings& around, Rng rng)
    : world_(around.world),
      disk_(around.disk),
      clock_(around.clock),
      faults_(around.faults),
      counts_(around.counts),
      read_(around.read),
      rng_(rng),
      sequencer_(Replay(disk_.log(), disk_.log().size(),
                        world_.planted() == PlantedBug::kKeyForgottenOnRestart),
                 /*undoable=*/true, disk_.log().empty() ? Time() : disk_.log().back()->at),
      feed_(
          sequencer_.inventory().revision(),
          [this](Revision revision) { return ReadLog(revision); },
          [this, alive = alive_](Executor& executor) {
            if (*alive) Push(TakenNotice{&executor});
          }) {}

Revision LoggedStore::log_start() const {
  const std::uint64_t last = ToNumber(sequencer_.inventory().revision());
  return Revision{last > kLogKept ? last - kLogKept + 1 : 1};
}

void LoggedStore::Commit(ChangeSet change, Executor& reply_on, CommitDone done) {
  Push(CommitRequest{.change = std::move(change),
                     .reply_on = &reply_on,
                     .now = clock_.now(),
                     .done = std::move(done)});
}

void LoggedStore::Read(Executor& reply_on, SnapshotDone done) {
  Push(ReadRequest{.reply_on = &reply_on, .done = std::move(done)});
}

std::unique_ptr<Watch> LoggedStore::WatchFrom(Revision from, Executor& reply_on, OnEvent on_event) {
  auto watching = std::make_shared<Watching>(reply_on, std::move(on_event));
  Push(WatchRequest{.watching = watching, .from = from});
  return EndsWhenDestroyed(std::move(watching));
}

void LoggedStore::ReadDecision(const DecisionId& id, Executor& reply_on, DecisionDone done) {
  Push(DecisionRequest{.id = id, .reply_on = &reply_on, .done = std::move(done)});
}

void LoggedStore::Push(StoreRequest request) {
  inbox_.push_back(std::move(request));
  if (std::exchange(working_, true)) return;
  world_.executor().Post([this, alive = alive_] {
    if (*alive) Work();
  });
}

void LoggedStore::Work() {
  requests_.assign(std::make_move_iterator(inbox_.begin()), std::make_move_iterator(inbox_.end()));
  inbox_.clear();
  working_ = !requests_.empty();
  if (!working_) return;
  if (!JudgeAll()) {
    AnswerAll();
    return Work();
  }
  if (world_.planted() == PlantedBug::kNoSyncBeforeAnswer) {
    AnswerAll();
    return BeginSync([this](bool synced) {
      read_only_ = !synced;
      Work();
    });
  }
  BeginSync([this](bool synced) {
    if (!synced) TakeBack();
    AnswerAll();
    Work();
  });
}

bool LoggedStore::JudgeAll() {
  steps_.clear();
  bool any = false;
  for (StoreRequest& request : requests_) {
    auto* commit = std::get_if<CommitRequest>(&request);
    if (commit == nullptr) continue;
    if (read_only_) {
      steps_.push_back({.reply = Failed(), .committed = nullptr, .before = {}, .marks = {}});
      continue;
    }
    steps_.push_back(Take(std::move(commit->change), commit->now));
    if (steps_.back().committed == nullptr) continue;
    disk_.Write(steps_.back().committed);
    any = true;
  }
  return any;
}

Sequencer::Step LoggedStore::Take(ChangeSet change, Time now) {
  if (world_.planted() != PlantedBug::kStaleMerge) return sequencer_.Take(std::move(change), now);
  Sequencer::Step step = sequencer_.Take(change, now);
  if (step.reply.outcome != CommitReply::Outcome::kConflict) return step;
  return MergeStale(change, now, std::move(step));
}

// As if a change that held on the state its author saw needed no second look.
Sequencer::Step LoggedStore::MergeStale(const ChangeSet& change, Time now,
                                        Sequencer::Step conflict) {
  static const std::array kOverlooked = {
      RuleId("fits"), RuleId("isolates"), RuleId("at_most_per_rack"),
      RuleId("at_most_per_update_domain"), RuleId("at_most_per_machine")};
  if (std::ranges::find(kOverlooked, conflict.reply.violation->rule) == kOverlooked.end()) {
    return conflict;
  }
  const Inventory seen = Replay(disk_.log(), ToNumber(change.seen), /*forget_keys=*/false);
  Judgement judgement = Judge(seen, change, now);
  if (judgement.violation || judgement.duplicate_of) return conflict;
  Inventory latest = sequencer_.inventory();
  const Revision revision = Next(latest.revision());
  for (Update& update : judgement.updates) update.revision = revision;
  const Time at = disk_.log().back()->at;
  auto committed = std::make_shared<const Committed>(
      Committed{.revision = revision, .at = at, .updates = std::move(judgement.updates)});
  latest.Apply(*committed);
  sequencer_ = Sequencer(std::move(latest), /*undoable=*/true, at);
  Sequencer::Step step;
  step.reply.outcome = CommitReply::Outcome::kCommitted;
  step.reply.revision = revision;
  step.reply.merged = true;
  step.committed = std::move(committed);
  return step;
}

void LoggedStore::BeginSync(std::function<void(bool synced)> ended) {
  ++counts_.syncs;
  const Duration takes = DrawBetween(rng_, microseconds(200), milliseconds(3));
  if (faults_.during_next) world_.After(takes / 2, std::exchange(faults_.during_next, nullptr));
  const bool fails = std::exchange(faults_.fail_next, false);
  world_.After(takes, [this, alive = alive_, fails, ended = std::move(ended)] {
    if (!*alive) return;
    if (fails) {
      world_.Count(Fault::kSyncFailed);
      world_.Tell("a sync fails; the store is read-only");
      faults_.after_failure();
    } else {
      disk_.Sync();
    }
    ended(!fails);
  });
}

void LoggedStore::TakeBack() {
  read_only_ = true;
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    if (step->committed != nullptr) sequencer_.Undo(*step);
    // Refusals too: they may rest on what was just taken back.
    *step = {.reply = Failed(), .committed = nullptr, .before = {}, .marks = {}};
  }
}

// In the order of asking, but snapshots last: they hold what all of these committed.
void LoggedStore::AnswerAll() {
  auto step = steps_.begin();
  for (StoreRequest& request : requests_) {
    if (auto* commit = std::get_if<CommitRequest>(&request)) {
      AnswerCommit(*commit, std::move(*step++));
    } else if (!std::holds_alternative<ReadRequest>(request)) {
      Answer(request);
    }
  }
  for (StoreRequest& request : requests_) {
    if (std::holds_alternative<ReadRequest>(request)) Answer(request);
  }
  requests_.clear();
}

void LoggedStore::AnswerCommit(CommitRequest& request, Sequencer::Step step) {
  using Outcome = CommitReply::Outcome;
  if (step.reply.outcome == Outcome::kCommitted) ++counts_.commits;
  if (step.reply.outcome == Outcome::kConflict) ++counts_.conflicts;
  if (step.reply.outcome == Outcome::kDuplicate) ++counts_.duplicates;
  if (step.reply.merged) ++counts_.merged;
  if (step.committed != nullptr) feed_.Publish(step.committed);
  feed_.Send(*request.reply_on,
             [done = std::move(request.done), reply = std::move(step.reply)] { done(reply); });
}

void LoggedStore::Answer(StoreRequest& request) {
  if (auto* read = std::get_if<ReadRequest>(&request)) {
    auto snapshot = std::make_shared<const Inventory>(sequencer_.inventory());
    read_(*snapshot);
    feed_.Send(*read->reply_on, [done = std::move(read->done), snapshot] { done(snapshot); });
  } else if (auto* watch = std::get_if<WatchRequest>(&request)) {
    const bool skips = world_.planted() == PlantedBug::kGapInWatch &&
                       ToNumber(sequencer_.inventory().revision()) > ToNumber(watch->from) + 1;
    feed_.Add(watch->watching, skips ? Next(watch->from) : watch->from, log_start());
  } else if (auto* decision = std::get_if<DecisionRequest>(&request)) {
    feed_.Send(*decision->reply_on, [done = std::move(decision->done),
                                     found = FindDecision(decision->id)] { done(found); });
  } else if (auto* taken = std::get_if<TakenNotice>(&request)) {
    feed_.Advance(*taken->executor);
  }
}

Result<Disk::Entry> LoggedStore::ReadLog(Revision revision) const {
  if (revision < log_start()) return Status(Code::kNotFound, "compacted");
  return disk_.log()[ToNumber(revision) - 1];
}

Result<Decision> LoggedStore::FindDecision(const DecisionId& id) const {
  // What a failed sync left on the disk is not read before the store returns.
  const std::uint64_t last = ToNumber(sequencer_.inventory().revision());
  for (std::uint64_t i = 0; i < last; ++i) {
    for (const Update& update : disk_.log()[i]->updates) {
      if (update.key.kind == RecordKind::kDecision && update.key.name == id.agent &&
          update.key.number == id.sequence) {
        return std::get<Decision>(*update.record);
      }
    }
  }
  return Status(Code::kNotFound, fmt::format("there is no decision {}", ToString(id)));
}

}  // namespace berth::faults
