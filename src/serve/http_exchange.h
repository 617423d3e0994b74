// What an HTTP server does with a request, whatever carries it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/api.h"
#include "serve/http_route.h"

namespace berth {

inline constexpr std::size_t kTargetBytesMax = std::size_t{8} << 10;
inline constexpr std::size_t kBodyBytesMax = std::size_t{4} << 20;

struct HttpRequest {
  std::string verb;
  std::string target;
  std::string body;
  std::string authorization;
  std::string timeout_ms;     // The header Berth-Timeout-Ms; empty: none.
  std::string last_event_id;  // Last-Event-ID, of a client that comes back to a stream.
  std::string accept;
  std::string accept_encoding;
  std::string origin;  // Of the page that makes the call; empty: no browser's page does.
  std::string host;
};

struct HttpReply {
  int code = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
};

// Where a stream of events goes.
class EventSink {
 public:
  virtual ~EventSink() = default;
  // False: the client is gone.
  virtual bool Send(std::string event) = 0;
  // So much waits for the client that it should be sent no more. Once it has taken half of that,
  // what OnRoom was given is called, on any thread.
  virtual bool Full() = 0;
  virtual void OnRoom(std::function<void()> room) = 0;
  // After one more event, however far behind the client is.
  virtual void Close(std::string last_event) = 0;
};

class HttpExchange {
 public:
  // On loopback: who is let in by being on this machine has to call it by a name of this machine.
  HttpExchange(Api& api, Metrics& metrics, bool on_loopback)
      : api_(api), metrics_(metrics), by_own_name_(on_loopback && !api.wants_tokens()) {}

  using Answer = std::function<void(HttpReply reply)>;
  // Begins a reply that is a stream of events.
  using Begin = std::function<std::shared_ptr<EventSink>()>;
  // From any thread; one of the two is called, once, on any thread.
  void Handle(const HttpRequest& request, Answer answer, const Begin& begin);

 private:
  void AnswerMetrics(const Caller& caller, Answer answer);
  void Stream(const RoutedCall& call, const CallOptions& options, const Answer& answer,
              const Begin& begin);

  Api& api_;
  Metrics& metrics_;
  const bool by_own_name_;
};

}  // namespace berth
