#include "serve/http_exchange.h"

#include <fmt/format.h>

#include "base/text.h"
#include "serve/http_route.h"

namespace berth {
namespace {

constexpr Duration kHeartbeat = std::chrono::seconds(15);

HttpReply Error(const Status& status) {
  return {.code = HttpCode(status.code()), .body = ErrorToJson(status)};
}

HttpReply TooLong(int code, std::string_view what, std::size_t size, std::size_t most) {
  return {.code = code,
          .body = ErrorToJson(
              {Code::kInvalidArgument,
               fmt::format("{} is {} bytes long, and {} is the most", what, size, most)})};
}

HttpReply Plain(std::string text) {
  return {.type = "text/plain; charset=utf-8", .body = std::move(text)};
}

constexpr std::string_view kWelcome =
    "Berth serves its API here.\n\n"
    "  /v1/health       whether it decides\n"
    "  /v1/machines     the fleet\n"
    "  /v1/services     what runs on it\n"
    "  /v1/decisions    why\n"
    "  /v1/watch        every commit as it happens\n"
    "  /metrics         for Prometheus\n\n"
    "docs/serve.md has the rest.\n";

// One client that is told of commits as server-sent events. Its commit stream keeps it.
class EventStream : public std::enable_shared_from_this<EventStream> {
 public:
  EventStream(Zone& zone, std::shared_ptr<EventSink> sink) : zone_(zone), sink_(std::move(sink)) {}

  void Follow(std::shared_ptr<CommitStream> commits) {
    sink_->OnRoom([weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->Resume();
    });
    zone_.tells().Post([self = shared_from_this(), commits = std::move(commits)] {
      if (self->over_) return commits->End();
      self->commits_ = commits;
      self->Resume();  // It may have been full and have room again before we knew whom to tell.
    });
    BeatLater();
  }

  // On the telling thread.
  CommitStream::Reader Tell(const v1::Commit* commit) {
    if (!over_) Send(commit);
    return over_ || !sink_->Full() ? CommitStream::Reader::kReady : CommitStream::Reader::kFull;
  }

 private:
  void Send(const v1::Commit* commit) {
    if (commit == nullptr) return End({Code::kUnavailable, std::string(kStopping)});
    const bool sent =
        sink_->Send(commit->compacted() > 0
                        ? fmt::format("data: {}\n\n", ToJson(*commit))
                        : fmt::format("id: {}\ndata: {}\n\n", commit->revision(), ToJson(*commit)));
    if (!sent) return Forget();
    if (commit->compacted() > 0) End({Code::kOutOfRange, std::string(kCompacted)});
  }

  void Resume() {
    zone_.tells().Post([self = shared_from_this()] {
      if (self->commits_ != nullptr && !self->sink_->Full()) self->commits_->Resume();
    });
  }

  void Forget() {
    over_ = true;
    if (commits_ != nullptr) commits_->End();
    commits_.reset();
  }

  void End(const Status& why) {
    Forget();
    sink_->Close(fmt::format("event: end\ndata: {}\n\n", ErrorToJson(why)));
  }

  // A line that says nothing tells a proxy that we are alive, and us whether the client is.
  void BeatLater() {
    zone_.tells().PostAt(zone_.tells().now() + kHeartbeat, [weak = weak_from_this()] {
      const auto self = weak.lock();
      if (self == nullptr || self->over_) return;
      if (!self->sink_->Full() && !self->sink_->Send(": still here\n\n")) return self->Forget();
      self->BeatLater();
    });
  }

  Zone& zone_;
  const std::shared_ptr<EventSink> sink_;
  std::shared_ptr<CommitStream> commits_;
  bool over_ = false;
};

Result<Time> DeadlineOf(const std::string& timeout_ms, Executor& executor) {
  if (timeout_ms.empty()) return Time::max();
  constexpr std::int64_t kDay = 86'400'000;
  const Parsed<std::int64_t> parsed = ParseInteger(timeout_ms);
  if (parsed.error != std::errc() || parsed.value <= 0 || parsed.value > kDay) {
    return Status(Code::kInvalidArgument,
                  fmt::format("Berth-Timeout-Ms is {}; give milliseconds, 1 to {}",
                              Quoted(timeout_ms), kDay));
  }
  return executor.now() + std::chrono::milliseconds(parsed.value);
}

}  // namespace

void HttpExchange::Handle(const HttpRequest& request, Answer answer, const Begin& begin) {
  if (request.target.size() > kTargetBytesMax) {
    return answer(TooLong(414, "the path with its query", request.target.size(), kTargetBytesMax));
  }
  if (request.body.size() > kBodyBytesMax) {
    return answer(TooLong(413, "the body", request.body.size(), kBodyBytesMax));
  }
  const Result<Caller> caller = api_.Recognize(request.authorization);
  if (!caller.ok()) return answer(Error(caller.status()));
  if (request.verb == "GET" && request.target == "/") return answer(Plain(std::string(kWelcome)));
  if (request.verb == "GET" && request.target == "/metrics") {
    return AnswerMetrics(caller.value(), std::move(answer));
  }
  Result<RoutedCall> call = RouteHttp(request.verb, request.target, request.body);
  if (!call.ok()) return answer(Error(call.status()));
  const Result<Time> deadline = DeadlineOf(request.timeout_ms, api_.zone().decides());
  if (!deadline.ok()) return answer(Error(deadline.status()));
  const CallOptions options{.caller = caller.value(), .deadline = deadline.value()};
  const Method& method = *call.value().method;
  if (method.streams()) {
    auto& watch = static_cast<v1::WatchRequest&>(*call.value().request);
    const Parsed<std::int64_t> seen = ParseInteger(request.last_event_id);
    if (seen.error == std::errc() && seen.value >= 0) {
      watch.set_from(static_cast<std::uint64_t>(seen.value));
    }
    return Watch(watch, options, answer, begin);
  }
  api_.Call(
      method, call.value().request, options,
      [answer = std::move(answer)](const Status& status, const google::protobuf::Message* message) {
        answer(status.ok() ? HttpReply{.body = ToJson(*message)} : Error(status));
      });
}

void HttpExchange::AnswerMetrics(const Caller& caller, Answer answer) {
  if (caller.may < v1::READ) {
    return answer(Error({Code::kUnauthenticated,
                         "/metrics needs a token with the role read; send it as "
                         "'Authorization: Bearer TOKEN'"}));
  }
  api_.zone().decides().Post([this, answer = std::move(answer)] {
    answer({.type = "text/plain; version=0.0.4; charset=utf-8",
            .body = metrics_.Render(api_.zone(), api_.in_flight())});
  });
}

void HttpExchange::Watch(const v1::WatchRequest& request, const CallOptions& options,
                         const Answer& answer, const Begin& begin) {
  std::shared_ptr<EventStream> stream;
  const Result<std::shared_ptr<CommitStream>> commits =
      api_.Watch(request, options, [&]() -> CommitStream::Tell {
        stream = std::make_shared<EventStream>(api_.zone(), begin());
        return [stream](const v1::Commit* commit) { return stream->Tell(commit); };
      });
  if (!commits.ok()) return answer(Error(commits.status()));
  stream->Follow(commits.value());
}

}  // namespace berth
