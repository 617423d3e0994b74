// A limit that grows, where the policy names a scheduler: when those who are to have more find room
// neither where they are nor elsewhere, the scheduler says who yields to them. The new limit, those
// who yield and the moves are one change.
//
// One process at a time decides this, by the scheduler's lease.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "berth/request.h"
#include "engine/yielding.h"

namespace berth {

class Growing {
 public:
  using Submitting = std::function<void(Request, ReplyDone)>;
  // It outlives this; `submit` asks an agent whose view is that of `yielding`.
  Growing(Yielding& yielding, Submitting submit)
      : yielding_(yielding), submit_(std::move(submit)) {}
  ~Growing() { *alive_ = false; }
  Growing(const Growing&) = delete;
  Growing& operator=(const Growing&) = delete;

  // What it asks is a ResizeService.
  void Submit(Request request, ReplyDone done);

  std::uint64_t preempted() const { return preempted_; }

 private:
  struct Asked {
    Request request;
    ReplyDone done;
    std::uint32_t tries = 0;
  };
  using Job = std::shared_ptr<Asked>;

  void MakeRoom(const Job& job);
  void Decide(const Job& job, const LeaseGuard& guard);
  void OnDecided(const Job& job, const ResizeService& grows, const Reply& reply);
  // As without a scheduler, for the record.
  void AskPlainly(const Job& job) { submit_(job->request, job->done); }

  Yielding& yielding_;
  const Submitting submit_;
  std::uint64_t preempted_ = 0;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace berth
