#include "serve/http_exchange.h"

#include <fmt/format.h>

#include "base/text.h"
#include "serve/dashboard_assets.h"
#include "serve/listen.h"

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
    "Berth serves its API here, and its dashboard to browsers.\n\n"
    "  /v1/health       whether it decides\n"
    "  /v1/machines     the fleet\n"
    "  /v1/services     what runs on it\n"
    "  /v1/decisions    why\n"
    "  /v1/watch        every commit as it happens\n"
    "  /metrics         for Prometheus\n\n"
    "docs/serve.md has the rest.\n";

// One client that is told of news as server-sent events. Its stream keeps it.
class EventStream : public std::enable_shared_from_this<EventStream> {
 public:
  EventStream(Zone& zone, std::shared_ptr<EventSink> sink) : zone_(zone), sink_(std::move(sink)) {}

  void Follow(std::shared_ptr<NewsStream> news) {
    sink_->OnRoom([weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->Resume();
    });
    zone_.tells().Post([self = shared_from_this(), news = std::move(news)] {
      if (self->over_) return news->End();
      self->news_ = news;
      self->Resume();  // It may have been full and have room again before we knew whom to tell.
    });
    BeatLater();
  }

  // On the telling thread.
  NewsStream::Reader Tell(const News& news) {
    if (!over_) Send(news);
    return over_ || !sink_->Full() ? NewsStream::Reader::kReady : NewsStream::Reader::kFull;
  }

 private:
  void Send(const News& news) {
    if (news.message != nullptr) {
      const std::string id = news.id > 0 ? fmt::format("id: {}\n", news.id) : std::string();
      if (!sink_->Send(fmt::format("{}data: {}\n\n", id, ToJson(*news.message)))) return Forget();
    }
    if (!news.end.ok()) End(news.end);
  }

  void Resume() {
    zone_.tells().Post([self = shared_from_this()] {
      if (self->news_ != nullptr && !self->sink_->Full()) self->news_->Resume();
    });
  }

  void Forget() {
    over_ = true;
    if (news_ != nullptr) news_->End();
    news_.reset();
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
  std::shared_ptr<NewsStream> news_;
  bool over_ = false;
};

// Of streams whose events have ids.
void ComeBackTo(const std::string& last_event_id, google::protobuf::Message& request) {
  auto* watch = dynamic_cast<v1::WatchRequest*>(&request);
  const Parsed<std::int64_t> seen = ParseInteger(last_event_id);
  if (watch == nullptr || seen.error != std::errc() || seen.value < 0) return;
  watch->set_from(static_cast<std::uint64_t>(seen.value));
}

// A browser says of every call that another page makes where that page came from. Without this a
// page of anybody could have whoever opens it fail machines of a server that wants no tokens.
bool IsOfAnotherPage(const HttpRequest& request) {
  if (request.origin.empty()) return false;
  const std::size_t scheme = request.origin.find("://");
  return scheme == std::string::npos || request.origin.substr(scheme + 3) != request.host;
}

// A name of somebody else's can be made to lead to this machine after their page was opened, which
// then is of the same origin and may read answers.
Status CalledByAnotherName(const std::string& host) {
  return {Code::kPermissionDenied,
          fmt::format("this server answers on this machine only, and was called by the name {}; "
                      "call it localhost, 127.0.0.1 or [::1], or start it with --tokens to have it "
                      "answer to any name",
                      Quoted(host))};
}

// The application to whom shows pages, and a few words to all others.
HttpReply Welcome(const HttpRequest& request) {
  if (request.accept.find("text/html") == std::string::npos) {
    return Plain(std::string(kWelcome));
  }
  const DashboardAssets& assets = Dashboard();
  HttpReply reply{.type = "text/html; charset=utf-8"};
  reply.headers = {{"Content-Security-Policy", std::string(assets.policy)},
                   {"Referrer-Policy", "no-referrer"},
                   {"Cross-Origin-Opener-Policy", "same-origin"},
                   {"Cross-Origin-Resource-Policy", "same-origin"},
                   {"Cache-Control", "no-cache"},
                   {"Vary", "Accept, Accept-Encoding"}};
  const bool gzip = request.accept_encoding.find("gzip") != std::string::npos;
  if (gzip) reply.headers.emplace_back("Content-Encoding", "gzip");
  reply.body = gzip ? assets.page_gzip : assets.page;
  return reply;
}

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
  if (by_own_name_ && !NamesLoopback(request.host))
    return answer(Error(CalledByAnotherName(request.host)));
  const Result<Caller> caller = api_.Recognize(request.authorization);
  if (!caller.ok()) return answer(Error(caller.status()));
  if (IsOfAnotherPage(request)) {
    return answer(Error({Code::kPermissionDenied,
                         fmt::format("this call was made by a page from {}, and only those of this "
                                     "server may call it; leave out the header Origin",
                                     Quoted(request.origin))}));
  }
  if (request.verb == "GET" && request.target == "/") return answer(Welcome(request));
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
    ComeBackTo(request.last_event_id, *call.value().request);
    return Stream(call.value(), options, answer, begin);
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

void HttpExchange::Stream(const RoutedCall& call, const CallOptions& options, const Answer& answer,
                          const Begin& begin) {
  std::shared_ptr<EventStream> stream;
  const Result<std::shared_ptr<NewsStream>> news =
      api_.Open(*call.method, *call.request, options, [&]() -> NewsStream::Tell {
        stream = std::make_shared<EventStream>(api_.zone(), begin());
        return [stream](const News& told) { return stream->Tell(told); };
      });
  if (!news.ok()) return answer(Error(news.status()));
  stream->Follow(news.value());
}

}  // namespace berth
