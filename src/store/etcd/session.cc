#include "store/etcd/session.h"

#include <grpc/support/time.h>
#include <grpcpp/grpcpp.h>

#include "etcd.grpc.pb.h"

namespace berth {

EtcdSession::EtcdSession(const EtcdOptions& options)
    : user_(options.credentials.user),
      password_(options.credentials.password),
      attempt_max_(options.attempt_max) {}

grpc::Status EtcdSession::Sign(const std::shared_ptr<grpc::Channel>& channel,
                               grpc::ClientContext& context) {
  if (user_.empty()) return grpc::Status::OK;
  const std::lock_guard lock(mutex_);
  if (token_.empty()) {
    grpc::Status status = LogIn(channel);
    if (!status.ok()) return status;
  }
  context.AddMetadata("token", token_);
  return grpc::Status::OK;
}

grpc::Status EtcdSession::LogIn(const std::shared_ptr<grpc::Channel>& channel) {
  const auto stub = etcdserverpb::Auth::NewStub(channel);
  grpc::ClientContext context;
  context.set_deadline(gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                                    gpr_time_from_micros(attempt_max_.count(), GPR_TIMESPAN)));
  etcdserverpb::AuthenticateRequest request;
  request.set_name(user_);
  request.set_password(password_);
  etcdserverpb::AuthenticateResponse response;
  grpc::Status status = stub->Authenticate(&context, request, &response);
  if (status.ok()) token_ = response.token();
  return status;
}

bool EtcdSession::IsOver(const grpc::Status& status) {
  return status.error_code() == grpc::StatusCode::UNAUTHENTICATED ||
         status.error_message().find("revision of auth store is old") != std::string::npos;
}

void EtcdSession::LogInAnew() {
  const std::lock_guard lock(mutex_);
  token_.clear();
}

}  // namespace berth
