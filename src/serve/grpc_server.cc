#include "serve/grpc_server.h"

#include <fmt/format.h>
#include <grpc/support/log.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/impl/codegen/proto_utils.h>

#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "berth/check.h"

namespace berth {
namespace {

constexpr int kMessageBytesMax = 4 << 20;

grpc::Status ToGrpc(const Status& status) {
  return {static_cast<grpc::StatusCode>(status.code()), status.message()};
}

grpc::ByteBuffer ToBuffer(const google::protobuf::Message& message) {
  grpc::ByteBuffer buffer;
  bool own = false;
  grpc::GenericSerialize<grpc::ProtoBufferWriter, google::protobuf::Message>(message, &buffer,
                                                                             &own);
  return buffer;
}

// How long a call may still take, on our clock.
Time DeadlineOf(const grpc::ServerContext& context, Executor& executor) {
  const auto deadline = context.deadline();
  if (deadline == std::chrono::system_clock::time_point::max()) return Time::max();
  const auto left = deadline - std::chrono::system_clock::now();
  return executor.now() + std::chrono::duration_cast<Duration>(left);
}

class CompletionServer;

// One call from its arrival to its end. The completion queue gives back the tag of each step.
class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  using Step = void (Exchange::*)(bool ok);

  explicit Exchange(CompletionServer& server) : server_(server), stream_(&context_) {}
  void Await();
  // Does the step that a tag stands for.
  static void Do(void* tag, bool ok) {
    auto* const given = static_cast<Tag*>(tag);
    const std::shared_ptr<Exchange> exchange = std::move(given->exchange);
    const Step step = given->step;
    if (given != &exchange->gone_) delete given;
    (exchange.get()->*step)(ok);
  }

 private:
  // Keeps the exchange while a step is on its way, and says which.
  struct Tag {
    std::shared_ptr<Exchange> exchange;
    Step step = nullptr;
  };

  void* Next(Step step) { return new Tag{shared_from_this(), step}; }
  void OnArrived(bool ok);
  void OnRead(bool ok);
  void OnGone(bool ok);
  void OnTold(bool ok);
  void OnEnd(bool /*ok*/) {}
  void Finish(const Status& status);
  void Answer(const Status& status, const google::protobuf::Message* message);
  void Stream(const google::protobuf::Message& request);
  NewsStream::Reader Tell(const News& news);
  void TellNext();
  void EndNews();

  CompletionServer& server_;
  grpc::GenericServerContext context_;
  grpc::GenericServerAsyncReaderWriter stream_;
  grpc::ByteBuffer buffer_;
  // For a call that never arrives this tag never comes back, so it is ours and keeps nothing until
  // one does.
  Tag gone_{nullptr, &Exchange::OnGone};
  const Method* method_ = nullptr;
  CallOptions options_;

  std::mutex mutex_;  // Of what a stream is told.
  std::shared_ptr<NewsStream> news_;
  std::deque<grpc::ByteBuffer> to_tell_;
  std::size_t to_tell_bytes_ = 0;
  bool telling_ = false;
  bool full_ = false;          // Told no more for a while.
  std::optional<Status> end_;  // No more will be told, and why.
  bool over_ = false;
};

class CompletionServer final : public GrpcServer {
 public:
  explicit CompletionServer(Api& an_api) : api(an_api) {}
  ~CompletionServer() override {
    Stop(Duration::zero());
    server_.reset();
  }
  CompletionServer(const CompletionServer&) = delete;
  CompletionServer& operator=(const CompletionServer&) = delete;

  Status Start(const Address& address, const TlsKeys& tls) {
    grpc::ServerBuilder builder;
    std::shared_ptr<grpc::ServerCredentials> credentials = grpc::InsecureServerCredentials();
    if (!tls.empty()) {
      grpc::SslServerCredentialsOptions options(
          tls.client_authority.empty()
              ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
              : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
      options.pem_root_certs = tls.client_authority;
      options.pem_key_cert_pairs.push_back({tls.key, tls.certificate});
      credentials = grpc::SslServerCredentials(options);
    }
    int bound = 0;
    builder.AddListeningPort(address.str(), credentials, &bound);
    builder.RegisterAsyncGenericService(&service);
    builder.SetMaxReceiveMessageSize(kMessageBytesMax);
    // Another process on the same port would take half of the calls.
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    queue = builder.AddCompletionQueue();
    server_ = builder.BuildAndStart();
    if (server_ == nullptr || bound == 0) {
      return {Code::kUnavailable,
              fmt::format("cannot listen on {} for gRPC; is the port taken, or the key wrong?",
                          address.str())};
    }
    port_ = static_cast<std::uint16_t>(bound);
    for (int i = 0; i < kWaiting; ++i) std::make_shared<Exchange>(*this)->Await();
    thread_ = std::thread([this] { Run(); });
    return {};
  }

  std::uint16_t port() const override { return port_; }

  void Stop(Duration at_most) override {
    if (server_ == nullptr || !thread_.joinable()) return;
    server_->Shutdown(std::chrono::system_clock::now() + at_most);
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    queue->Shutdown();
    thread_.join();
  }

  // Begins a step of a call, unless it comes too late: a queue that was shut down takes no more.
  template <typename Step>
  void Begin(Step step) {
    const std::lock_guard lock(mutex_);
    if (!stopped_) step();
  }

  Api& api;
  grpc::AsyncGenericService service;
  std::unique_ptr<grpc::ServerCompletionQueue> queue;

 private:
  static constexpr int kWaiting = 64;  // Exchanges ready for calls that arrive at once.

  void Run() {
    void* tag = nullptr;
    bool ok = false;
    while (queue->Next(&tag, &ok)) Exchange::Do(tag, ok);
  }

  std::unique_ptr<grpc::Server> server_;
  std::mutex mutex_;
  bool stopped_ = false;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

void Exchange::Await() {
  context_.AsyncNotifyWhenDone(&gone_);
  server_.Begin([this] {
    server_.service.RequestCall(&context_, &stream_, server_.queue.get(), server_.queue.get(),
                                Next(&Exchange::OnArrived));
  });
}

void Exchange::OnArrived(bool ok) {
  if (!ok) return;  // The server stops.
  gone_.exchange = shared_from_this();
  std::make_shared<Exchange>(server_)->Await();
  method_ = FindMethod(context_.method());
  if (method_ == nullptr) {
    return Finish({Code::kUnimplemented, fmt::format("there is no call {}", context_.method())});
  }
  const auto header = context_.client_metadata().find("authorization");
  const Result<Caller> caller =
      server_.api.Recognize(header == context_.client_metadata().end()
                                ? std::string_view()
                                : std::string_view(header->second.data(), header->second.size()));
  if (!caller.ok()) return Finish(caller.status());
  options_ = {.caller = caller.value(),
              .deadline = DeadlineOf(context_, server_.api.zone().decides())};
  server_.Begin([this] { stream_.Read(&buffer_, Next(&Exchange::OnRead)); });
}

void Exchange::OnRead(bool ok) {
  if (!ok) return Finish({Code::kInvalidArgument, "the call came without a message"});
  std::shared_ptr<google::protobuf::Message> request(
      google::protobuf::MessageFactory::generated_factory()
          ->GetPrototype(method_->descriptor->input_type())
          ->New());
  grpc::ProtoBufferReader reader(&buffer_);
  if (!request->ParseFromZeroCopyStream(&reader)) {
    return Finish({Code::kInvalidArgument,
                   fmt::format("the message is no {}", request->GetDescriptor()->name())});
  }
  if (method_->streams()) return Stream(*request);
  server_.api.Call(
      *method_, request, options_,
      [self = shared_from_this()](const Status& status, const google::protobuf::Message* message) {
        self->Answer(status, message);
      });
}

void Exchange::Answer(const Status& status, const google::protobuf::Message* message) {
  if (!status.ok()) return Finish(status);
  server_.Begin([&] {
    stream_.WriteAndFinish(ToBuffer(*message), grpc::WriteOptions(), grpc::Status::OK,
                           Next(&Exchange::OnEnd));
  });
}

void Exchange::Finish(const Status& status) {
  if (status.code() == Code::kResourceExhausted) context_.AddTrailingMetadata("retry-after", "1");
  server_.Begin([&] { stream_.Finish(ToGrpc(status), Next(&Exchange::OnEnd)); });
}

void Exchange::Stream(const google::protobuf::Message& request) {
  Result<std::shared_ptr<NewsStream>> news = server_.api.Open(
      *method_, request, options_, [weak = weak_from_this()]() -> NewsStream::Tell {
        return [weak](const News& told) {
          const auto self = weak.lock();
          return self == nullptr ? NewsStream::Reader::kReady : self->Tell(told);
        };
      });
  if (!news.ok()) return Finish(news.status());
  const std::lock_guard lock(mutex_);
  news_ = std::move(news).value();
  if (over_) return EndNews();
  if (!full_) news_->Resume();  // It may have been full before we knew whom to tell.
}

// The client went, or everything is answered.
void Exchange::OnGone(bool /*ok*/) {
  const std::lock_guard lock(mutex_);
  EndNews();
}

// Under the lock.
void Exchange::EndNews() {
  over_ = true;
  if (news_ != nullptr) news_->End();
  news_.reset();
}

NewsStream::Reader Exchange::Tell(const News& news) {
  const std::lock_guard lock(mutex_);
  if (over_ || end_) return NewsStream::Reader::kReady;
  if (news.message != nullptr) {
    to_tell_.push_back(ToBuffer(*news.message));
    to_tell_bytes_ += to_tell_.back().Length();
  }
  if (!news.end.ok()) end_ = news.end;
  if (!telling_) TellNext();
  full_ = to_tell_.size() >= Backlog::kCommitsMax || to_tell_bytes_ >= Backlog::kBytesMax;
  return full_ ? NewsStream::Reader::kFull : NewsStream::Reader::kReady;
}

// Under the lock.
void Exchange::TellNext() {
  if (to_tell_.empty()) {
    telling_ = false;
    if (!end_) return;
    EndNews();
    return Finish(*end_);
  }
  telling_ = true;
  to_tell_bytes_ -= to_tell_.front().Length();
  server_.Begin([this] { stream_.Write(to_tell_.front(), Next(&Exchange::OnTold)); });
  to_tell_.pop_front();
}

void Exchange::OnTold(bool ok) {
  const std::lock_guard lock(mutex_);
  if (!ok || over_) return EndNews();
  const bool half =
      to_tell_.size() <= Backlog::kCommitsMax / 2 && to_tell_bytes_ <= Backlog::kBytesMax / 2;
  if (full_ && half) {
    full_ = false;
    if (news_ != nullptr) news_->Resume();
  }
  TellNext();
}

}  // namespace

Result<std::unique_ptr<GrpcServer>> StartGrpcServer(Api& api, const Address& address,
                                                    const TlsKeys& tls) {
  // Strangers that fail to shake hands must not write into the log of what was done.
  gpr_set_log_function([](gpr_log_func_args* /*message*/) {});
  auto server = std::make_unique<CompletionServer>(api);
  BERTH_RETURN_IF_ERROR(server->Start(address, tls));
  return std::unique_ptr<GrpcServer>(std::move(server));
}

}  // namespace berth
