#include "store/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace berth {
namespace {

// Takes the entries one by one; the log is not kept, only what it leads to.
class Verifier {
 public:
  Status Take(StoredEntry entry) {
    ++readable_.looked_at;
    std::visit([this](auto& kind) { TakeKind(kind); }, entry);
    return {};
  }

  Verification Finish() {
    ExpectUpTo(Next(head_.revision));
    CompareWithLog();
    CheckTouched();
    CheckAgents();
    Verification all{
        .head = head_,
        .checks = {readable_, revisions_, log_, state_, decisions_, agents_check_, touched_check_}};
    for (Check& check : CheckFleet(records_, growth_)) all.checks.push_back(std::move(check));
    return all;
  }

 private:
  void TakeKind(const StoredHead& head) {
    head_ = head;
    log_next_ = head.log_start;
  }
  void TakeKind(const DamagedEntry& damaged) {
    constexpr std::string_view kAdvice = "; restore it from a backup";
    readable_.Break(damaged.where, fmt::format("{}: {}{}", damaged.where, damaged.why,
                                               damaged.why.ends_with(kAdvice) ? "" : kAdvice));
  }
  void TakeKind(Update& update) {
    ++revisions_.looked_at;
    if (update.revision > head_.revision) {
      revisions_.Break(update.key,
                       fmt::format("is of revision {}, the store is at {}",
                                   ToNumber(update.revision), ToNumber(head_.revision)),
                       update.revision);
    }
    const RecordKey key = update.key;
    records_.insert_or_assign(key, std::move(update));
  }
  void TakeKind(const TouchedMachine& touched) { touched_[touched.machine] = touched.revision; }
  void TakeKind(const AgentSequence& agent) { agents_[agent.agent] = agent.last; }
  void TakeKind(const std::shared_ptr<const Committed>& committed);

  void ExpectUpTo(Revision revision);
  void TakeDecision(const Update& update, Revision revision);
  void NoteGrowth(const Update& update, Revision revision);
  void CompareWithLog();
  void CheckTouched();
  void CheckAgents();

  StoredHead head_;
  RecordMap records_;
  std::map<MachineId, Revision> touched_;
  std::map<std::string, std::uint64_t> agents_;

  Revision log_next_{};
  Time log_time_;
  RecordMap led_to_;  // What the log last said of each record that it names.
  std::map<std::string, std::set<std::uint64_t>> decided_;  // By agent.
  Growth growth_;

  Check readable_{"entries can be read"};
  Check revisions_{"records are no newer than the store"};
  Check log_{"every revision of the log is there, in order"};
  Check state_{"records are as the log left them"};
  Check decisions_{"decisions are unique"};
  Check agents_check_{"agents continue after their last decision"};
  Check touched_check_{"machines know when their instances changed"};
};

// The log goes on at this revision; what should have come before it is missing.
void Verifier::ExpectUpTo(Revision revision) {
  if (revision > log_next_) {
    const std::uint64_t last = ToNumber(revision) - 1;
    const std::string which = ToNumber(log_next_) == last
                                  ? fmt::format("revision {}", last)
                                  : fmt::format("revisions {} to {}", ToNumber(log_next_), last);
    log_.Break("log", fmt::format("the log lacks {}; restore a backup", which));
  }
  log_next_ = std::max(log_next_, revision);
}

void Verifier::TakeKind(const std::shared_ptr<const Committed>& committed) {
  ++log_.looked_at;
  const Revision revision = committed->revision;
  const std::string name = fmt::format("revision {}", ToNumber(revision));
  if (revision > head_.revision) {
    log_.Break(name, fmt::format("{} is in the log, but the store is at {}; restore a backup", name,
                                 ToNumber(head_.revision)));
    return;
  }
  ExpectUpTo(revision);
  log_next_ = Next(revision);
  if (committed->at < log_time_ || (revision == head_.revision && committed->at != head_.at)) {
    log_.Break(name, fmt::format("{} was committed at a time before the one before it or that the "
                                 "store does not remember; restore a backup",
                                 name));
  }
  log_time_ = committed->at;
  for (const Update& update : committed->updates) {
    if (update.key.kind == RecordKind::kDecision) {
      TakeDecision(update, revision);
      continue;
    }
    NoteGrowth(update, revision);
    led_to_.insert_or_assign(update.key, update);
  }
}

void Verifier::TakeDecision(const Update& update, Revision revision) {
  ++decisions_.looked_at;
  if (decided_[update.key.name].insert(update.key.number).second) return;
  decisions_.Break(update.key,
                   fmt::format("is in the log twice, again in revision {}", ToNumber(revision)),
                   revision);
}

void Verifier::NoteGrowth(const Update& update, Revision revision) {
  const auto* now = update.record ? std::get_if<Instance>(&*update.record) : nullptr;
  if (now == nullptr) return;
  const auto* was = FindRecord<Instance>(led_to_, update.key);
  // Without the log before it, one that was there may have been as it is now.
  const bool unknown = was == nullptr && head_.log_start > Revision{1};
  const bool more = !unknown && (was == nullptr || !now->limit.FitsIn(was->limit));
  const bool arrives = !unknown && (was == nullptr || was->machine != now->machine);
  if (now->HoldsRoom() && (arrives || more)) growth_.machines[now->machine] = revision;
  const RecordKey owner = KeyOf(RecordKind::kService, now->id.service);
  const auto* service = FindRecord<Service>(led_to_, owner);
  if (service == nullptr) service = FindRecord<Service>(records_, owner);
  if (service != nullptr && more) growth_.tenants[service->tenant] = revision;
}

void Verifier::CompareWithLog() {
  for (const auto& [key, update] : led_to_) {
    ++state_.looked_at;
    const auto at = records_.find(key);
    if (at == records_.end()) {
      // A policy that was removed is remembered, everything else is gone.
      if (!update.record && key.kind != RecordKind::kPolicy) continue;
      state_.Break(key, "is in the log and not among the records", update.revision);
    } else if (!update.record && key.kind != RecordKind::kPolicy) {
      state_.Break(key, "was removed and is still among the records", update.revision);
    } else if (at->second.record != update.record || at->second.revision != update.revision) {
      state_.Break(key, "is not as the log left it", update.revision);
    }
  }
  if (head_.log_start > Revision{1}) return;
  for (const auto& [key, update] : records_) {
    if (led_to_.contains(key)) continue;
    ++state_.looked_at;
    state_.Break(key, "is among the records and not in the log", update.revision);
  }
}

void Verifier::CheckTouched() {
  ForEachRecord<Instance>(records_, [&](const Instance& instance, Revision revision) {
    if (!instance.HoldsRoom()) return;
    ++touched_check_.looked_at;
    const RecordKey key = KeyOf(RecordKind::kMachine, instance.machine.str());
    const auto own = records_.find(key);
    if (own == records_.end()) return;  // Said of the instance.
    const auto touched = touched_.find(instance.machine);
    const Revision last = touched == touched_.end()
                              ? own->second.revision
                              : std::max(own->second.revision, touched->second);
    if (last >= revision) return;
    touched_check_.Break(key,
                         fmt::format("was last changed at revision {}, but its instance {} at "
                                     "{}",
                                     ToNumber(last), ToString(instance.id), ToNumber(revision)),
                         revision);
  });
}

void Verifier::CheckAgents() {
  for (const auto& [agent, sequences] : decided_) {
    ++agents_check_.looked_at;
    const auto last = agents_.find(agent);
    if (last != agents_.end() && last->second == *sequences.rbegin()) continue;
    agents_check_.Break(
        fmt::format("agent {}", agent),
        fmt::format("agent {} would continue after decision {}, but {} is in the log; restore a "
                    "backup",
                    agent, last == agents_.end() ? 0 : last->second,
                    ToString(DecisionId{agent, *sequences.rbegin()})));
  }
}

}  // namespace

bool Verification::holds() const {
  return std::ranges::all_of(checks, [](const Check& check) { return check.broken == 0; });
}

Result<Verification> VerifyStore(const StoreContents& contents) {
  BERTH_TRY(std::vector<Check> copies, contents.CompareCopies());
  Verifier verifier;
  BERTH_RETURN_IF_ERROR(
      contents.Read([&](StoredEntry entry) { return verifier.Take(std::move(entry)); }));
  Verification verified = verifier.Finish();
  for (Check& check : copies) verified.checks.push_back(std::move(check));
  return verified;
}

}  // namespace berth
