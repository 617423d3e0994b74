// The one watch stream of an etcd store, on a thread of its own: whatever any process commits
// arrives here. After any disconnect it goes on where it stopped, with the next endpoint.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "store/etcd/arrivals.h"

namespace grpc {
class Channel;
class ClientContext;
}  // namespace grpc
namespace etcdserverpb {
class WatchResponse;
}

namespace berth {

class EtcdSession;

class Follower {
 public:
  struct Options {
    std::vector<std::shared_ptr<grpc::Channel>> channels;
    std::shared_ptr<EtcdSession> session;
    std::string from_key;
    std::string to_key;
    std::int64_t after = 0;  // The etcd revision that is known already.
    Arrivals* arrivals = nullptr;
    std::function<void()> wake;  // Called on the follower's thread when there is something.
  };
  explicit Follower(Options options);
  ~Follower();
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

 private:
  void Run();
  // Both: whether anything was heard.
  bool FollowOnce(const std::shared_ptr<grpc::Channel>& channel);
  bool ReadStream(const std::shared_ptr<grpc::Channel>& channel, grpc::ClientContext& context);
  bool Take(etcdserverpb::WatchResponse& response);  // False: the stream is of no more use.
  bool Pause(bool heard);                            // False: it is over.
  void NoteGap();

  const Options options_;
  std::int64_t next_;  // The etcd revision to go on from; 0: from now on.
  std::size_t pauses_ = 0;

  std::mutex mutex_;
  std::condition_variable stopping_;
  bool stopped_ = false;
  grpc::ClientContext* stream_ = nullptr;  // To be cancelled.
  std::thread thread_;
};

}  // namespace berth
