#include "store/etcd/client.h"

#include <fmt/format.h>
#include <grpc/support/log.h>
#include <grpc/support/time.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "etcd.grpc.pb.h"
#include "store/etcd/session.h"

namespace berth {
namespace {

constexpr Duration kPauseMin = std::chrono::milliseconds(20);
constexpr Duration kPauseMax = std::chrono::milliseconds(500);
// A member that runs is connected to sooner; one that does not must not cost the others' time.
constexpr Duration kConnectMax = std::chrono::milliseconds(250);
// For an etcd that was given up: those who wait are told soon.
constexpr Duration kBriefly = std::chrono::milliseconds(400);

// The store's own thread waits here, for the network; gRPC's clock is the one its deadlines use.
gpr_timespec After(Duration duration) {
  return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                      gpr_time_from_micros(duration.count(), GPR_TIMESPAN));
}

Duration Until(gpr_timespec deadline) {
  const gpr_timespec left = gpr_time_sub(deadline, gpr_now(GPR_CLOCK_MONOTONIC));
  return std::chrono::milliseconds(gpr_time_to_millis(left));
}

std::shared_ptr<grpc::ChannelCredentials> CredentialsOf(const EtcdCredentials& credentials) {
  if (credentials.authority.empty()) return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = credentials.authority;
  options.pem_cert_chain = credentials.certificate;
  options.pem_private_key = credentials.key;
  return grpc::SslCredentials(options);
}

grpc::ChannelArguments ChannelArgumentsOf() {
  grpc::ChannelArguments arguments;
  // A piece of a snapshot holds as many services as it holds.
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetMaxSendMessageSize(-1);
  // Back as soon as etcd is: gRPC's own pauses grow to minutes.
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 50);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 1000);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
  // A peer that vanished without a word; etcd allows a ping every five seconds.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 10'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 5'000);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);  // However quiet the zone is.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return arguments;
}

bool Says(const grpc::Status& status, std::string_view what) {
  return status.error_message().find(what) != std::string::npos;
}

EtcdClient::TooLarge TooLargeBy(const grpc::Status& status) {
  if (Says(status, "too many operations in txn")) return EtcdClient::TooLarge::kOperations;
  if (Says(status, "request is too large") || Says(status, "received message larger than max")) {
    return EtcdClient::TooLarge::kBytes;
  }
  return EtcdClient::TooLarge::kNo;
}

bool IsFull(const grpc::Status& status) { return Says(status, "database space exceeded"); }

// Another endpoint, or the same one a moment later, may answer otherwise.
bool WorthAnotherTry(const grpc::Status& status) {
  const grpc::StatusCode code = status.error_code();
  if (code == grpc::StatusCode::RESOURCE_EXHAUSTED) {
    return !IsFull(status) && TooLargeBy(status) == EtcdClient::TooLarge::kNo;
  }
  return code == grpc::StatusCode::UNAVAILABLE || code == grpc::StatusCode::DEADLINE_EXCEEDED ||
         code == grpc::StatusCode::UNKNOWN || code == grpc::StatusCode::INTERNAL ||
         code == grpc::StatusCode::CANCELLED || code == grpc::StatusCode::ABORTED;
}

Status Failure(const std::string& endpoints, const grpc::Status& status, Duration patience) {
  if (IsFull(status)) {
    return {Code::kResourceExhausted,
            fmt::format("etcd at {} is full ({}); compact and defragment it, raise its "
                        "--quota-backend-bytes, then disarm its alarm",
                        endpoints, status.error_message())};
  }
  if (WorthAnotherTry(status)) {
    return {Code::kUnavailable,
            fmt::format("etcd at {} did not answer within {} ms ({}); check that it runs and has a "
                        "leader, and the certificates if it speaks TLS",
                        endpoints, patience.count() / 1000, status.error_message())};
  }
  const bool past = status.error_code() == grpc::StatusCode::OUT_OF_RANGE;
  return {past ? Code::kOutOfRange : Code::kFailedPrecondition,
          fmt::format("etcd at {} refused: {}", endpoints, status.error_message())};
}

}  // namespace

struct EtcdClient::Stubs {
  std::vector<std::unique_ptr<etcdserverpb::KV::Stub>> kv;
};

EtcdClient::EtcdClient(const EtcdOptions& options)
    : endpoints_(ToString(options.address)),
      attempt_max_(options.attempt_max),
      give_up_after_(options.give_up_after),
      session_(std::make_shared<EtcdSession>(options)),
      stubs_(std::make_unique<Stubs>()) {
  // What fails is an answer, of one line; gRPC would write many of its own to the error stream.
  gpr_set_log_function([](gpr_log_func_args* /*message*/) {});
  for (const std::string& endpoint : options.address.endpoints) {
    channels_.push_back(grpc::CreateCustomChannel(endpoint, CredentialsOf(options.credentials),
                                                  ChannelArgumentsOf()));
    stubs_->kv.push_back(etcdserverpb::KV::NewStub(channels_.back()));
  }
}

EtcdClient::~EtcdClient() = default;

template <typename Call>
EtcdClient::Sent EtcdClient::TryInTurn(Call call) {
  const Duration patience = given_up_ ? std::min(kBriefly, give_up_after_) : give_up_after_;
  const gpr_timespec deadline = After(patience);
  Sent sent;
  Duration pause = kPauseMin;
  for (std::size_t tries = 1;; ++tries) {
    // gRPC makes progress with a connection only while someone waits for it.
    const bool connected = channels_[current_]->WaitForConnected(After(kConnectMax));
    grpc::Status status(grpc::StatusCode::UNAVAILABLE, "cannot connect");
    if (connected) {
      grpc::ClientContext context;
      context.set_deadline(After(std::min(attempt_max_, patience)));
      // A member cut off from the others says so instead of waiting.
      context.AddMetadata("hasleader", "true");
      status = session_->Sign(channels_[current_], context);
      if (status.ok()) status = call(*stubs_->kv[current_], context);
    }
    if (status.ok()) {
      given_up_ = false;
      return sent;
    }
    sent.too_large = TooLargeBy(status);
    sent.full = IsFull(status);
    sent.doubtful = sent.doubtful || (connected && WorthAnotherTry(status));
    const bool over = EtcdSession::IsOver(status);
    if (over) session_->LogInAnew();
    const bool again = over || WorthAnotherTry(status);
    current_ = (current_ + 1) % channels_.size();
    if (!again || Until(deadline) <= pause) {
      given_up_ = again;
      sent.status = Failure(endpoints_, status, patience);
      return sent;
    }
    if (tries % channels_.size() != 0) continue;  // Some were not asked yet.
    gpr_sleep_until(After(pause));
    pause = std::min(2 * pause, kPauseMax);
  }
}

Status EtcdClient::Range(const etcdserverpb::RangeRequest& request,
                         etcdserverpb::RangeResponse& response) {
  return TryInTurn([&](etcdserverpb::KV::Stub& kv, grpc::ClientContext& context) {
           return kv.Range(&context, request, &response);
         })
      .status;
}

EtcdClient::Sent EtcdClient::Txn(const etcdserverpb::TxnRequest& request,
                                 etcdserverpb::TxnResponse& response) {
  return TryInTurn([&](etcdserverpb::KV::Stub& kv, grpc::ClientContext& context) {
    return kv.Txn(&context, request, &response);
  });
}

}  // namespace berth
