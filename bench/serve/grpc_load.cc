#include <fmt/format.h>
#include <grpcpp/grpcpp.h>

#include <memory>

#include "bench/serve/latencies.h"
#include "berth.grpc.pb.h"

namespace berth {
namespace {

template <typename Reply>
struct Call {
  grpc::ClientContext context;
  Reply reply;
  grpc::Status status;
  Latencies::Clock::time_point meant_at;
  std::unique_ptr<grpc::ClientAsyncResponseReader<Reply>> reader;
};

// `prepare` begins a call on the queue; `good` looks at its reply.
template <typename Reply, typename Prepare, typename Good>
Served Drive(const std::string& address, const CallLoad& load, Prepare prepare, Good good) {
  const auto stub =
      v1::Berth::NewStub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  grpc::CompletionQueue queue;
  Latencies latencies(load);
  std::size_t in_flight = 0;
  while (!latencies.done()) {
    while (in_flight < load.in_flight && !latencies.all_sent() &&
           Latencies::Clock::now() >= latencies.NextAt()) {
      auto* call = new Call<Reply>();
      call->meant_at = latencies.NextAt();
      call->reader = prepare(*stub, call->context, queue, latencies.Send());
      call->reader->StartCall();
      call->reader->Finish(&call->reply, &call->status, call);
      ++in_flight;
    }
    const auto wait = latencies.all_sent() || in_flight == load.in_flight
                          ? std::chrono::nanoseconds(std::chrono::seconds(10))
                          : latencies.NextAt() - Latencies::Clock::now();
    void* tag = nullptr;
    bool ok = false;
    if (queue.AsyncNext(&tag, &ok, std::chrono::system_clock::now() + wait) !=
        grpc::CompletionQueue::GOT_EVENT) {
      continue;
    }
    const std::unique_ptr<Call<Reply>> call(static_cast<Call<Reply>*>(tag));
    latencies.Answer(call->meant_at, call->status.ok() && good(call->reply));
    --in_flight;
  }
  return latencies.Result();
}

}  // namespace

Served CreateOverGrpc(const std::string& address, const CallLoad& load) {
  v1::CreateServiceRequest request;
  request.mutable_service()->set_tenant("default");
  v1::Group& group = *request.mutable_service()->add_groups();
  group.set_type("small");
  group.set_count(1);
  return Drive<v1::Outcome>(
      address, load,
      [&](v1::Berth::Stub& stub, grpc::ClientContext& context, grpc::CompletionQueue& queue,
          std::size_t number) {
        request.mutable_service()->set_name(fmt::format("{}{}", load.prefix, number));
        request.set_idempotency_key(request.service().name());
        return stub.PrepareAsyncCreateService(&context, request, &queue);
      },
      [](const v1::Outcome& outcome) { return outcome.accepted(); });
}

Served HealthOverGrpc(const std::string& address, const CallLoad& load) {
  return Drive<v1::HealthReply>(
      address, load,
      [](v1::Berth::Stub& stub, grpc::ClientContext& context, grpc::CompletionQueue& queue,
         std::size_t /*number*/) {
        return stub.PrepareAsyncHealth(&context, v1::HealthRequest(), &queue);
      },
      [](const v1::HealthReply& reply) { return reply.ready(); });
}

}  // namespace berth
