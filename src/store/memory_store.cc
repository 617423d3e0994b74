#include "store/memory_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace berth {

MemoryStore::MemoryStore(LogRetention retention, Inventory inventory,
                         StalePlacements stale_placements)
    : retention_(retention),
      sequencer_(std::move(inventory), /*undoable=*/false, /*latest=*/{}, stale_placements) {}

void MemoryStore::Commit(ChangeSet change, Executor& reply_on, CommitDone done) {
  const std::lock_guard lock(mutex_);
  Sequencer::Step step = sequencer_.Take(std::move(change), reply_on.now());
  if (step.committed != nullptr) {
    ++commits_;
    for (const Update& update : step.committed->updates) {
      if (update.key.kind == RecordKind::kDecision) {
        decisions_[update.key.name].emplace_back(update.key.number, step.committed->revision);
      }
    }
    log_.push_back(step.committed);
    Compact(step.committed->at);
    watchers_.Publish(step.committed);
  }
  reply_on.Post([done = std::move(done), reply = std::move(step.reply)]() mutable {
    done(std::move(reply));
  });
}

// One by one: what a commit takes of memory, the oldest has just given back.
void MemoryStore::Compact(Time now) {
  while (log_.size() > retention_.revisions ||
         (!log_.empty() && log_.front()->at + retention_.age < now)) {
    for (const Update& update : log_.front()->updates) {
      if (update.key.kind == RecordKind::kDecision) decisions_[update.key.name].pop_front();
    }
    log_.pop_front();
  }
}

StoreStats MemoryStore::stats() const {
  const std::lock_guard lock(mutex_);
  return {.revision = sequencer_.inventory().revision(), .commits = commits_};
}

void MemoryStore::Read(Executor& reply_on, SnapshotDone done) {
  const std::lock_guard lock(mutex_);
  auto snapshot = std::make_shared<const Inventory>(sequencer_.inventory());
  reply_on.Post([done = std::move(done), snapshot = std::move(snapshot)] { done(snapshot); });
}

std::unique_ptr<Watch> MemoryStore::WatchFrom(Revision from, Executor& reply_on, OnEvent on_event) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t latest = ToNumber(sequencer_.inventory().revision());
  const std::uint64_t wanted = latest - std::min(ToNumber(from), latest);
  // A watcher ahead of the store saw another history; a snapshot is the way back for it too.
  if (wanted > log_.size() || ToNumber(from) > latest) {
    return Watchers::Compacted(reply_on, std::move(on_event), Revision{latest});
  }
  const std::vector<std::shared_ptr<const Committed>> backlog(
      log_.end() - static_cast<std::ptrdiff_t>(wanted), log_.end());
  return watchers_.Add(reply_on, std::move(on_event), backlog);
}

// In which the log holds a decision.
std::optional<Revision> MemoryStore::RevisionOf(const DecisionId& id) const {
  const auto of_agent = decisions_.find(id.agent);
  if (of_agent == decisions_.end()) return std::nullopt;
  const auto by_sequence = [](const auto& entry) { return entry.first; };
  const auto at = std::ranges::lower_bound(of_agent->second, id.sequence, {}, by_sequence);
  if (at == of_agent->second.end() || at->first != id.sequence) return std::nullopt;
  return at->second;
}

void MemoryStore::ReadDecision(const DecisionId& id, Executor& reply_on, DecisionDone done) {
  const std::lock_guard lock(mutex_);
  Result<Decision> found =
      Status(Code::kNotFound,
             fmt::format("there is no decision {}, or the log no longer holds it", ToString(id)));
  if (const std::optional<Revision> revision = RevisionOf(id)) {
    const std::uint64_t first = ToNumber(log_.front()->revision);
    for (const Update& update : log_[ToNumber(*revision) - first]->updates) {
      if (update.key.kind == RecordKind::kDecision && update.key.number == id.sequence &&
          update.key.name == id.agent) {
        found = std::get<Decision>(*update.record);
      }
    }
  }
  reply_on.Post([done = std::move(done), found = std::move(found)] { done(found); });
}

}  // namespace berth
