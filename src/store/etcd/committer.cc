#include "store/etcd/committer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/stopwatch.h"
#include "etcd.pb.h"

namespace berth {
namespace {

constexpr std::size_t kJudgedAtOnceMax = 1024;
// Taken from the inbox ahead of what one transaction holds, so that the next is full too.
constexpr std::size_t kWaitingHereMax = 2048;
// Operations kept free for touches that wait to be written, and for erasing old entries.
constexpr std::size_t kTouchesReserved = 32;
constexpr std::size_t kErasingReserved = 4;

CommitReply Failed(Status status) {
  CommitReply reply;
  reply.outcome = CommitReply::Outcome::kFailed;
  reply.status = std::move(status);
  return reply;
}

Status InDoubt(const Status& status) {
  return {status.code(), status.message() +
                             "; whether the change was committed is not known: read again, or ask "
                             "again under the same idempotency key"};
}

Status NotCommitted(const Status& status) {
  return {status.code(), status.message() + "; the change was not committed"};
}

}  // namespace

EtcdCommitter::EtcdCommitter(const EtcdOptions& options, Parts parts)
    : options_(options),
      keys_(options.address.prefix),
      client_(std::move(parts.client)),
      writer_(parts.writer),
      inbox_(std::move(parts.inbox)),
      arrivals_(std::move(parts.arrivals)),
      mirror_(*client_, keys_, options.range_keys_max, std::move(parts.zone),
              [to = inbox_](Executor& executor) { to->Push(TakenNotice{&executor}); }),
      tail_(std::in_place, mirror_.log(), keys_, options.retention, mirror_.oldest_log()),
      limits_(options.batch) {}

EtcdStore::Counts EtcdCommitter::counts() const {
  return {.commits = commits_.load(),
          .transactions = done_.load(),
          .operations = operations_.load(),
          .bytes = bytes_.load(),
          .lost = lost_.load(),
          .reloads = mirror_.reloads(),
          .revision = mirror_.revision(),
          .sending = Duration(sending_.load())};
}

void EtcdCommitter::Run() {
  while (true) {
    if (waiting_.empty()) {
      std::vector<StoreRequest> taken = inbox_->Take();
      if (taken.empty()) break;
      TakeRequests(std::move(taken));
    } else if (waiting_.size() < kWaitingHereMax) {
      TakeRequests(inbox_->TakeWaiting());
    }
    if (waiting_.empty()) continue;
    if (std::holds_alternative<CommitRequest>(waiting_.front().request)) {
      CommitFront();
    } else {
      AnswerFront();
    }
  }
  mirror_.feed().Finish();
}

void EtcdCommitter::TakeRequests(std::vector<StoreRequest> requests) {
  for (StoreRequest& request : requests) {
    if (const auto* taken = std::get_if<TakenNotice>(&request)) {
      mirror_.feed().Advance(*taken->executor);
    } else if (std::holds_alternative<WakeNotice>(request)) {
      mirror_.Take(arrivals_->Take());
    } else {
      waiting_.push_back({.request = std::move(request), .unfit = std::nullopt});
    }
  }
}

void EtcdCommitter::CommitFront() {
  Outcome outcome = Outcome::kAgain;
  while (outcome == Outcome::kAgain) {
    if (const Status settled = mirror_.Settle(); !settled.ok()) return FailWaiting(settled, 0);
    Batch batch = JudgeFront();
    outcome = batch.staging.commits().empty() ? Outcome::kDone : Send(batch);
    if (outcome == Outcome::kDone) AnswerBatch(batch);
  }
}

EtcdCommitter::Batch EtcdCommitter::JudgeFront() {
  EtcdBatchLimits limits = limits_;
  limits.operations -=
      std::min({mirror_.pending().size(), kTouchesReserved, limits.operations / 4});
  limits.operations -= std::min(kErasingReserved, limits.operations / 4);
  Batch batch = {.staging = Staging(keys_, limits),
                 .steps = {},
                 .base = mirror_.inventory().revision(),
                 .journal_position = mirror_.inventory().journal().position()};
  for (Waiting& waiting : waiting_) {
    const auto* commit = std::get_if<CommitRequest>(&waiting.request);
    if (commit == nullptr || batch.steps.size() == kJudgedAtOnceMax) break;
    Sequencer::Step step;
    if (waiting.unfit) {
      step.reply = mirror_.sequencer().Refuse(commit->change, *waiting.unfit);
    } else {
      // A copy: it may have to be judged again.
      step = mirror_.sequencer().Take(commit->change, commit->now);
    }
    if (step.committed != nullptr && !batch.staging.Add(step.committed, mirror_.inventory())) {
      mirror_.sequencer().Undo(step);
      break;
    }
    batch.steps.push_back(std::move(step));
  }
  return batch;
}

Mirror::Own EtcdCommitter::Complete(Batch& batch, etcdserverpb::TxnRequest& request,
                                    const Origin& origin) {
  const EtcdHead& before = mirror_.head();
  Mirror::Own own;
  own.commits = batch.staging.commits();
  own.head = before;
  own.head.stored.revision = own.commits.back()->revision;
  own.head.stored.at = own.commits.back()->at;
  const std::vector<const MachineState*> touched =
      TouchedSince(mirror_.inventory(), batch.journal_position, own.commits.front()->revision);
  for (const MachineState* machine : touched) own.touched.push_back(machine->record.name);

  const std::deque<PendingTouch>& pending = mirror_.pending();
  while (own.touches_written < pending.size() &&
         batch.staging.operations() + kErasingReserved < limits_.operations) {
    const MachineId name = pending[own.touches_written++].machine;
    if (const MachineState* machine = mirror_.inventory().Find(name)) {
      batch.staging.Put(keys_.OfTouched(name), EncodeNumber(ToNumber(machine->revision)));
    } else {
      batch.staging.Erase(keys_.OfTouched(name));
    }
  }
  const bool all = own.touches_written == pending.size();
  own.head.touched =
      all ? before.stored.revision : Revision{ToNumber(pending[own.touches_written].entry) - 1};
  tail_->Stage(own.head, before, own.commits, batch.staging, limits_.operations);
  batch.staging.MoveTo(request, own.head, origin, touched);
  return own;
}

EtcdCommitter::Outcome EtcdCommitter::Send(Batch& batch) {
  if (tail_of_ != mirror_.reloads()) {
    tail_of_ = mirror_.reloads();
    tail_.emplace(mirror_.log(), keys_, options_.retention, mirror_.oldest_log());
  }
  const Origin origin = {.writer = writer_, .transaction = ++transactions_};
  etcdserverpb::TxnRequest request;
  Mirror::Own own = Complete(batch, request, origin);
  mirror_.Compare(request, batch.base);
  etcdserverpb::TxnResponse response;
  const Stopwatch stopwatch;
  const EtcdClient::Sent sent = client_->Txn(request, response);
  sending_.fetch_add(stopwatch.elapsed().count());
  if (!sent.status.ok()) return NotDone(batch, sent);
  // Sent again after a lost answer, it finds the head changed by itself.
  const std::optional<std::int64_t> done_before =
      response.succeeded() ? std::nullopt : mirror_.DoneAt(origin, response);
  if (!response.succeeded() && !done_before) return LearnWhoWon(batch, sent, response);
  own.at = done_before.value_or(response.header().revision());
  mirror_.Done(own);
  tail_->Staged();
  commits_.fetch_add(own.commits.size());
  done_.fetch_add(1);
  operations_.fetch_add(static_cast<std::uint64_t>(request.success_size()));
  bytes_.fetch_add(request.ByteSizeLong());
  return Outcome::kDone;
}

namespace {

void Undo(Sequencer& sequencer, const std::vector<Sequencer::Step>& steps) {
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (step->committed != nullptr) sequencer.Undo(*step);
  }
}

}  // namespace

EtcdCommitter::Outcome EtcdCommitter::LearnWhoWon(const Batch& batch, const EtcdClient::Sent& sent,
                                                  const etcdserverpb::TxnResponse& response) {
  lost_.fetch_add(1);
  Undo(mirror_.sequencer(), batch.steps);
  const std::uint64_t reloads_before = mirror_.reloads();
  const Status learned = mirror_.Learn(response);
  // The log no longer reaches back to where an earlier try would show.
  const bool untraceable = sent.doubtful && mirror_.reloads() != reloads_before;
  if (learned.ok() && !untraceable) return Outcome::kAgain;
  const Status why =
      learned.ok() ? Status(Code::kAborted, "the log was cut off meanwhile") : learned;
  FailWaiting(why, sent.doubtful ? batch.steps.size() : 0);
  return Outcome::kGaveUp;
}

EtcdCommitter::Outcome EtcdCommitter::NotDone(Batch& batch, const EtcdClient::Sent& sent) {
  Undo(mirror_.sequencer(), batch.steps);
  const bool in_doubt = sent.doubtful || sent.full;
  if (in_doubt) mirror_.Doubt(sent.doubtful);
  if (sent.too_large != EtcdClient::TooLarge::kNo) {
    TooLarge(batch, sent.too_large);
    return Outcome::kAgain;
  }
  FailWaiting(sent.status, in_doubt ? batch.steps.size() : 0);
  return Outcome::kGaveUp;
}

void EtcdCommitter::TooLarge(const Batch& batch, EtcdClient::TooLarge by) {
  const bool operations = by == EtcdClient::TooLarge::kOperations;
  if (batch.staging.commits().size() > 1) {  // The server's limits are below its defaults.
    (operations ? limits_.operations : limits_.bytes) /= 2;  // In the end one commit goes alone.
    return;
  }
  const auto alone = std::ranges::find_if(
      batch.steps, [](const Sequencer::Step& step) { return step.committed != nullptr; });
  waiting_[static_cast<std::size_t>(alone - batch.steps.begin())].unfit = Violation{
      .rule = RuleId("store_limits"),
      .because = fmt::format(
          "one change is one etcd transaction, and this one of {} updates is larger than the etcd "
          "servers take: {}; make it smaller, or start every member with a larger {}",
          (*alone).committed->updates.size(),
          operations ? "--max-txn-ops, 128 operations unless set"
                     : "--max-request-bytes, 1.5 MiB unless set",
          operations ? "--max-txn-ops" : "--max-request-bytes")};
}

void EtcdCommitter::AnswerBatch(Batch& batch) {
  for (Sequencer::Step& step : batch.steps) {
    auto& request = std::get<CommitRequest>(waiting_.front().request);
    if (step.committed != nullptr) mirror_.feed().Publish(step.committed);
    mirror_.feed().Send(*request.reply_on,
                        [done = std::move(request.done), reply = std::move(step.reply)]() mutable {
                          done(std::move(reply));
                        });
    waiting_.pop_front();
  }
}

void EtcdCommitter::FailWaiting(const Status& status, std::size_t in_doubt) {
  // Not each after its own time: all that wait now are told.
  for (auto more = inbox_->TakeWaiting(); !more.empty(); more = inbox_->TakeWaiting()) {
    TakeRequests(std::move(more));
  }
  std::deque<Waiting> others;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    auto* commit = std::get_if<CommitRequest>(&waiting_[i].request);
    if (commit == nullptr) {
      others.push_back(std::move(waiting_[i]));
      continue;
    }
    mirror_.feed().Send(
        *commit->reply_on,
        [done = std::move(commit->done),
         reply = Failed(i < in_doubt ? InDoubt(status) : NotCommitted(status))]() mutable {
          done(std::move(reply));
        });
  }
  waiting_ = std::move(others);
}

void EtcdCommitter::AnswerFront() {
  Waiting front = std::move(waiting_.front());
  waiting_.pop_front();
  if (auto* read = std::get_if<ReadRequest>(&front.request)) {
    AnswerRead(*read);
  } else if (auto* watch = std::get_if<WatchRequest>(&front.request)) {
    // A watcher that was at another process may be ahead of this one for a moment.
    if (watch->from > mirror_.inventory().revision()) static_cast<void>(mirror_.CatchUp());
    mirror_.feed().Add(watch->watching, watch->from, mirror_.head().stored.log_start);
  } else if (auto* decision = std::get_if<DecisionRequest>(&front.request)) {
    AnswerDecision(*decision);
  }
}

void EtcdCommitter::AnswerRead(ReadRequest& request) {
  Status current = mirror_.Settle();
  if (current.ok()) current = mirror_.CatchUp();
  if (!current.ok()) {
    mirror_.feed().Send(*request.reply_on,
                        [done = std::move(request.done), current] { done(current); });
    return;
  }
  std::shared_ptr<const Inventory> snapshot = snapshot_.lock();
  if (snapshot == nullptr || snapshot->revision() != mirror_.inventory().revision()) {
    snapshot = std::make_shared<const Inventory>(mirror_.inventory());
    snapshot_ = snapshot;
  }
  mirror_.feed().Send(*request.reply_on,
                      [done = std::move(request.done), snapshot] { done(snapshot); });
}

void EtcdCommitter::AnswerDecision(DecisionRequest& request) {
  mirror_.feed().Send(*request.reply_on, [done = std::move(request.done),
                                          found = FindDecision(request.id)] { done(found); });
}

Result<Decision> EtcdCommitter::FindDecision(const DecisionId& id) {
  const Status none(
      Code::kNotFound,
      fmt::format("there is no decision {}, or the log no longer holds it", ToString(id)));
  etcdserverpb::RangeRequest request;
  request.set_key(keys_.OfDecision(id));
  etcdserverpb::RangeResponse response;
  BERTH_RETURN_IF_ERROR(client_->Range(request, response));
  if (response.kvs().empty()) return none;
  BERTH_TRY(const std::uint64_t revision, DecodeNumber(response.kvs(0).value()));
  if (Revision{revision} < mirror_.head().stored.log_start) return none;
  const auto committed = mirror_.log().Read(Revision{revision});
  if (!committed.ok())
    return committed.status().code() == Code::kNotFound ? none : committed.status();
  for (const Update& update : committed.value()->updates) {
    if (update.key.kind == RecordKind::kDecision && update.key.number == id.sequence &&
        update.key.name == id.agent && update.record) {
      return std::get<Decision>(*update.record);
    }
  }
  return none;
}

}  // namespace berth
