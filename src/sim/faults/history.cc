#include "sim/faults/history.h"

#include <fmt/format.h>

#include <utility>

namespace berth::faults {
namespace {

std::string Summary(const Decision* decision) {
  if (decision == nullptr) return {};
  return fmt::format(": {}, {} of {}{}", ToString(decision->id), ToString(decision->kind),
                     decision->subject, decision->refusal ? ", refused" : "");
}

}  // namespace

void History::Append(const Disk::Entry& entry) {
  const Revision revision = entry->revision;
  if (revision != Next(this->revision())) {
    return world_.Break(fmt::format("the log holds revision {} after {}", ToNumber(revision),
                                    ToNumber(this->revision())));
  }
  entries_.push_back(entry);
  world_.digest().Add(ToNumber(revision));
  world_.digest().Add(static_cast<std::uint64_t>(ToMicros(entry->at)));
  Done done{.revision = revision};
  for (const Update& update : entry->updates) {
    if (update.key.kind != RecordKind::kDecision) continue;
    done.decision = &std::get<Decision>(*update.record);
    NoteDecision(*done.decision, revision);
  }
  for (const Update& update : entry->updates) {
    if (update.key.kind == RecordKind::kIdempotency && update.record) {
      NoteKey(update.key.name, done);
    }
  }
  world_.Tell(fmt::format("revision {} is durable{}", ToNumber(revision), Summary(done.decision)));
  if (const std::optional<std::string> problem = fleet_.Apply(*entry)) {
    world_.Break(fmt::format("after revision {}, {}", ToNumber(revision), *problem));
  }
}

void History::NoteDecision(const Decision& decision, Revision revision) {
  world_.digest().Add(decision);
  if (decisions_.emplace(decision.id, revision).second) return;
  world_.Break(fmt::format("decision {} is in the log twice, again at revision {}",
                           ToString(decision.id), ToNumber(revision)));
}

void History::NoteKey(const std::string& key, Done done) {
  const auto [first, fresh] = done_.emplace(key, done);
  if (fresh) return;
  world_.Break(fmt::format("the request with key {} was done twice, at revisions {} and {}", key,
                           ToNumber(first->second.revision), ToNumber(done.revision)));
}

void History::Acknowledge(const std::string& key, const Reply& reply) {
  world_.digest().Add(key);
  if (reply.decision) world_.digest().Add(*reply.decision);
  acknowledged_.emplace(key, reply);
  // What is not durable yet is looked for when the store is back.
  if (reply.revision <= revision()) Check(key, reply);
}

bool History::Agrees(const Inventory& view) const {
  std::map<RecordKey, Record> records;
  for (const Update& update : view.AllRecords()) records.emplace(update.key, *update.record);
  return view.revision() == revision() && records == fleet_.records();
}

void History::CheckSnapshot(const Inventory& snapshot) {
  // A planted bug is to be found by what it leads to, not where it is.
  if (world_.planted() != PlantedBug::kNone || Agrees(snapshot)) return;
  world_.Break(fmt::format("a snapshot of revision {} is not what the log of {} leads to",
                           ToNumber(snapshot.revision()), ToNumber(revision())));
}

void History::CheckAcknowledged() {
  for (const auto& [key, reply] : acknowledged_) Check(key, reply);
}

void History::Check(const std::string& key, const Reply& reply) {
  const std::string told =
      reply.decision ? fmt::format("decision {}", ToString(reply.decision->id)) : "no decision";
  const auto found = done_.find(key);
  if (found == done_.end()) {
    return world_.Break(
        fmt::format("the request with key {} was acknowledged with {} and is lost", key, told));
  }
  const Done& done = found->second;
  if (!reply.duplicate && reply.revision != done.revision) {
    return world_.Break(fmt::format("key {} was acknowledged at revision {} and done at {}", key,
                                    ToNumber(reply.revision), ToNumber(done.revision)));
  }
  const bool same = reply.decision ? done.decision != nullptr && *done.decision == *reply.decision
                                   : done.decision == nullptr;
  if (same) return;
  world_.Break(fmt::format(
      "key {} was acknowledged with {}, but revision {} says {}", key, told,
      ToNumber(done.revision),
      done.decision != nullptr ? fmt::format("decision {}", ToString(done.decision->id)) : "none"));
}

}  // namespace berth::faults
