// A user's login at etcd: the token that every call shows, got anew when etcd no longer knows it.
// Without a user there is none, and calls go as they are. Used from several threads.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "store/etcd/options.h"

namespace grpc {
class Channel;
class ClientContext;
class Status;
}  // namespace grpc

namespace berth {

class EtcdSession {
 public:
  explicit EtcdSession(const EtcdOptions& options);

  // Adds the token to a call, after logging in by the same channel if there is none.
  grpc::Status Sign(const std::shared_ptr<grpc::Channel>& channel, grpc::ClientContext& context);
  // Whether an answer says that a token is no longer good: they end after some minutes without a
  // call, when users or roles change, and when a member restarts.
  static bool IsOver(const grpc::Status& status);
  void LogInAnew();

 private:
  grpc::Status LogIn(const std::shared_ptr<grpc::Channel>& channel);

  const std::string user_;
  const std::string password_;
  const Duration attempt_max_;
  std::mutex mutex_;
  std::string token_;
};

}  // namespace berth
