// What an HTTP server does with a request, whatever carries it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "serve/api.h"
#include "serve/tokens.h"

namespace berth {

struct HttpRequest {
  std::string verb;
  std::string target;
  std::string body;
  std::string authorization;
  std::string timeout_ms;  // The header Berth-Timeout-Ms; empty: none.
};

struct HttpReply {
  int code = 200;
  std::string type = "application/json";
  std::string body;
};

// Where a stream of events goes.
class EventSink {
 public:
  virtual ~EventSink() = default;
  // False: the client is gone, or too far behind.
  virtual bool Send(std::string event) = 0;
  virtual void Close() = 0;
};

class HttpExchange {
 public:
  HttpExchange(Api& api, Metrics& metrics, const Tokens& tokens)
      : api_(api), metrics_(metrics), tokens_(tokens) {}

  using Answer = std::function<void(HttpReply reply)>;
  // Begins a reply that is a stream of events.
  using Begin = std::function<std::shared_ptr<EventSink>()>;
  // From any thread; one of the two is called, once, on any thread.
  void Handle(const HttpRequest& request, Answer answer, const Begin& begin);

 private:
  void AnswerMetrics(const Caller& caller, Answer answer);
  void Watch(const v1::WatchRequest& request, const CallOptions& options, const Answer& answer,
             const Begin& begin);

  Api& api_;
  Metrics& metrics_;
  const Tokens& tokens_;
};

}  // namespace berth
