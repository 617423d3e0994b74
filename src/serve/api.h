// The API without its transports: gRPC and HTTP hand every call to this.
//
// A call is let in or turned away at once; what is let in is handled on the zone's deciding thread
// if its deadline has not passed by then. Every call is counted and timed, every one that writes
// leaves a line in the audit log.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "berth/time.h"
#include "serve/audit.h"
#include "serve/handlers.h"
#include "serve/method.h"
#include "serve/metrics.h"
#include "serve/news_stream.h"
#include "serve/rate_limit.h"
#include "serve/tokens.h"
#include "serve/zone.h"

namespace berth {

// How far a stream's reader may be behind before it is told no more for a while.
struct Backlog {
  static constexpr std::size_t kCommitsMax = 1000;
  static constexpr std::size_t kBytesMax = std::size_t{4} << 20;
};

class Api {
 public:
  using Message = google::protobuf::Message;
  // The message is null unless the status is ok. Called once, on any thread.
  using Answer = std::function<void(const Status& status, const Message* message)>;

  struct Limits {
    std::uint64_t in_flight = 4096;  // Calls let in and not answered.
    std::uint64_t streams = 256;
    std::uint32_t per_second = 0;  // From one caller; 0: any number.
  };
  Api(Zone& zone, Metrics& metrics, Audit& audit, const Tokens& tokens, Limits limits);
  Api(const Api&) = delete;
  Api& operator=(const Api&) = delete;

  // From any thread. Not for calls that stream.
  void Call(const Method& method, const std::shared_ptr<const Message>& request,
            const CallOptions& options, Answer answer);

  // News for as long as the caller wants them, of a call that streams. `begin` is called if it is
  // let in, and gives who is told.
  Result<std::shared_ptr<NewsStream>> Open(const Method& method, const Message& request,
                                           const CallOptions& options,
                                           const std::function<NewsStream::Tell()>& begin);

  // Who calls by the "Bearer ..." header; a wrong one is counted and told to the log.
  Result<Caller> Recognize(std::string_view authorization);

  // Turns new calls away and ends all streams: the server is about to stop.
  void Drain();
  std::uint64_t in_flight() const { return in_flight_; }
  bool wants_tokens() const { return !tokens_.empty(); }
  Zone& zone() { return zone_; }

 private:
  Status LetIn(const Method& method, const Caller& caller);
  Result<std::shared_ptr<NewsStream>> LetInStream(const Method& method, const Message& request,
                                                  const CallOptions& options,
                                                  const std::function<NewsStream::Tell()>& begin);

  Zone& zone_;
  Metrics& metrics_;
  Audit& audit_;
  const Tokens& tokens_;
  const Limits limits_;
  const HandlerTable handlers_;
  const StreamTable openers_;
  RateLimit rate_;
  RateLimit strangers_told_{1};  // A stranger cannot fill the log.
  std::atomic<std::uint64_t> in_flight_ = 0;
  std::mutex mutex_;
  std::vector<std::weak_ptr<NewsStream>> streams_;  // Those that ended, too, until the next one.
  std::atomic<bool> draining_ = false;
};

}  // namespace berth
