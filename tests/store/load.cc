#include "load.h"

#include <utility>

namespace berth {

Load::Load(Store& store, std::uint64_t seed, const std::string& agent,
           OnAcknowledged on_acknowledged)
    : store_(store),
      agent_(agent),
      on_acknowledged_(std::move(on_acknowledged)),
      changes_(seed, agent) {
  view_ = *ReadAndWait(store, mailbox_);
  watch_ = store.WatchFrom(view_.revision(), mailbox_,
                           [this](const WatchEvent& event) { view_.Apply(*event.committed); });
}

bool Load::Run(std::size_t commits, std::size_t in_flight) {
  const std::size_t until = answered_ + commits;
  const auto done = [&] {
    while (failure_.ok() && waiting_ < in_flight && answered_ + waiting_ < until) CommitOne();
    return waiting_ == 0;
  };
  return mailbox_.RunUntil(done) && failure_.ok();
}

void Load::CommitOne() {
  mailbox_.Advance(Duration(100));
  ChangeSet change = changes_.Next(view_, mailbox_.now());
  const DecisionId id = {agent_, changes_.last_sequence()};
  ++waiting_;
  store_.Commit(std::move(change), mailbox_, [this, id](const CommitReply& reply) {
    --waiting_;
    ++answered_;
    if (reply.outcome == CommitReply::Outcome::kCommitted) on_acknowledged_(id, reply.revision);
    if (reply.outcome == CommitReply::Outcome::kFailed && failure_.ok()) failure_ = reply.status;
  });
}

}  // namespace berth
