// The oldest part of the log: what retention takes off it, and what is then erased from etcd.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "berth/store.h"
#include "store/etcd/layout.h"

namespace berth {

class EtcdLogReader;
class Staging;

class LogTail {
 public:
  // `oldest` is the first revision that etcd has an entry of.
  LogTail(const EtcdLogReader& log, const EtcdKeys& keys, const LogRetention& retention,
          Revision oldest);

  using Commits = std::span<const std::shared_ptr<const Committed>>;
  // Moves the start of the log in the head that a transaction writes after `before`, and stages
  // erasing entries that are before it, a bounded number and only now and then.
  void Stage(EtcdHead& head, const EtcdHead& before, Commits commits, Staging& staging,
             std::size_t operations_max);
  // The transaction was done.
  void Staged();

 private:
  struct Old {
    Revision revision{};
    Time at;
    std::vector<DecisionId> decisions;
  };
  void StageErase(const EtcdHead& head, const EtcdHead& before, Staging& staging,
                  std::size_t operations_max);
  // From etcd; false when it does not have it.
  bool Reach(Revision revision);
  std::optional<Time> TimeOf(Revision revision, const EtcdHead& before, Commits commits);

  const EtcdLogReader& log_;
  const EtcdKeys& keys_;
  const LogRetention retention_;
  std::deque<Old> old_;  // From `erased_` on, without gaps.
  Revision erased_;      // Entries before it are gone.
  Revision erasing_{};   // What it will be when the staged transaction was done.
};

}  // namespace berth
