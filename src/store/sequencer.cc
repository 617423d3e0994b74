#include "store/sequencer.h"

#include <algorithm>

#include "berth/check.h"
#include "fleet/judge.h"

namespace berth {
namespace {

// So that a burst of expiries never makes one commit slow.
constexpr int kSweptPerCommitMax = 8;

CommitReply Answer(const Inventory& inventory, const Judgement& judgement) {
  CommitReply reply;
  reply.revision = inventory.revision();
  if (judgement.duplicate_of) {
    reply.outcome = CommitReply::Outcome::kDuplicate;
    reply.duplicate_of = *judgement.duplicate_of;
  } else {
    reply.outcome =
        judgement.stale ? CommitReply::Outcome::kConflict : CommitReply::Outcome::kRefused;
    reply.violation = judgement.violation;
  }
  for (const RecordKey& key : judgement.named) {
    reply.latest.push_back(
        {.key = key, .record = inventory.Get(key), .revision = inventory.OwnRevision(key)});
  }
  return reply;
}

bool Places(const ChangeSet& change) {
  return std::ranges::any_of(change.operations, [](const Operation& operation) {
    const auto* put = std::get_if<Put>(&operation);
    return std::holds_alternative<Move>(operation) ||
           (put != nullptr && std::holds_alternative<Instance>(put->record));
  });
}

}  // namespace

Sequencer::Sequencer(Inventory inventory, bool undoable, Time latest,
                     StalePlacements stale_placements)
    : inventory_(std::move(inventory)),
      undoable_(undoable),
      latest_(latest),
      stale_placements_(stale_placements) {
  for (const auto& [key, answered] : inventory_.idempotency())
    expiries_.emplace(answered.expires, key);
}

Sequencer::Step Sequencer::Take(ChangeSet change, Time now) {
  latest_ = std::max(latest_, now);
  const bool merges = stale_placements_ == StalePlacements::kMerge || !Places(change);
  Judgement judgement = merges ? Judge(inventory_, std::move(change), latest_)
                               : Judge(inventory_, change, latest_, Wanted::kEverything);
  if (!merges && judgement.stale && !judgement.violation) {
    judgement.violation = Violation{.rule = RuleId("stale"),
                                    .because = "a machine that it chose changed since it was seen"};
  }
  Step step;
  if (judgement.violation || judgement.duplicate_of) {
    step.reply = Answer(inventory_, judgement);
    return step;
  }
  SweepExpired(latest_, judgement.updates);
  const Revision revision = Next(inventory_.revision());
  for (Update& update : judgement.updates) {
    update.revision = revision;
    if (undoable_) {
      step.before.push_back({.key = update.key,
                             .record = inventory_.Get(update.key),
                             .revision = inventory_.OwnRevision(update.key)});
    }
    NoteExpiry(update);
  }
  if (undoable_) step.marks = inventory_.MarksBefore(judgement.updates);
  auto committed = std::make_shared<Committed>(
      Committed{.revision = revision, .at = latest_, .updates = std::move(judgement.updates)});
  inventory_.Apply(*committed);
  step.reply.outcome = CommitReply::Outcome::kCommitted;
  step.reply.revision = revision;
  step.reply.merged = judgement.stale;
  step.committed = std::move(committed);
  return step;
}

void Sequencer::NoteExpiry(const Update& update) {
  if (!update.record) return;
  if (const auto* answered = std::get_if<Idempotency>(&*update.record)) {
    expiries_.emplace(answered->expires, answered->key);
  }
}

void Sequencer::SweepExpired(Time now, std::vector<Update>& updates) {
  for (int i = 0; i < kSweptPerCommitMax && !expiries_.empty(); ++i) {
    if (expiries_.begin()->first > now) return;
    const std::string key = expiries_.begin()->second;
    expiries_.erase(expiries_.begin());
    const auto known = inventory_.idempotency().find(key);
    const bool renewed = std::ranges::any_of(updates, [&](const Update& u) {
      return u.key.kind == RecordKind::kIdempotency && u.key.name == key;
    });
    if (known == inventory_.idempotency().end() || known->second.expires > now || renewed) continue;
    updates.push_back(
        {.key = KeyOf(RecordKind::kIdempotency, key), .record = std::nullopt, .revision = {}});
  }
}

void Sequencer::Undo(const Step& step) {
  BERTH_CHECK(step.committed != nullptr && step.committed->revision == inventory_.revision());
  for (auto update = step.before.rbegin(); update != step.before.rend(); ++update) {
    if (update->key.kind != RecordKind::kDecision) inventory_.Install(*update);
    NoteExpiry(*update);  // It may have been swept.
  }
  inventory_.Restore(step.marks);
  inventory_.SetRevision(Revision{ToNumber(inventory_.revision()) - 1});
}

void Sequencer::Learn(const Committed& committed) {
  BERTH_CHECK(committed.revision == Next(inventory_.revision()));
  latest_ = std::max(latest_, committed.at);
  for (const Update& update : committed.updates) NoteExpiry(update);
  inventory_.Apply(committed);
}

CommitReply Sequencer::Refuse(const ChangeSet& change, Violation violation) const {
  Judgement judgement = Judge(inventory_, change, latest_, Wanted::kEverything);
  judgement.violation = std::move(violation);
  judgement.stale = false;
  judgement.duplicate_of.reset();
  return Answer(inventory_, judgement);
}

}  // namespace berth
