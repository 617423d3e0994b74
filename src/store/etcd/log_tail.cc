#include "store/etcd/log_tail.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "store/etcd/log_reader.h"
#include "store/etcd/staging.h"

namespace berth {
namespace {

// So that retention catching up after a change of settings never makes one commit slow.
constexpr std::size_t kTailTrimmedPerWriteMax = 64;
constexpr std::uint64_t kTailErasedAtOnceMax = 256;

}  // namespace

LogTail::LogTail(const EtcdLogReader& log, const EtcdKeys& keys, const LogRetention& retention,
                 Revision oldest)
    : log_(log), keys_(keys), retention_(retention), erased_(oldest) {}

bool LogTail::Reach(Revision revision) {
  while (old_.empty() || old_.back().revision < revision) {
    const Result<std::vector<LogEntry>> entries =
        log_.Fetch(old_.empty() ? erased_ : Next(old_.back().revision));
    if (!entries.ok() || entries.value().empty()) return false;
    if (!old_.empty() &&
        entries.value().front().committed->revision != Next(old_.back().revision)) {
      old_.clear();  // Another process erased these.
    }
    if (old_.empty()) erased_ = entries.value().front().committed->revision;
    for (const LogEntry& entry : entries.value()) {
      Old& old = old_.emplace_back();
      old.revision = entry.committed->revision;
      old.at = entry.committed->at;
      for (const Update& update : entry.committed->updates) {
        if (update.key.kind != RecordKind::kDecision) continue;
        old.decisions.push_back({update.key.name, update.key.number});
      }
    }
  }
  return old_.front().revision <= revision;
}

std::optional<Time> LogTail::TimeOf(Revision revision, const EtcdHead& before, Commits commits) {
  if (revision > before.stored.revision) {
    return commits[ToNumber(revision) - ToNumber(before.stored.revision) - 1]->at;
  }
  if (!Reach(revision)) return std::nullopt;
  return old_[ToNumber(revision) - ToNumber(old_.front().revision)].at;
}

void LogTail::Stage(EtcdHead& head, const EtcdHead& before, Commits commits, Staging& staging,
                    std::size_t operations_max) {
  StoredHead& stored = head.stored;
  const std::size_t trimmed_max = kTailTrimmedPerWriteMax + 2 * commits.size();
  for (std::size_t i = 0; i < trimmed_max && stored.log_start <= stored.revision; ++i) {
    const std::uint64_t held = ToNumber(stored.revision) - ToNumber(stored.log_start) + 1;
    if (held <= retention_.revisions) {
      const std::optional<Time> at = TimeOf(stored.log_start, before, commits);
      if (!at || stored.at - *at <= retention_.age) break;
    }
    stored.log_start = Next(stored.log_start);
  }
  StageErase(head, before, staging, operations_max);
}

void LogTail::StageErase(const EtcdHead& head, const EtcdHead& before, Staging& staging,
                         std::size_t operations_max) {
  erasing_ = erased_;
  // Not what a restart still reads touches from, nor what this very transaction writes.
  const Revision to = std::min({head.stored.log_start, Next(head.touched), before.stored.revision});
  if (to <= erased_) return;
  const std::uint64_t count = ToNumber(to) - ToNumber(erased_);
  if (count < std::min<std::uint64_t>(retention_.revisions / 16, kTailErasedAtOnceMax)) return;
  if (!Reach(Revision{ToNumber(to) - 1})) return;
  // An agent's decisions are numbered in the order of the log, so one range a agent is enough.
  std::map<std::string, std::uint64_t> decided;
  for (const Old& old : old_) {
    if (old.revision >= to || ToNumber(old.revision) >= ToNumber(erased_) + kTailErasedAtOnceMax)
      break;
    const std::size_t ranges = 1 + decided.size() + old.decisions.size();
    if (staging.operations() + ranges > operations_max) break;
    for (const DecisionId& id : old.decisions) decided[id.agent] = id.sequence;
    erasing_ = Next(old.revision);
  }
  if (erasing_ == erased_) return;
  staging.EraseRange(keys_.OfLog(Revision{}), keys_.OfLog(erasing_));
  for (const auto& [agent, sequence] : decided) {
    staging.EraseRange(keys_.OfDecision({agent, 0}), keys_.OfDecision({agent, sequence + 1}));
  }
}

void LogTail::Staged() {
  erased_ = std::max(erased_, erasing_);
  while (!old_.empty() && old_.front().revision < erased_) old_.pop_front();
}

}  // namespace berth
