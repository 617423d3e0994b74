#include "store/etcd/follower.h"

#include <grpc/support/time.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "etcd.grpc.pb.h"
#include "store/etcd/session.h"

namespace berth {
namespace {

constexpr std::chrono::milliseconds kFollowPauseMin{20};
constexpr std::size_t kPauseDoublingsMax = 5;
// A member that runs is connected to sooner.
constexpr std::int64_t kConnectMaxMs = 250;

}  // namespace

Follower::Follower(Options options)
    : options_(std::move(options)), next_(options_.after + 1), thread_([this] { Run(); }) {}

Follower::~Follower() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    if (stream_ != nullptr) stream_->TryCancel();
  }
  stopping_.notify_one();
  thread_.join();
}

void Follower::Run() {
  for (std::size_t turn = 0;; ++turn) {
    const bool heard = FollowOnce(options_.channels[turn % options_.channels.size()]);
    if (!Pause(heard)) return;
  }
}

bool Follower::Pause(bool heard) {
  pauses_ = heard ? 0 : std::min(pauses_ + 1, kPauseDoublingsMax);
  std::unique_lock lock(mutex_);
  stopping_.wait_for(lock, kFollowPauseMin * (1U << pauses_), [&] { return stopped_; });
  return !stopped_;
}

void Follower::NoteGap() {
  if (options_.arrivals->PushGap()) options_.wake();
}

bool Follower::FollowOnce(const std::shared_ptr<grpc::Channel>& channel) {
  // gRPC makes progress with a connection only while someone waits for it.
  if (!channel->WaitForConnected(gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                                              gpr_time_from_millis(kConnectMaxMs, GPR_TIMESPAN)))) {
    return false;
  }
  grpc::ClientContext context;
  // A member cut off from the others ends the stream instead of falling silent.
  context.AddMetadata("hasleader", "true");
  if (!options_.session->Sign(channel, context).ok()) return false;
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) return false;
    stream_ = &context;
  }
  const bool heard = ReadStream(channel, context);
  const std::lock_guard lock(mutex_);
  stream_ = nullptr;
  return heard;
}

bool Follower::ReadStream(const std::shared_ptr<grpc::Channel>& channel,
                          grpc::ClientContext& context) {
  const auto stub = etcdserverpb::Watch::NewStub(channel);
  const auto stream = stub->Watch(&context);
  etcdserverpb::WatchRequest request;
  etcdserverpb::WatchCreateRequest& create = *request.mutable_create_request();
  create.set_key(options_.from_key);
  create.set_range_end(options_.to_key);
  create.set_start_revision(next_);
  create.add_filters(etcdserverpb::WatchCreateRequest::NODELETE);
  bool heard = false;
  etcdserverpb::WatchResponse response;
  bool open = stream->Write(request);
  while (open && stream->Read(&response)) {
    open = Take(response);
    heard = heard || open;
  }
  context.TryCancel();
  // Why it ended changes nothing else: it is opened again.
  if (EtcdSession::IsOver(stream->Finish())) options_.session->LogInAnew();
  return heard;
}

bool Follower::Take(etcdserverpb::WatchResponse& response) {
  if (response.canceled()) {
    // What came between is no longer in etcd's history; the committer reads Berth's own log.
    if (response.compact_revision() > 0) next_ = 0;
    options_.session->LogInAnew();  // Or the token was not good; etcd says so only here.
    return false;
  }
  if (response.created()) {
    if (next_ == 0) next_ = response.header().revision() + 1;
    NoteGap();  // Whoever waits for etcd to be back learns it now.
    return true;
  }
  std::vector<Written> written;
  for (etcdserverpb::Event& event : *response.mutable_events()) {
    etcdserverpb::KeyValue& kv = *event.mutable_kv();
    next_ = std::max(next_, kv.mod_revision() + 1);
    written.push_back({.key = std::move(*kv.mutable_key()),
                       .value = std::move(*kv.mutable_value()),
                       .at = kv.mod_revision()});
  }
  if (options_.arrivals->Push(std::move(written))) options_.wake();
  return true;
}

}  // namespace berth
