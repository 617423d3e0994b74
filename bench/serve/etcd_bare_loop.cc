#include "bench/serve/etcd_bare_loop.h"

#include <fmt/format.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "berth/check.h"
#include "etcd.grpc.pb.h"

namespace berth {
namespace {

using Clock = std::chrono::steady_clock;

class Watcher {
 public:
  explicit Watcher(const std::shared_ptr<grpc::Channel>& channel)
      : stub_(etcdserverpb::Watch::NewStub(channel)), stream_(stub_->Watch(&context_)) {
    etcdserverpb::WatchRequest request;
    request.mutable_create_request()->set_key("bare/log/");
    request.mutable_create_request()->set_range_end("bare/log0");
    BERTH_CHECK(stream_->Write(request));
    thread_ = std::thread([this] {
      etcdserverpb::WatchResponse response;
      while (stream_->Read(&response)) {
      }
    });
  }
  ~Watcher() {
    context_.TryCancel();
    thread_.join();
    static_cast<void>(stream_->Finish());
  }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

 private:
  grpc::ClientContext context_;
  std::unique_ptr<etcdserverpb::Watch::Stub> stub_;
  std::unique_ptr<grpc::ClientReaderWriter<etcdserverpb::WatchRequest, etcdserverpb::WatchResponse>>
      stream_;
  std::thread thread_;
};

etcdserverpb::TxnRequest Transaction(const BareLoop& loop, std::uint64_t number) {
  etcdserverpb::TxnRequest request;
  const std::size_t each = loop.bytes / loop.puts;
  for (std::size_t i = 0; i < loop.puts; ++i) {
    etcdserverpb::PutRequest& put = *request.add_success()->mutable_request_put();
    put.set_key(fmt::format("bare/{}/{:020}", i < loop.watched ? "log" : "record",
                            i == 0 ? 0 : number * loop.puts + i));
    put.set_value(std::string(each - std::min(each, put.key().size() + 8), 'x'));
  }
  return request;
}

struct Call {
  grpc::ClientContext context;
  etcdserverpb::TxnResponse response;
  grpc::Status status;
  std::unique_ptr<grpc::ClientAsyncResponseReader<etcdserverpb::TxnResponse>> reader;
};

}  // namespace

double BareTransactionsPerSecond(const std::string& endpoint, const BareLoop& loop,
                                 std::chrono::milliseconds length) {
  const auto channel = grpc::CreateChannel(endpoint, grpc::InsecureChannelCredentials());
  const Watcher watcher(channel);
  const auto stub = etcdserverpb::KV::NewStub(channel);
  grpc::CompletionQueue answered;
  std::uint64_t number = 0;
  const auto send = [&](std::unique_ptr<Call>& call) {
    call = std::make_unique<Call>();
    call->reader = stub->AsyncTxn(&call->context, Transaction(loop, ++number), &answered);
    call->reader->Finish(&call->response, &call->status, &call);
  };
  std::vector<std::unique_ptr<Call>> calls(loop.in_flight);
  for (auto& call : calls) send(call);

  const Clock::time_point began = Clock::now();
  Clock::time_point counting = began;
  Clock::time_point now = began;
  std::uint64_t counted = 0;
  void* tag = nullptr;
  bool ok = false;
  for (std::size_t open = calls.size(); open > 0;) {
    BERTH_CHECK(answered.Next(&tag, &ok));
    auto& call = *static_cast<std::unique_ptr<Call>*>(tag);
    BERTH_CHECK(call->status.ok());
    if (now - began >= length + length / 4) {
      --open;
      continue;
    }
    now = Clock::now();
    if (now - began < length / 4) {  // It gets warm.
      counting = now;
    } else {
      ++counted;
    }
    send(call);
  }
  return static_cast<double>(counted) / std::chrono::duration<double>(now - counting).count();
}

}  // namespace berth
