#include "engine/growing.h"

#include <utility>

namespace berth {
namespace {

// How often it is decided anew, because others were first or a machine would not do.
constexpr std::uint32_t kGrowTriesMax = 8;

}  // namespace

void Growing::Submit(Request request, ReplyDone done) {
  const auto job = std::make_shared<Asked>(Asked{std::move(request), std::move(done)});
  Request first = job->request;
  first.quiet = true;
  submit_(std::move(first), [this, job, alive = alive_](const Reply& reply) {
    if (!*alive) return;
    // Bad input, or it was answered; or room is not what it lacks.
    const bool answered = reply.accepted() || !reply.status.ok() || reply.duplicate;
    if (answered) return job->done(reply);
    if (reply.decision->refusal->cure == Cure::kMoreQuota) return AskPlainly(job);
    MakeRoom(job);
  });
}

void Growing::MakeRoom(const Job& job) {
  yielding_.Hold([this, job, alive = alive_](const std::optional<LeaseGuard>& guard) {
    if (!*alive) return;
    if (!guard) return AskPlainly(job);  // Another process decides who yields.
    Decide(job, *guard);
  });
}

void Growing::Decide(const Job& job, const LeaseGuard& guard) {
  YieldMirror* mirror = yielding_.deciding();
  if (mirror == nullptr || job->tries++ == kGrowTriesMax) return AskPlainly(job);
  ResizeService grows = std::get<ResizeService>(job->request.what);
  std::optional<std::vector<Seat>> seats = mirror->PlanGrowth(grows, yielding_.now());
  if (!seats) return AskPlainly(job);
  grows.seats = *std::move(seats);
  Request request = job->request;
  request.what = grows;
  request.quiet = true;
  request.guard = guard;
  submit_(std::move(request), [this, job, grows, alive = alive_](const Reply& reply) {
    if (*alive) OnDecided(job, grows, reply);
  });
}

void Growing::OnDecided(const Job& job, const ResizeService& grows, const Reply& reply) {
  if (reply.accepted()) {
    if (!reply.duplicate) preempted_ += reply.decision->yielded.size();
    return job->done(reply);
  }
  YieldMirror* mirror = yielding_.deciding();
  if (mirror != nullptr && reply.status.ok()) mirror->NoteRefusal(grows, *reply.decision);
  MakeRoom(job);
}

}  // namespace berth
