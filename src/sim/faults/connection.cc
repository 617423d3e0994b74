#include "sim/faults/connection.h"

#include <fmt/format.h>

#include <utility>

#include "berth/check.h"

namespace berth::faults {
namespace {

using std::chrono::milliseconds;

Status Lost() { return {Code::kUnavailable, "the connection to the store was lost"}; }

CommitReply FailedCommit() {
  CommitReply reply;
  reply.outcome = CommitReply::Outcome::kFailed;
  reply.status = Lost();
  return reply;
}

// The answer to a call, if it is still waited for.
template <typename Done>
Done TakeOut(std::map<std::uint64_t, Done>& calls, std::uint64_t number) {
  auto call = calls.extract(number);
  BERTH_CHECK(!call.empty());
  return std::move(call.mapped());
}

}  // namespace

class Connection::Following final : public Watch {
 public:
  Following(Connection& connection, std::uint64_t number)
      : connection_(connection), number_(number) {}
  ~Following() override { connection_.EndWatch(number_); }
  Following(const Following&) = delete;
  Following& operator=(const Following&) = delete;

 private:
  Connection& connection_;
  std::uint64_t number_;
};

Connection::Connection(World& world, StoreProcess& store, Executor& home, Options options)
    : world_(world),
      store_(store),
      home_(home),
      options_(std::move(options)),
      rng_(world.Stream("connection").Fork(options_.name)) {
  Connect();
}

Connection::~Connection() {
  *alive_ = false;
  if (link_ != nullptr) link_->HangUp(/*rest_arrives=*/rng_.Below(2) == 0);
}

void Connection::Connect() {
  if (store_.store() == nullptr) {
    world_.After(DrawBetween(rng_, milliseconds(1), milliseconds(8)), [this, alive = alive_] {
      if (*alive) Connect();
    });
    return;
  }
  link_ = store_.NewLink(home_, options_.slowness, [this] { OnLost(); });
  // Watches first: an answer comes after the news up to it.
  for (const auto& [number, watched] : watches_) AskToWatch(number);
  for (const auto& [number, done] : reads_) AskToRead(number);
}

void Connection::Cut() {
  BERTH_CHECK(connected());
  link_->HangUp(/*rest_arrives=*/rng_.Below(2) == 0);
  OnLost();
}

void Connection::OnLost() {
  link_ = nullptr;
  world_.Tell(fmt::format("{} loses the store with {} commits on their way", options_.name,
                          commits_.size()));
  FailAll();
  world_.After(DrawBetween(rng_, milliseconds(1), milliseconds(20)), [this, alive = alive_] {
    if (*alive) Connect();
  });
}

void Connection::FailAll() {
  for (auto& [number, done] : std::exchange(commits_, {})) {
    home_.Post([done = std::move(done)] { done(FailedCommit()); });
  }
  for (auto& [number, done] : std::exchange(decisions_, {})) {
    home_.Post([done = std::move(done)] { done(Lost()); });
  }
}

void Connection::Commit(ChangeSet change, Executor& reply_on, CommitDone done) {
  BERTH_CHECK(&reply_on == &home_);
  const std::uint64_t number = ++calls_;
  commits_.emplace(number, std::move(done));
  if (link_ == nullptr) return FailAll();
  auto answer = [this, number](const CommitReply& reply) { TakeOut(commits_, number)(reply); };
  auto sent = std::make_shared<ChangeSet>(std::move(change));
  link_->Ask([&store = store_, link = link_.get(), sent, answer] {
    store.store()->Commit(std::move(*sent), *link, answer);
  });
}

void Connection::Read(Executor& reply_on, SnapshotDone done) {
  BERTH_CHECK(&reply_on == &home_);
  const std::uint64_t number = ++calls_;
  reads_.emplace(number, std::move(done));
  if (link_ != nullptr) AskToRead(number);
}

void Connection::AskToRead(std::uint64_t number) {
  auto answer = [this, number](const Result<std::shared_ptr<const Inventory>>& snapshot) {
    TakeOut(reads_, number)(snapshot);
  };
  link_->Ask([&store = store_, link = link_.get(), answer] { store.store()->Read(*link, answer); });
}

void Connection::ReadDecision(const DecisionId& id, Executor& reply_on, DecisionDone done) {
  BERTH_CHECK(&reply_on == &home_);
  const std::uint64_t number = ++calls_;
  decisions_.emplace(number, std::move(done));
  if (link_ == nullptr) return FailAll();
  auto answer = [this, number](const Result<Decision>& found) {
    TakeOut(decisions_, number)(found);
  };
  link_->Ask([&store = store_, link = link_.get(), id, answer] {
    store.store()->ReadDecision(id, *link, answer);
  });
}

std::unique_ptr<Watch> Connection::WatchFrom(Revision from, Executor& reply_on, OnEvent on_event) {
  BERTH_CHECK(&reply_on == &home_);
  const std::uint64_t number = ++calls_;
  watches_.emplace(
      number, Watched{.last = from, .on_event = std::make_shared<OnEvent>(std::move(on_event))});
  if (link_ != nullptr) AskToWatch(number);
  return std::make_unique<Following>(*this, number);
}

void Connection::AskToWatch(std::uint64_t number) {
  auto arrive = [this, number](const WatchEvent& event) { OnWatchEvent(number, event); };
  link_->Ask([&store = store_, link = link_.get(), from = watches_.at(number).last, number,
              arrive] { link->watches[number] = store.store()->WatchFrom(from, *link, arrive); });
}

void Connection::OnWatchEvent(std::uint64_t number, const WatchEvent& event) {
  const auto watched = watches_.find(number);
  if (watched == watches_.end()) return;
  Revision& last = watched->second.last;
  if (event.committed != nullptr) {
    const Revision revision = event.committed->revision;
    if (revision != Next(last)) {
      return world_.Break(fmt::format("{} watches the store and was told revision {} after {}",
                                      options_.name, ToNumber(revision), ToNumber(last)));
    }
    last = revision;
  }
  // Whoever is told may end the watch.
  const std::shared_ptr<const OnEvent> on_event = watched->second.on_event;
  (*on_event)(event);
}

void Connection::EndWatch(std::uint64_t number) {
  watches_.erase(number);
  if (link_ != nullptr) link_->Ask([link = link_.get(), number] { link->watches.erase(number); });
}

}  // namespace berth::faults
