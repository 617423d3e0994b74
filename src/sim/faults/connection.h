// The store as one of its users sees it: some way off, over a connection that may be lost.
//
// While it lasts, the store's promises about order hold. When it is lost, commits on their way are
// answered as failed, though they may have been done; it connects again as soon as it can, goes on
// with the watches from where they were, and asks again for what was only to be read.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "sim/faults/link.h"
#include "sim/faults/store_process.h"

namespace berth::faults {

class Connection final : public Store {
 public:
  struct Options {
    std::string name;           // For the story.
    std::int64_t slowness = 1;  // So many times as slow as usual.
  };
  // Answers run on `home`, which is what callers must be using.
  Connection(World& world, StoreProcess& store, Executor& home, Options options);
  // Whoever uses it must have ended.
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void Commit(ChangeSet change, Executor& reply_on, CommitDone done) override;
  void Read(Executor& reply_on, SnapshotDone done) override;
  std::unique_ptr<Watch> WatchFrom(Revision from, Executor& reply_on, OnEvent on_event) override;
  void ReadDecision(const DecisionId& id, Executor& reply_on, DecisionDone done) override;

  bool connected() const { return link_ != nullptr; }
  // Loses the store, which goes on.
  void Cut();

 private:
  class Following;
  struct Watched {
    Revision last{};  // That was told.
    std::shared_ptr<const OnEvent> on_event;
  };

  void Connect();
  void OnLost();
  void FailAll();
  void AskToRead(std::uint64_t number);
  void AskToWatch(std::uint64_t number);
  void OnWatchEvent(std::uint64_t number, const WatchEvent& event);
  void EndWatch(std::uint64_t number);

  World& world_;
  StoreProcess& store_;
  Executor& home_;
  const Options options_;
  Rng rng_;
  std::shared_ptr<Link> link_;  // Null while it is lost.
  std::uint64_t calls_ = 0;
  // What is not answered yet, by number.
  std::map<std::uint64_t, CommitDone> commits_;
  std::map<std::uint64_t, SnapshotDone> reads_;
  std::map<std::uint64_t, DecisionDone> decisions_;
  std::map<std::uint64_t, Watched> watches_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace berth::faults
