// The only file that includes RESTinio, which takes long to compile.
#include "serve/http_server.h"

#include <fmt/format.h>

#include <restinio/all.hpp>
#include <restinio/tls.hpp>
#include <thread>

#include "serve/http_exchange.h"

namespace berth {
namespace {

// What is a little too long is read and answered; at these the connection is closed.
constexpr std::size_t kTargetBytesRead = 2 * kTargetBytesMax;
constexpr std::size_t kBodyBytesRead = kBodyBytesMax + (std::size_t{1} << 20);

struct PlainTraits : restinio::default_single_thread_traits_t {
  // NOLINTNEXTLINE(readability-identifier-naming): the library's own name.
  static constexpr bool use_connection_count_limiter = true;
};
struct TlsTraits
    : restinio::single_thread_tls_traits_t<restinio::asio_timer_manager_t,
                                           restinio::single_threaded_ostream_logger_t> {
  using logger_t = restinio::null_logger_t;
  // NOLINTNEXTLINE(readability-identifier-naming): the library's own name.
  static constexpr bool use_connection_count_limiter = true;
};

using Chunks = restinio::response_builder_t<restinio::chunked_output_t>;

// Sends from the thread of the connections, whoever is told.
class ChunkedSink final : public EventSink, public std::enable_shared_from_this<ChunkedSink> {
 public:
  ChunkedSink(restinio::asio_ns::io_context& context, Chunks chunks)
      : context_(context), chunks_(std::move(chunks)) {}

  bool Send(std::string event) override {
    {
      const std::lock_guard lock(mutex_);
      if (gone_) return false;
      ++behind_;
      behind_bytes_ += event.size();
    }
    restinio::asio_ns::post(context_, [self = shared_from_this(), event = std::move(event)] {
      if (self->closed_) return;
      const std::size_t bytes = event.size();
      self->chunks_.append_chunk(event);
      self->chunks_.flush(
          [self, bytes](const auto& error) { self->NoteSent(bytes, error ? true : false); });
    });
    return true;
  }

  bool Full() override {
    const std::lock_guard lock(mutex_);
    full_ = full_ || behind_ >= Backlog::kCommitsMax || behind_bytes_ >= Backlog::kBytesMax;
    return full_;
  }

  void OnRoom(std::function<void()> room) override {
    const std::lock_guard lock(mutex_);
    room_ = std::move(room);
  }

  void Close(std::string last_event) override {
    restinio::asio_ns::post(context_,
                            [self = shared_from_this(), last_event = std::move(last_event)] {
                              if (std::exchange(self->closed_, true)) return;
                              self->chunks_.append_chunk(last_event);
                              self->chunks_.done();
                            });
  }

 private:
  void NoteSent(std::size_t bytes, bool failed) {
    std::function<void()> room;
    {
      const std::lock_guard lock(mutex_);
      --behind_;
      behind_bytes_ -= bytes;
      gone_ = gone_ || failed;
      const bool half =
          behind_ <= Backlog::kCommitsMax / 2 && behind_bytes_ <= Backlog::kBytesMax / 2;
      if (full_ && (half || gone_)) {
        full_ = false;
        room = room_;
      }
    }
    if (room) room();
  }

  restinio::asio_ns::io_context& context_;
  Chunks chunks_;  // The connections' thread's, and whether they are closed.
  bool closed_ = false;

  std::mutex mutex_;
  std::size_t behind_ = 0;
  std::size_t behind_bytes_ = 0;
  bool full_ = false;
  bool gone_ = false;
  std::function<void()> room_;
};

template <typename Traits>
class RestinioServer final : public HttpServer {
 public:
  RestinioServer(Api& api, Metrics& metrics, const HttpListen& listen)
      : exchange_(api, metrics, listen.address.IsLoopback()),
        connections_max_(listen.connections_max) {}
  ~RestinioServer() override { Stop(); }

  void Stop() override {
    if (!thread_.joinable()) return;
    restinio::asio_ns::post(context_, [this] {
      server_->close_sync();
      context_.stop();
    });
    thread_.join();
  }
  RestinioServer(const RestinioServer&) = delete;
  RestinioServer& operator=(const RestinioServer&) = delete;

  // `prepare` adds what these traits need besides.
  template <typename Prepare>
  Status Start(const Address& address, Prepare prepare) {
    try {
      server_ = std::make_unique<restinio::http_server_t<Traits>>(
          restinio::external_io_context(context_), [&](auto& settings) {
            Configure(settings, address);
            prepare(settings);
          });
      server_->open_sync();
    } catch (const std::exception& error) {
      return {Code::kUnavailable,
              fmt::format("cannot listen on {} for HTTP: {}", address.str(), error.what())};
    }
    thread_ = std::thread([this] { context_.run(); });
    return {};
  }

  std::uint16_t port() const override { return port_; }

 private:
  template <typename Settings>
  void Configure(Settings& settings, const Address& address) {
    using namespace std::chrono_literals;
    settings.address(address.host)
        .port(address.port)
        .protocol(address.host.find(':') == std::string::npos ? restinio::asio_ns::ip::tcp::v4()
                                                              : restinio::asio_ns::ip::tcp::v6())
        .read_next_http_message_timelimit(60s)
        .write_http_response_timelimit(30s)
        .handle_request_timeout(24h)
        .max_parallel_connections(connections_max_)
        .incoming_http_msg_limits(restinio::incoming_http_msg_limits_t{}
                                      .max_url_size(kTargetBytesRead)
                                      .max_field_name_size(256)
                                      .max_field_value_size(8 << 10)
                                      .max_field_count(64)
                                      .max_body_size(kBodyBytesRead))
        .acceptor_post_bind_hook([this](restinio::asio_ns::ip::tcp::acceptor& acceptor) {
          port_ = acceptor.local_endpoint().port();
        })
        .request_handler([this](restinio::request_handle_t request) { return Take(request); });
  }

  restinio::request_handling_status_t Take(const restinio::request_handle_t& request) {
    const restinio::http_request_header_t& header = request->header();
    const auto field = [&](const char* name) {
      const auto value = header.opt_value_of(name);
      return value ? std::string(*value) : std::string();
    };
    exchange_.Handle(
        {.verb = header.method().c_str(),
         .target = header.request_target(),
         .body = request->body(),
         .authorization = field("Authorization"),
         .timeout_ms = field("Berth-Timeout-Ms"),
         .last_event_id = field("Last-Event-ID"),
         .accept = field("Accept"),
         .accept_encoding = field("Accept-Encoding"),
         .origin = field("Origin"),
         .host = field("Host")},
        [this, request](HttpReply reply) { Reply(request, std::move(reply)); },
        [this, request] { return BeginEvents(request); });
    return restinio::request_accepted();
  }

  void Reply(const restinio::request_handle_t& request, HttpReply reply) {
    restinio::asio_ns::post(context_, [request, reply = std::move(reply)]() mutable {
      auto response = request->create_response(restinio::http_status_line_t(
          restinio::http_status_code_t(static_cast<std::uint16_t>(reply.code)),
          Reason(reply.code)));
      response.append_header(restinio::http_field::content_type, reply.type);
      response.append_header("X-Content-Type-Options", "nosniff");
      for (const auto& [name, value] : reply.headers) response.append_header(name, value);
      if (reply.code == 401) {
        response.append_header(restinio::http_field::www_authenticate, "Bearer");
      }
      if (reply.code == 429) response.append_header(restinio::http_field::retry_after, "1");
      response.set_body(std::move(reply.body));
      response.done();
    });
  }

  std::shared_ptr<EventSink> BeginEvents(const restinio::request_handle_t& request) {
    Chunks chunks = request->create_response<restinio::chunked_output_t>();
    chunks.append_header(restinio::http_field::content_type, "text/event-stream");
    chunks.append_header(restinio::http_field::cache_control, "no-store");
    chunks.flush();
    return std::make_shared<ChunkedSink>(context_, std::move(chunks));
  }

  static std::string Reason(int code) {
    switch (code) {
      case 200:
        return "OK";
      case 400:
        return "Bad Request";
      case 401:
        return "Unauthorized";
      case 403:
        return "Forbidden";
      case 404:
        return "Not Found";
      case 405:
        return "Method Not Allowed";
      case 409:
        return "Conflict";
      case 412:
        return "Precondition Failed";
      case 413:
        return "Content Too Large";
      case 414:
        return "URI Too Long";
      case 429:
        return "Too Many Requests";
      case 503:
        return "Service Unavailable";
      case 504:
        return "Gateway Timeout";
      default:
        return "Internal Server Error";
    }
  }

  HttpExchange exchange_;
  const std::size_t connections_max_;
  restinio::asio_ns::io_context context_;
  std::unique_ptr<restinio::http_server_t<Traits>> server_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

Result<std::unique_ptr<HttpServer>> StartPlain(Api& api, Metrics& metrics,
                                               const HttpListen& listen) {
  auto server = std::make_unique<RestinioServer<PlainTraits>>(api, metrics, listen);
  BERTH_RETURN_IF_ERROR(server->Start(listen.address, [](auto& /*settings*/) {}));
  return std::unique_ptr<HttpServer>(std::move(server));
}

Result<std::unique_ptr<HttpServer>> StartTls(Api& api, Metrics& metrics, const HttpListen& listen) {
  const TlsKeys& tls = listen.tls;
  namespace ssl = restinio::asio_ns::ssl;
  ssl::context context(ssl::context::tls_server);
  try {
    context.set_options(ssl::context::default_workarounds | ssl::context::no_tlsv1 |
                        ssl::context::no_tlsv1_1);
    context.use_certificate_chain(restinio::asio_ns::buffer(tls.certificate));
    context.use_private_key(restinio::asio_ns::buffer(tls.key), ssl::context::pem);
    if (!tls.client_authority.empty()) {
      context.add_certificate_authority(restinio::asio_ns::buffer(tls.client_authority));
      context.set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert);
    }
  } catch (const std::exception& error) {
    return Status(Code::kInvalidArgument,
                  fmt::format("the TLS certificate or key cannot be used: {}", error.what()));
  }
  auto server = std::make_unique<RestinioServer<TlsTraits>>(api, metrics, listen);
  BERTH_RETURN_IF_ERROR(server->Start(
      listen.address, [&](auto& settings) { settings.tls_context(std::move(context)); }));
  return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace

Result<std::unique_ptr<HttpServer>> StartHttpServer(Api& api, Metrics& metrics,
                                                    const HttpListen& listen) {
  return listen.tls.empty() ? StartPlain(api, metrics, listen) : StartTls(api, metrics, listen);
}

}  // namespace berth
