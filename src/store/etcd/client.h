// Calls to an etcd cluster: every endpoint in turn until one answers or all had their time. Once
// they were given up, the next call asks each only briefly, until one answers again. Used by one
// thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "berth/status.h"
#include "store/etcd/options.h"

namespace grpc {
class Channel;
}
namespace etcdserverpb {
class RangeRequest;
class RangeResponse;
class TxnRequest;
class TxnResponse;
}  // namespace etcdserverpb

namespace berth {

class EtcdSession;

class EtcdClient {
 public:
  explicit EtcdClient(const EtcdOptions& options);
  ~EtcdClient();
  EtcdClient(const EtcdClient&) = delete;
  EtcdClient& operator=(const EtcdClient&) = delete;

  Status Range(const etcdserverpb::RangeRequest& request, etcdserverpb::RangeResponse& response);

  enum class TooLarge : std::uint8_t { kNo, kOperations, kBytes };
  struct Sent {
    Status status;
    // Some try ended without an answer: it may have been done, or may be done later, unless a
    // later transaction on the same compared key is seen to have been done.
    bool doubtful = false;
    TooLarge too_large = TooLarge::kNo;  // By the server's limits; then it was not done.
    // No space: etcd does the transaction that exceeds it and answers so, and does none after it.
    bool full = false;
  };
  // Safe to send again only if it compares a key that it also writes.
  Sent Txn(const etcdserverpb::TxnRequest& request, etcdserverpb::TxnResponse& response);

  // One a endpoint; for streams, which are others' business.
  const std::vector<std::shared_ptr<grpc::Channel>>& channels() const { return channels_; }
  const std::shared_ptr<EtcdSession>& session() const { return session_; }
  // In the order of the channels, for messages.
  const std::string& endpoints() const { return endpoints_; }

 private:
  struct Stubs;
  template <typename Call>
  Sent TryInTurn(Call call);

  const std::string endpoints_;
  const Duration attempt_max_;
  const Duration give_up_after_;
  const std::shared_ptr<EtcdSession> session_;
  std::vector<std::shared_ptr<grpc::Channel>> channels_;
  std::unique_ptr<Stubs> stubs_;
  std::size_t current_ = 0;  // The endpoint that answered last.
  bool given_up_ = false;
};

}  // namespace berth
